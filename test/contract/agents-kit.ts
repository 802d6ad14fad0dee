/** What the tests of agents share: a scratch folder with the script, one window, and everything that was seen of it. */
import { createHash } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createCommandAgent } from "../../src/adapters/agents/command/command-agent.ts";
import type { AgentEvent } from "../../src/core/agent-event.ts";
import { type ExitReason, exitReason } from "../../src/core/exit-reason.ts";
import { windowId } from "../../src/core/ids.ts";
import type { ProcessEnd } from "../../src/core/process-end.ts";
import { foldEvents, type Transcript } from "../../src/core/transcript.ts";
import type { AgentRun, WindowSpec } from "../../src/ports/agent.ts";
import type { Processes } from "../../src/ports/processes.ts";
import type { Step } from "./agents-script.ts";

export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

const replay = fileURLToPath(new URL("../fixtures/agents/replay.js", import.meta.url));

export interface Seen {
  readonly events: readonly AgentEvent[];
  readonly end: ProcessEnd;
  readonly transcript: Transcript;
  readonly reason: ExitReason;
  readonly folder: string;
}

export interface WindowChange {
  readonly limits?: Partial<WindowSpec["limits"]>;
  readonly prompt?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the run at each event. */
  readonly onEvent?: (event: AgentEvent, run: AgentRun) => void;
  readonly command?: readonly [string, ...string[]];
}

const limits: WindowSpec["limits"] = { wallMs: 60_000, idleMs: 30_000, graceMs: 1000, toolMs: 30_000, lingerMs: 30_000 };
let windows = 0;

/** Runs one window of the scripted agent to its end. */
export async function runScript(processes: Processes, script: readonly Step[], change: WindowChange = {}): Promise<Seen> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "midwatch-agents-")));
  try {
    const path = join(folder, "script.json");
    writeFileSync(path, JSON.stringify(script));
    const agent = createCommandAgent({ processes, name: "scripted", command: change.command ?? [process.execPath, replay, path] });
    windows += 1;
    const events: AgentEvent[] = [];
    const run: AgentRun = agent.start({
      window: windowId(`window-${process.pid}-${windows}`),
      cwd: folder,
      prompt: change.prompt ?? "",
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", ...change.env },
      limits: { ...limits, ...change.limits },
      log: { path: join(folder, "window.log"), maxBytes: 1_000_000 },
      guard: async () => ({ kind: "allow" }),
      toolsUrl: null,
      capMicroUsd: 1_000_000,
      onEvent(event) {
        events.push(event);
        change.onEvent?.(event, run);
      },
    });
    const end = await run.end;
    const transcript = foldEvents(events);
    return { events, end, transcript, reason: exitReason(transcript, end), folder };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Steps that speak the Claude-shaped stream. */
const say = (line: object): Step => ({ do: "print", text: JSON.stringify(line) });
export const begin = say({ type: "system", subtype: "init", session_id: "s", claude_code_version: "2.1.332" });
export const words = (text: string) => say({ type: "assistant", message: { id: `m-${text}`, content: [{ type: "text", text }] } });
export const call = (id: string) =>
  say({ type: "assistant", message: { id: `m-${id}`, content: [{ type: "tool_use", id, name: "Bash", input: { command: "npm test" } }] } });
export const answer = (id: string) => say({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: id }] } });
export const task = (change: "started" | "completed") =>
  change === "started"
    ? say({ type: "system", subtype: "task_started", task_id: "a", is_backgrounded: true })
    : say({ type: "system", subtype: "task_notification", task_id: "a", status: change });
export const result = say({ type: "result", subtype: "success", is_error: false, num_turns: 2, total_cost_usd: 0.01 });
export const beat = JSON.stringify({ type: "tool_progress", tool_use_id: "t-heartbeat-0", heartbeat: true });
export const wait = (ms: number): Step => ({ do: "wait", ms });
export const hang: Step = { do: "hang" };
