/**
 * How Claude Code is started for a window: a fresh session under our own id, stream-json both ways, nothing allowed in advance and nobody to ask, so
 * that only our callback grants. Settings files of the user and of the repository are left out: a rule in one of them would grant without us.
 */
import type { WindowSpec } from "../../../ports/agent.ts";

export interface ClaudeOptions {
  /** Name on PATH or a path. */
  readonly program: string;
  /** Null = the program's own choice. */
  readonly model: string | null;
  /** Text of the project's CLAUDE.md or AGENTS.md, which go unread without the project's settings. */
  readonly projectMemory: string;
  /** The person's MCP servers come with our first line, which keeps their secrets off the command line: the program has to wait for it. */
  readonly hasServers?: boolean;
}

/**
 * Tools that run without asking anybody, and that have no place in an unattended window: they outlive it, leave the working tree, or speak to others.
 */
const switchedOff = [
  "CronCreate",
  "CronDelete",
  "CronList",
  "ScheduleWakeup",
  "EnterWorktree",
  "ExitWorktree",
  "SendMessage",
  "ListAgents",
  "Monitor",
  "Workflow",
];

export const toolServer = "midwatch";
const toolsVariable = "MIDWATCH_TOOLS_URL";

export function claudeArguments(
  { model, projectMemory, hasServers = false }: ClaudeOptions,
  spec: Pick<WindowSpec, "window" | "toolsUrl" | "capMicroUsd" | "isTrial">,
): readonly string[] {
  return [
    "-p",
    ...["--input-format", "stream-json", "--output-format", "stream-json", "--verbose", "--include-partial-messages"],
    ...["--session-id", spec.window],
    ...["--permission-mode", "dontAsk", "--permission-prompts", "none", "--setting-sources", ""],
    // A hook of anybody's could rewrite a call after ours has judged it. Our callback is none of these hooks and stays.
    ...["--settings", JSON.stringify({ disableAllHooks: true })],
    ...["--disallowedTools", switchedOff.join(",")],
    ...(spec.capMicroUsd === null ? [] : ["--max-budget-usd", (spec.capMicroUsd / 1_000_000).toFixed(6)]),
    ...["--strict-mcp-config", "--mcp-config", JSON.stringify(mcpConfig(spec.toolsUrl))],
    ...(hasServers ? ["--await-initialize"] : []),
    ...(spec.isTrial ? ["--no-session-persistence"] : []),
    ...(model === null ? [] : ["--model", model]),
    ...(projectMemory === "" ? [] : ["--append-system-prompt", projectMemory]),
  ];
}

function mcpConfig(toolsUrl: string | null): object {
  // The address holds the window's secret, and everybody on the machine can read a command line: the program takes it from its environment.
  return { mcpServers: toolsUrl === null ? {} : { [toolServer]: { type: "http", url: `$\{${toolsVariable}}`, alwaysLoad: true } } };
}

/** Switches for this child alone. */
export function claudeEnvironment(
  { limits, env, toolsUrl }: Pick<WindowSpec, "limits" | "env" | "toolsUrl">,
  hasServers = false,
): Readonly<Record<string, string>> {
  return {
    // A failed start writes a result line instead of words on standard error only.
    CLAUDE_CODE_STARTUP_FAILURE_RESULTS: "1",
    // `-p` kills background work after 600 s and calls that success; subagents then run in the foreground.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    BASH_DEFAULT_TIMEOUT_MS: String(limits.toolMs),
    BASH_MAX_TIMEOUT_MS: String(limits.toolMs),
    // Our few tools stand in the first request, without a search for them; the person's may be many, and are searched for as in any session of theirs.
    ...(hasServers ? {} : { ENABLE_TOOL_SEARCH: "false" }),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    ...(toolsUrl === null ? {} : { [toolsVariable]: toolsUrl }),
    ...loopbackIsNear(env),
  };
}

/** Our door is on this machine: a proxy cannot reach it. */
function loopbackIsNear(env: WindowSpec["env"]): Readonly<Record<string, string>> {
  const far = env["NO_PROXY"] ?? env["no_proxy"] ?? "";
  const near = ["127.0.0.1", "localhost", far].filter(Boolean).join(",");
  return { NO_PROXY: near, no_proxy: near };
}
