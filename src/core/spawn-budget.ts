/**
 * How many agents a window's agent may start (D8): one number for all levels together, and one for the children of each. The pool is shared, so that a chain may be as
 * deep as it lasts and no level can multiply it.
 */
import type { RunLimits } from "./run-state.ts";

export interface SpawnState {
  /** Started so far, at every level. */
  readonly started: number;
  /** By whoever started them; `""` = the main conversation. */
  readonly children: ReadonlyMap<string, number>;
}

export const noSpawns: SpawnState = { started: 0, children: new Map() };

export type SpawnVerdict = { readonly kind: "granted"; readonly state: SpawnState } | { readonly kind: "refused"; readonly reason: string };

/** The tools by which Claude Code starts an agent. */
const spawnTools: readonly string[] = ["Agent", "Task"];

export function isSpawn(tool: string): boolean {
  return spawnTools.includes(tool);
}

/** @param parent  id of the agent that asks; `""` = the main conversation */
export function grantSpawn(
  state: SpawnState,
  parent: string,
  { agents, agentsEach }: Pick<RunLimits, "agents" | "agentsEach">,
): SpawnVerdict {
  const own = state.children.get(parent) ?? 0;
  if (state.started >= agents)
    return refused(`this window may start ${agents} agents in all, and has. Do the rest yourself, one thing after another.`);
  if (own >= agentsEach) return refused(`an agent may start ${agentsEach} others, and you have. Do the rest yourself.`);
  return { kind: "granted", state: { started: state.started + 1, children: new Map(state.children).set(parent, own + 1) } };
}

function refused(reason: string): SpawnVerdict {
  return { kind: "refused", reason: `the budget of agents is used up: ${reason}` };
}
