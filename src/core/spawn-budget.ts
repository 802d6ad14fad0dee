/**
 * How many agents a window's agent may start (D8): one number for all levels together, and one for the children of each. The pool is shared, so that a chain may be as
 * deep as it lasts and no level can multiply it. An agent that was not seen to be started is counted when it makes itself known.
 */
import type { RunLimits } from "./run-state.ts";

export interface SpawnState {
  /** Started so far, at every level. */
  readonly started: number;
  /** By whoever started them; `""` = the main conversation. */
  readonly children: ReadonlyMap<string, number>;
  /** Agents that have asked for a call; false = started past the budget. */
  readonly known: ReadonlyMap<string, boolean>;
}

export const noSpawns: SpawnState = { started: 0, children: new Map(), known: new Map() };

export type SpawnVerdict =
  | { readonly kind: "granted"; readonly state: SpawnState }
  | { readonly kind: "refused"; readonly reason: string; readonly state: SpawnState };

type Limits = Pick<RunLimits, "agents" | "agentsEach">;

/** The tools by which Claude Code starts an agent. */
const spawnTools: ReadonlySet<string> = new Set(["Agent", "Task"]);
/** Tools of servers that are agents, or that are called after starting one. */
const agentTools =
  /^(agent|codex([-_]reply)?|claude([-_]code)?|gemini([-_]cli)?|opencode|aider|(spawn|start|launch|create|run|dispatch|delegate|new)[-_]?(to[-_]?)?(sub|background|remote|cloud)?[-_]?agents?)$/i;

/** The tool starts an agent, by its name. */
export function isSpawn(tool: string): boolean {
  if (spawnTools.has(tool)) return true;
  const [prefix, server, ...rest] = tool.split("__");
  const own = rest.join("__");
  return prefix === "mcp" && server !== undefined && server !== "midwatch" && (spawnTools.has(own) || agentTools.test(own));
}

/** @param parent  id of the agent that asks; `""` = the main conversation */
export function grantSpawn(state: SpawnState, parent: string, { agents, agentsEach }: Limits): SpawnVerdict {
  const own = state.children.get(parent) ?? 0;
  if (state.started >= agents)
    return refused(state, `this window may start ${agents} agents in all, and has. Do the rest yourself, one thing after another.`);
  if (own >= agentsEach) return refused(state, `an agent may start ${agentsEach} others, and you have. Do the rest yourself.`);
  return { kind: "granted", state: { ...state, started: state.started + 1, children: new Map(state.children).set(parent, own + 1) } };
}

/** An agent asks for a call. One more than were seen to be started was started in some other way: it counts from here, and beyond the budget it may do nothing. */
export function meetAgent(state: SpawnState, agent: string, { agents }: Limits): SpawnVerdict {
  const before = state.known.get(agent);
  const isOver = before === undefined ? state.known.size >= agents : !before;
  const known = before === undefined ? new Map(state.known).set(agent, !isOver) : state.known;
  const met = { ...state, known, started: Math.max(state.started, Math.min(known.size, agents)) };
  return isOver ? refused(met, "you were started past it. End now, and say so.") : { kind: "granted", state: met };
}

function refused(state: SpawnState, reason: string): SpawnVerdict {
  return { kind: "refused", reason: `the budget of agents is used up: ${reason}`, state };
}
