/** What differs between the settings that a run was started with and others, by the names that the config has for them. */
import type { AgentSettings, RunSettings } from "./run-settings.ts";
import type { RunLimits } from "./run-state.ts";

const limitNames: Readonly<Record<Exclude<keyof RunLimits, "deadlineAt">, string>> = {
  windows: "windows",
  runMicroUsd: "run",
  windowMicroUsd: "window",
  unknownCostMicroUsd: "unknownCost",
  unknownCostWindows: "unknownCostWindows",
  idleWindows: "idleWindows",
  windowsWithoutTask: "windowsWithoutTask",
  failedWindows: "failedWindows",
  attemptsPerTask: "attemptsPerTask",
  tasksPerWindow: "tasksPerWindow",
  windowMs: "windowTime",
  idleMs: "idleTime",
  toolMs: "toolTime",
  lingerMs: "lingerTime",
  graceMs: "graceTime",
  criterionMs: "criterionTime",
  callMicroUsd: "call",
  taskMicroUsd: "task",
  dayMicroUsd: "day",
  monthMicroUsd: "month",
  reserveMicroUsd: "reserve",
  agents: "agents",
  agentsEach: "agentsEach",
  contextTellTokens: "contextTellTokens",
  contextTokens: "contextTokens",
  outageMs: "outageWait",
  outageCeilingMs: "outageCeiling",
};

/**
 * The names of the settings that differ. Whether somebody stays for answers is how a run was started and no setting of its work; the clock of a
 * run began with it.
 */
export function changedSettings(before: RunSettings, now: RunSettings): readonly string[] {
  const [old, fresh] = [named(before), named(now)];
  return [...new Set([...old.keys(), ...fresh.keys()])].filter((name) => JSON.stringify(old.get(name)) !== JSON.stringify(fresh.get(name)));
}

function named(settings: RunSettings): ReadonlyMap<string, unknown> {
  const { plan, limits, handoff, bookkeeping, leftovers, recheck, integrity, protect, onProviderLimit, promptTemplate, logBytes } =
    settings;
  return new Map<string, unknown>([
    ["plan", plan.path],
    ...agentRows(settings.agent),
    ...Object.entries(limitNames).map(([field, name]) => [`limits.${name}`, limits[field as keyof typeof limitNames]] as const),
    ["limits.runTime", limits.deadlineAt !== null],
    ["handoff", handoff],
    ["bookkeeping", bookkeeping],
    ...Object.entries(settings.gateway).map(([name, value]) => [`gateway.${name}`, value] as const),
    ["leftovers", leftovers],
    ["recheck", recheck],
    ["integrity", integrity],
    ["protect", protect],
    ["onProviderLimit", onProviderLimit],
    ["prompt", promptTemplate],
    ["logMiB", logBytes],
  ]);
}

function agentRows(agent: AgentSettings): readonly (readonly [string, unknown])[] {
  const own =
    agent.kind === "command" ? { command: agent.command } : { program: agent.program, model: agent.model, mcpServers: agent.mcpServers };
  const { kind, passEnv, env, containment, sandbox, writable, repositorySettings = "approved" } = agent;
  return Object.entries({ kind, ...own, passEnv, env, containment, sandbox, writable, repositorySettings }).map(
    ([name, value]) => [`agent.${name}`, value] as const,
  );
}
