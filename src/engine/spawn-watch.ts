/** Counts the agents that a window's agent starts, where its tool calls are asked about. Each is in the log; what is granted is counted before anything else is asked. */
import type { WindowId } from "../core/ids.ts";
import { grantSpawn, isSpawn, noSpawns } from "../core/spawn-budget.ts";
import type { GuardAnswer, ToolCall } from "../ports/agent.ts";
import type { RunContext } from "./context.ts";

/** @returns null = the call starts no agent */
export function createSpawnWatch({ ports, run, settings }: RunContext, window: WindowId): (call: ToolCall) => Promise<GuardAnswer | null> {
  let state = noSpawns;
  return async (call) => {
    if (!isSpawn(call.name)) return null;
    const verdict = grantSpawn(state, call.agentId ?? "", settings.limits);
    if (verdict.kind === "granted") state = verdict.state;
    const data = { by: call.agentId ?? "main", started: state.started, granted: verdict.kind === "granted" };
    await ports.store.appendEvents(run, [{ kind: "agent.spawned", window, data }], ports.clock.now()).catch(() => undefined);
    return verdict.kind === "granted" ? { kind: "allow" } : { kind: "deny", reason: verdict.reason };
  };
}
