/**
 * Claude Code as an agent: the user's own program, spoken to over stream-json and the control protocol. Its input stays open until its last word,
 * since closing it earlier refuses the tool calls that are pending. A program that does not take our guard or our tools is ended at once.
 */
import { readFileSync } from "node:fs";
import type { Agent, AgentProbe, AgentRun, GuardAnswer, ToolCall, WindowSpec } from "../../../ports/agent.ts";
import type { ChildProcess, Processes } from "../../../ports/processes.ts";
import { findProgram } from "../find-program.ts";
import { parseStreamLine } from "../stream-json/parse.ts";
import { createWatch } from "../watch.ts";
import { type ApprovedServers, noServers } from "./approved-servers.ts";
import { askProgram } from "./ask-program.ts";
import { claudeArguments, claudeEnvironment } from "./command-line.ts";
import { adviceLine, answerLine, type ControlLine, initializeLine, parseControl, refusalLine, userLine } from "./control-protocol.ts";
import { type CostQuestion, createCostQuestion } from "./cost-question.ts";
import { examineClaude } from "./examination.ts";
import { createGuardWatch, type GuardWatch } from "./guard-watch.ts";

export interface ClaudeAgentOptions {
  readonly processes: Processes;
  /** Name on PATH, or a path. */
  readonly program: string;
  readonly model: string | null;
  /** The person's, which it gets besides ours; absent = none. Read once: what an agent writes later starts no server. */
  readonly servers?: ApprovedServers;
}

/** The oldest one that was seen to deny whatever the callback fails to say (ADR 5). Older ones ignored such settings without a word. */
const oldestVersion = "2.1.332";
const defaultGuardTimeoutMs = 60_000;
const memoryFiles = ["CLAUDE.md", "AGENTS.md"];
/** An argument may have 128 KiB. */
const maxMemoryBytes = 64 * 1024;

export function createClaudeAgent(options: ClaudeAgentOptions): Agent {
  return {
    name: "claude-code",
    capabilities: { showsTools: true, reportsCost: true, guard: "callback" },
    probe: (env) => probe(options, env),
    examine: ({ path }, env) => examineClaude({ processes: options.processes, path, env }, options.servers ?? noServers),
    start: (spec) => start(options, spec),
  };
}

async function probe(
  { processes, program, servers = noServers }: ClaudeAgentOptions,
  env: Readonly<Record<string, string>>,
): Promise<AgentProbe> {
  const search = findProgram(program, env["PATH"] ?? "", ".");
  if (search.kind === "missing") return search;
  const { lines, end } = await askProgram({ processes, path: search.path, argument: "--version", env });
  const version = lines.flatMap((line) => /^\d+\.\d+\.\d+/.exec(line)?.[0] ?? [])[0] ?? "";
  if (version === "")
    return { kind: "missing", detail: `${search.path} does not tell a version (${end.error ?? end.signal ?? `exit code ${end.code}`})` };
  if (isOlder(version, oldestVersion))
    return { kind: "missing", detail: `${search.path} is version ${version}; the guards need ${oldestVersion} or a later one` };
  return { ...search, version, remarks: servers.remarks };
}

function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, "en", { numeric: true }) < 0;
}

function start({ processes, program, model, servers = noServers }: ClaudeAgentOptions, spec: WindowSpec): AgentRun {
  const { wallMs, idleMs, graceMs } = spec.limits;
  const watch = createWatch(spec.limits);
  const guardWatch = createGuardWatch(spec.toolsUrl);
  const cost = createCostQuestion(spec.onSpend);
  const hasServers = Object.keys(servers.servers).length > 0;
  const child: ChildProcess = processes.start({
    command: [program, ...claudeArguments({ program, model, projectMemory: readMemory(spec.cwd), hasServers }, spec)],
    cwd: spec.cwd,
    env: { ...spec.env, ...claudeEnvironment(spec, hasServers) },
    input: "open",
    mark: spec.window,
    limits: { wallMs, idleMs, graceMs },
    containment: "agent",
    log: spec.log,
    onLine(line) {
      const control = mayBeControl(line) ? parseControl(line) : null;
      if (control !== null) return answerControl({ child, spec, guardWatch, cost }, control);
      const events = parseStreamLine(line);
      const means = watch.see(events, child);
      for (const event of events) {
        const objection = guardWatch.objection(event);
        if (objection !== null) child.stop(objection, "now");
        spec.onEvent(event);
        // The end of an answer, when its whole cost is known; a subagent's is not shown, so its calls are asked after too.
        if (event.kind === "usage" && event.final) cost.ask(child);
      }
      if (watch.isLeaving()) child.closeInput();
      return means;
    },
  });
  // Whatever it prints, or if it prints nothing: it is no plain program, whose end with 0 would be a success. Told when the caller has its run.
  queueMicrotask(() => spec.onEvent({ kind: "session", sessionId: spec.window }));
  // A trial is made in the same way, and starts no server of anybody's.
  const passed = !hasServers ? null : spec.isTrial ? {} : servers.servers;
  child.write(initializeLine((spec.guardTimeoutMs ?? defaultGuardTimeoutMs) / 1000, passed) + userLine(spec.prompt));
  return { identity: child.identity, end: child.end, stop: (cause, how) => child.stop(cause, how) };
}

const controlMark = Buffer.from('"control_re');

/** Lines of the protocol are short; a megabyte of a tool's result is not parsed a second time. */
function mayBeControl(line: Uint8Array): boolean {
  return [line.subarray(0, 200), line.subarray(-200)].some((part) =>
    Buffer.from(part.buffer, part.byteOffset, part.byteLength).includes(controlMark),
  );
}

interface Talk {
  readonly child: ChildProcess;
  readonly spec: WindowSpec;
  readonly guardWatch: GuardWatch;
  readonly cost: CostQuestion;
}

function answerControl({ child, spec, guardWatch, cost }: Talk, control: ControlLine): "work" | "heartbeat" {
  switch (control.kind) {
    case "initialized":
      if (control.ok) guardWatch.initialized();
      else child.stop("no-guard", "now");
      return "work";
    case "guard":
      guardWatch.asked(control.call.toolId);
      if (control.call.subagent) cost.ask(child);
      void judge(spec.guard, control.call).then((answer) => child.write(answerLine(control.requestId, answer)));
      return "work";
    case "advice":
      // A subagent would keep it to itself.
      child.write(adviceLine(control.requestId, control.event, control.subagent ? null : adviceOf(spec)));
      return "work";
    case "usage":
      cost.answered(control.costMicroUsd);
      return "heartbeat"; // we asked: that the program answers is no sign of work
    case "other":
      child.write(refusalLine(control.requestId));
      return "work";
  }
}

/** An error of ours denies. */
async function judge(guard: WindowSpec["guard"], call: ToolCall): Promise<GuardAnswer> {
  try {
    return await guard(call);
  } catch {
    return { kind: "deny", reason: "the guard could not judge this call, so it is blocked" };
  }
}

/** An error of ours tells nothing. */
function adviceOf({ advise }: WindowSpec): string | null {
  try {
    return advise?.() ?? null;
  } catch {
    return null;
  }
}

/** The project's words for agents, which the program does not read without the project's settings. Absent or unreadable: none. */
function readMemory(folder: string): string {
  for (const name of memoryFiles) {
    try {
      const text = readFileSync(`${folder}/${name}`);
      if (text.byteLength <= maxMemoryBytes) return text.toString("utf8");
    } catch {
      // not there: the next one
    }
  }
  return "";
}
