/**
 * Counts the agents that a window's agent starts, where its tool calls are asked about. Each is in the log; what is granted is counted before anything else is asked. The window after
 * one whose supervisor died goes on with its count: a restart gives nothing back.
 */
import type { Denial } from "../core/guard/action.ts";
import type { RunSettings } from "../core/run-settings.ts";
import { grantSpawn, isSpawn, meetAgent, noSpawns, type SpawnVerdict } from "../core/spawn-budget.ts";
import type { GuardAnswer, ToolCall } from "../ports/agent.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store, WindowRecord } from "../ports/store.ts";

export interface SpawnWatch {
  /** Null = nothing speaks against the call, and it starts no agent. */
  judge(call: ToolCall): Promise<GuardAnswer | null>;
  /** The guard denied an agent that a command would have started. */
  denied(call: ToolCall, denial: Denial | undefined): Promise<void>;
}

export interface SpawnParts {
  readonly ports: { readonly store: Pick<Store, "windows" | "recentEvents" | "appendEvents">; readonly clock: Pick<Clock, "now"> };
  readonly settings: { readonly limits: Pick<RunSettings["limits"], "agents" | "agentsEach"> };
}

const mostRead = 1000;

export function createSpawnWatch(
  { ports, settings }: SpawnParts,
  { id: window, run, number }: Pick<WindowRecord, "id" | "run" | "number">,
): SpawnWatch {
  const { limits } = settings;
  let state = noSpawns;
  let carried: Promise<void> | null = null;

  /** Once: from then on nothing is waited for between a look at the count and its change. */
  function carryOver(): Promise<void> {
    carried ??= startedBefore().then((started) => {
      state = { ...state, started: state.started + started };
    });
    return carried;
  }

  async function startedBefore(): Promise<number> {
    const windows = await ports.store.windows(run);
    const lost = new Set<string>();
    for (const one of windows.toReversed()) {
      if (one.number >= number) continue;
      if (one.result?.exit.kind !== "lost") break;
      lost.add(one.id);
    }
    if (lost.size === 0) return 0;
    const events = await ports.store.recentEvents(run, "agent.spawned", mostRead);
    return events.filter(({ window: of, data }) => of !== undefined && lost.has(of) && data?.["granted"] === true).length;
  }

  async function record(call: ToolCall, granted: boolean, how: string): Promise<void> {
    const data = { by: call.agentId ?? "main", how, started: state.started, granted };
    await ports.store.appendEvents(run, [{ kind: "agent.spawned", window, data }], ports.clock.now()).catch(() => undefined);
  }

  function answer(verdict: SpawnVerdict): GuardAnswer {
    state = verdict.state;
    return verdict.kind === "granted" ? { kind: "allow" } : { kind: "deny", reason: verdict.reason };
  }

  /** An agent that nobody was seen to start is counted when it first asks. */
  async function meet(call: ToolCall): Promise<GuardAnswer | null> {
    if (call.agentId === undefined) return null;
    const { started, known } = state;
    const met = answer(meetAgent(state, call.agentId, limits));
    if (!known.has(call.agentId) && (state.started > started || met.kind === "deny")) await record(call, met.kind === "allow", "unseen");
    return met.kind === "deny" ? met : null;
  }

  return {
    async judge(call) {
      await carryOver();
      const met = await meet(call);
      if (met !== null || !isSpawn(call.name)) return met;
      const verdict = answer(grantSpawn(state, call.agentId ?? "", limits));
      await record(call, verdict.kind === "allow", call.name);
      return verdict;
    },
    async denied(call, denial) {
      if (denial?.rule === "guard-and-contract/agent") await record(call, false, "command");
    },
  };
}
