/** The desk of one window: its sums and caps, what it tells the window's watch, and what its calls cost in the end. */
import type { TaskKey } from "../../core/ids.ts";
import type { CallRequest } from "../../core/money/call.ts";
import { type Cap, callCap, capsOn, dateScopes, noSpend, type Scope, type Spend, treeTaskScope } from "../../core/money/cap.ts";
import { inputTokens } from "../../core/money/usage.ts";
import type { RunLimits } from "../../core/run-state.ts";
import type { CallPlace, ClosedCall } from "../../ports/ledger.ts";
import type { WindowRecord } from "../../ports/store.ts";
import type { SecondLine } from "../second-line.ts";
import type { WindowWatch } from "../window-watch.ts";
import { createDesk, type Desk, type DeskParts, type Refusal } from "./desk.ts";
import type { SubagentMarks } from "./subagents.ts";

export interface WindowDeskOptions {
  readonly window: WindowRecord;
  readonly limits: RunLimits;
  /** Of this window: its own, or what is left of the run's. */
  readonly capMicroUsd: number;
  /** Names the plan: tasks of two plans may have one key. */
  readonly plan: string;
  /** The task at which the window is, as far as can be told. */
  readonly task: () => TaskKey | null;
  readonly watch: WindowWatch;
  readonly subagents: SubagentMarks;
  /** Null = the agent offers no guard. */
  readonly secondLine: Pick<SecondLine, "passedBy"> | null;
  readonly refused: (refusal: Refusal) => void;
}

export interface WindowDesk extends Desk {
  /** The first refusal that ends the window; null = none. */
  refusal(): Refusal | null;
  /** The largest input of the main conversation. */
  maxContextTokens(): number;
}

export function createWindowDesk(parts: DeskParts, options: WindowDeskOptions): WindowDesk {
  const { window, watch } = options;
  const count = createCount();
  let spend = noSpend;
  let openMicroUsd = 0;
  let refusal: Refusal | null = null;
  let main: string | null = null;
  let maxContextTokens = 0;

  /** Not what is held for calls of its that run: a generous estimate of theirs must not stop the work beside them. */
  function used({ spentMicroUsd, heldMicroUsd }: Spend): number {
    return spentMicroUsd + Math.max(0, heldMicroUsd - openMicroUsd);
  }

  /** By the cap that leaves least, whose ever it is: the agent is to hand off before any of them. */
  function leftUnder(spends: ClosedCall["spends"]): number {
    const caps = capsOf(options, parts.clock.localDate(parts.clock.now()));
    const lefts = spends.flatMap(({ scope, spend: sum }) => {
      const cap = caps.find(({ kind, id }) => kind === scope.kind && id === scope.id);
      return cap === undefined ? [] : [cap.microUsd - used(sum)];
    });
    return Math.min(options.capMicroUsd, ...lefts);
  }

  const desk = createDesk(parts, {
    keepsAnswers: false,
    volatileFields: [],
    owner: () => ({ kind: "window", run: window.run, window: window.id, task: options.task() }),
    objects({ toolResults }) {
      const tools = toolResults === undefined ? [] : (options.secondLine?.passedBy(toolResults) ?? []);
      return tools.length === 0 ? null : { kind: "unguarded", tools };
    },
    place: (request) => count.place(request),
    scopes: (at) => windowScopes(options, parts.clock.localDate(at)),
    caps: (at) => capsOf(options, parts.clock.localDate(at)),
    opened({ request, upperMicroUsd }) {
      if (!request.isSubagent) main ??= request.conversation;
      openMicroUsd += upperMicroUsd ?? 0;
      watch.seeNextCall(upperMicroUsd ?? 0);
      watch.seeRunning(openMicroUsd);
    },
    closed({ request, place, upperMicroUsd }, result, { spends }) {
      openMicroUsd -= upperMicroUsd ?? 0;
      count.ended(request, place, result.end === "done");
      if (result.messageId !== null) {
        options.subagents.answered(result.messageId, request.conversation);
        if (request.isSubagent) options.subagents.tell(result.messageId, true);
      }
      spend = spends.find(({ scope }) => scope.kind === "window")?.spend ?? spend;
      watch.seeSpend(used(spend));
      watch.seeCap(used(spend) + leftUnder(spends));
      watch.seeRunning(openMicroUsd); // last: whoever waits for the end of a call then knows what it cost
      if (request.conversation !== main || result.usage === null) return;
      maxContextTokens = Math.max(maxContextTokens, inputTokens(result.usage));
      watch.seeContext(inputTokens(result.usage));
    },
    refused(why) {
      if (why.kind !== "over") refusal ??= why;
      options.refused(why);
    },
  });
  return { ...desk, refusal: () => refusal, maxContextTokens: () => maxContextTokens };
}

/** The sums that a window's calls count for. @param date  `2026-11-30` */
export function windowScopes({ window, plan, task }: Pick<WindowDeskOptions, "window" | "plan" | "task">, date: string): readonly Scope[] {
  const key = task();
  return [
    { kind: "window", id: window.id },
    { kind: "run", id: window.run },
    ...(key === null ? [] : [treeTaskScope(plan, key)]),
    ...dateScopes(date),
  ];
}

function capsOf(options: WindowDeskOptions, date: string): readonly Cap[] {
  const { limits, capMicroUsd } = options;
  const scoped = capsOn(windowScopes(options, date), {
    ...{ window: capMicroUsd, run: limits.runMicroUsd, task: limits.taskMicroUsd },
    ...{ day: limits.dayMicroUsd, month: limits.monthMicroUsd },
  });
  // The one that lasts longest first: it is what stands in the way of the next window, too.
  const ordered = scoped.toSorted((one, other) => lasting.indexOf(one.kind) - lasting.indexOf(other.kind));
  return [...ordered, ...callCap(limits.callMicroUsd)];
}

const lasting: readonly Cap["kind"][] = ["month", "day", "run", "task", "window"];

interface Count {
  place(request: CallRequest): CallPlace;
  ended(request: CallRequest, place: CallPlace, whole: boolean): void;
}

/** Bodies without a whole answer that are remembered: an agent that tries again does so at once. */
const maxRetried = 100;

/** An agent's own retry has the body of the request before it: the same place, the next try. */
function createCount(): Count {
  const unanswered = new Map<string, { readonly seq: number; readonly try: number }>();
  let last = 0;
  return {
    place({ hash }) {
      const before = unanswered.get(hash);
      unanswered.delete(hash);
      if (before !== undefined) return { kind: "counted", seq: before.seq, try: before.try + 1 };
      last += 1;
      return { kind: "counted", seq: last, try: 1 };
    },
    ended({ hash }, place, whole) {
      if (whole || place.kind !== "counted") return;
      unanswered.set(hash, { seq: place.seq, try: place.try });
      const [oldest] = unanswered.keys();
      if (unanswered.size > maxRetried && oldest !== undefined) unanswered.delete(oldest);
    },
  };
}
