/** The settings that a run is frozen with: the file's words become the core's integers. */
import { MidwatchError } from "../core/error.ts";
import type { DenyRule, GuardPolicy } from "../core/guard/policy.ts";
import { microUsd, microUsdOrNull } from "../core/money/amount.ts";
import type { AgentSettings, HandSettings, PlanSettings, RunSettings } from "../core/run-settings.ts";
import type { RunLimits } from "../core/run-state.ts";
import { durationMs } from "./duration.ts";
import type { Config } from "./keys.ts";
import { projectFileName, type ResolvedConfig } from "./load.ts";

export interface RunStart {
  /** Milliseconds since 1970: where `limits.runTime` begins. */
  readonly now: number;
  /** Instead of the list that `plan` names. */
  readonly plan?: PlanSettings;
  /** What `readPromptTemplate` gave; null = our own. */
  readonly promptTemplate: string | null;
}

/** @throws MidwatchError when no agent is named: there is no default for what spends money */
export function runSettings({ value }: Pick<ResolvedConfig, "value">, start: RunStart): RunSettings {
  const plan = start.plan ?? { kind: "list", path: value.plan };
  return {
    plan,
    agent: agentSettings(value.agent),
    limits: runLimits(value.limits, start.now),
    handoff: value.handoff,
    bookkeeping: bookkeeping(plan.path, value),
    gateway: value.gateway,
    guard: guardPolicy(value.guard),
    leftovers: value.leftovers,
    recheck: value.recheck,
    integrity: value.integrity,
    protect: value.protect,
    onProviderLimit: value.onProviderLimit,
    onQuestion: value.onQuestion,
    promptTemplate: start.promptTemplate,
    logBytes: value.logMiB * 1024 * 1024,
  };
}

export function handSettings({ value }: Pick<ResolvedConfig, "value">, start: Pick<RunStart, "now" | "plan">): HandSettings {
  const plan = start.plan ?? { kind: "list", path: value.plan };
  const { kind, passEnv, env, containment, sandbox, writable } = value.agent;
  return {
    ...{ plan, agent: { kind, passEnv, env, containment, sandbox, writable }, guard: guardPolicy(value.guard) },
    limits: runLimits(value.limits, start.now),
    bookkeeping: bookkeeping(plan.path, value),
  };
}

/** Whatever stands in our own folder of the tree is about the work, also where `init` never told git to ignore it. */
const ownFolder = ".midwatch";

function bookkeeping(plan: string, { handoff, bookkeeping: own }: Config): readonly string[] {
  const paths = [projectFileName, plan, handoff, ownFolder, ...own];
  return [...new Set(paths.filter((path) => path !== "" && !path.startsWith(`${ownFolder}/`)))];
}

/** How long the store keeps what it need not keep. */
export function retention({ value: { retention: kept } }: Pick<ResolvedConfig, "value">) {
  return {
    eventsMs: durationMs(kept.events),
    logsMs: durationMs(kept.logs),
    answersMs: durationMs(kept.answers),
    batchesMs: durationMs(kept.batches),
  };
}

/** A batch pauses at its third trouble in a row: it must not take minutes to say so. */
const mostFirstWaitMs = 10_000;

/** What every batch's jobs are started with: no agent needs to be named for them. */
export function jobSettings({ value }: Pick<ResolvedConfig, "value">) {
  const { passEnv, env, containment } = value.agent;
  const waits = {
    firstMs: Math.min(durationMs(value.limits.outageWait), mostFirstWaitMs),
    longestMs: durationMs(value.limits.outageCeiling),
  };
  return { passEnv, env, containment, gateway: value.gateway, waits };
}

/** As the guards take it. */
function guardPolicy({ deny, allow }: Config["guard"]): GuardPolicy {
  return {
    deny: deny.map((rule): DenyRule => {
      if ("command" in rule) return { kind: "command", pattern: rule.command, reason: rule.reason };
      if ("tool" in rule) return { kind: "tool", pattern: rule.tool, reason: rule.reason };
      return { kind: "write", pattern: rule.write, reason: rule.reason };
    }),
    grants: allow.map(({ command, reason }) => ({ kind: "run", what: command, by: `settings: ${reason}` })),
  };
}

function agentSettings({ kind, command, program, model, mcpServers, ...common }: Config["agent"]): AgentSettings {
  if (kind === "claude-code") return { kind, program, model, mcpServers, ...common };
  if (command !== null) return { kind, command, ...common };
  throw new MidwatchError(
    "config",
    "E_AGENT_MISSING",
    "agent.command is not set: midwatch does not know which program should do the work",
    {
      hint: 'write it into midwatch.jsonc: "agent": { "command": ["codex", "exec", "-"] }, or "agent": { "kind": "claude-code" }',
    },
  );
}

function runLimits(limits: Config["limits"], now: number): RunLimits {
  return {
    windows: limits.windows,
    runMicroUsd: microUsd(limits.run),
    windowMicroUsd: microUsd(limits.window),
    unknownCostMicroUsd: microUsd(limits.unknownCost),
    unknownCostWindows: limits.unknownCostWindows,
    idleWindows: limits.idleWindows,
    windowsWithoutTask: limits.windowsWithoutTask,
    failedWindows: limits.failedWindows,
    attemptsPerTask: limits.attemptsPerTask,
    tasksPerWindow: limits.tasksPerWindow,
    windowMs: durationMs(limits.windowTime),
    idleMs: durationMs(limits.idleTime),
    toolMs: durationMs(limits.toolTime),
    lingerMs: durationMs(limits.lingerTime),
    graceMs: durationMs(limits.graceTime),
    criterionMs: durationMs(limits.criterionTime),
    callMicroUsd: microUsdOrNull(limits.call),
    taskMicroUsd: microUsdOrNull(limits.task),
    dayMicroUsd: microUsdOrNull(limits.day),
    monthMicroUsd: microUsdOrNull(limits.month),
    reserveMicroUsd: microUsd(limits.reserve),
    agents: limits.agents,
    agentsEach: limits.agentsEach,
    contextTellTokens: limits.contextTellTokens,
    contextTokens: limits.contextTokens,
    outageMs: durationMs(limits.outageWait),
    outageCeilingMs: durationMs(limits.outageCeiling),
    deadlineAt: limits.runTime === null ? null : now + durationMs(limits.runTime),
  };
}
