/**
 * The money of one window: the desk at which its calls are booked where there is a gateway, and what its own stream tells of them where there is none.
 * Also ends a window that will not take a refusal for an answer.
 */
import type { AgentEvent } from "../core/agent-event.ts";
import { windowCapMicroUsd } from "../core/budget.ts";
import type { Refused } from "../core/exit-reason.ts";
import type { RunState } from "../core/run-state.ts";
import type { AgentRun } from "../ports/agent.ts";
import type { WindowLedger, WindowRecord } from "../ports/store.ts";
import { describeRefusal, type Refusal } from "./calls/desk.ts";
import { createReportedCalls } from "./calls/reported-calls.ts";
import { createSubagentMarks } from "./calls/subagents.ts";
import { createWindowDesk, type WindowDesk } from "./calls/window-desk.ts";
import { planPlace, type RunContext } from "./context.ts";
import type { OpenDoor } from "./door.ts";
import type { SecondLine } from "./second-line.ts";
import { windowSpend } from "./spent.ts";
import type { WindowWatch } from "./window-watch.ts";

/** How a window stood with the ledger when its door was shut. */
export interface WindowMoney {
  /** Null = its calls do not pass through the gateway. */
  readonly ledger: WindowLedger | null;
  readonly refused: Refused | null;
  /** Largest input of the main conversation that the gateway saw; 0 = none. */
  readonly maxContextTokens: number;
}

export interface OpenMoney {
  readonly desk: WindowDesk | null;
  /** For the agent's own cap, which is the only one where there is no gateway. */
  readonly ownCapMicroUsd: number | null;
  see(event: AgentEvent): void;
  /** The process whose calls these are. */
  attach(agent: Pick<AgentRun, "stop">): void;
  /** After the door is shut. */
  settle(): Promise<WindowMoney>;
}

interface Parts {
  readonly window: WindowRecord;
  readonly state: RunState;
  readonly door: OpenDoor;
  readonly watch: WindowWatch;
  readonly secondLine: Pick<SecondLine, "passedBy"> | null;
}

/** Refusals after which an agent that still asks is ended: it costs nothing, but it brings nothing either. */
const mostRefusals = 5;

export function openMoney(context: RunContext, { window, state, door, watch, secondLine }: Parts): OpenMoney {
  const { ports, settings, booker } = context;
  const capMicroUsd = windowCapMicroUsd(state, settings.limits);
  let agent: Pick<AgentRun, "stop"> | null = null;
  let refusals = 0;
  const subagents = createSubagentMarks();
  const scope = { window, limits: settings.limits, capMicroUsd, plan: planPlace(context), task: () => door.task() };

  function refused(refusal: Refusal): void {
    if (refusal.kind === "over") return;
    if (refusal.kind === "unguarded") agent?.stop("unguarded", "now");
    refusals += 1;
    if (refusals <= mostRefusals) void record(refusal);
    if (refusals === mostRefusals) agent?.stop("window-limit");
  }

  async function record(refusal: Refusal): Promise<void> {
    const data = { why: refusal.kind, ...(refusal.kind === "cap" ? { cap: refusal.cap.kind } : {}), text: describeRefusal(refusal) };
    await ports.store
      .appendEvents(context.run, [{ kind: "call.refused", window: window.id, data }], ports.clock.now())
      .catch(() => undefined);
  }

  const parts = { booker, prices: ports.prices, clock: ports.clock, newCallId: ports.ids.newCallId, unpriced: settings.gateway.unpriced };
  const desk = ports.models === null ? null : createWindowDesk(parts, { ...scope, watch, subagents, secondLine, refused });
  const reported = desk === null ? createReportedCalls(parts, ports.store.ledger, scope) : null;

  return {
    desk,
    ownCapMicroUsd: desk === null ? capMicroUsd : null,
    see(event) {
      if (event.kind === "usage" && desk !== null) subagents.tell(event.key, event.subagent);
      reported?.see(event);
    },
    attach(started) {
      agent = started;
    },
    async settle() {
      await reported?.settle();
      const marks = subagents.read();
      if (marks.size > 0) await ports.store.ledger.markSubagents(window.id, marks);
      if (desk === null) return { ledger: null, refused: null, maxContextTokens: 0 };
      const refusal = desk.refusal();
      return {
        ledger: await windowSpend(ports.store, window),
        refused: refusal === null || refusal.kind === "unguarded" ? null : refusedBy(refusal, capMicroUsd < settings.limits.windowMicroUsd),
        maxContextTokens: desk.maxContextTokens(),
      };
    },
  };
}

/** Of a window whose supervisor died: what stands in the ledger of it. */
export async function lostMoney({ ports }: RunContext, window: WindowRecord): Promise<WindowMoney> {
  const throughGateway = await ports.store.ledger.calls({ window: window.id, limit: 1 });
  const isBooked = throughGateway[0]?.source === "gateway";
  return { ledger: isBooked ? await windowSpend(ports.store, window) : null, refused: null, maxContextTokens: 0 };
}

/** @param isRest  the window's cap was what is left of the run's */
function refusedBy(refusal: Refusal, isRest: boolean): Refused {
  const kind = refusal.kind === "cap" ? refusal.cap.kind : "unpriced";
  return { by: kind === "window" && isRest ? "run" : kind, detail: describeRefusal(refusal) };
}
