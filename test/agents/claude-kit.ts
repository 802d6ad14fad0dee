/**
 * Windows of the real Claude Code against the scripted provider: a scratch home and working tree each, a dummy key, nothing of the machine's own set-up,
 * and no other address than loopback. Whatever happens the process group ends with the window.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "vitest";
import { parseStreamLine } from "../../src/adapters/agents/stream-json/parse.ts";
import { type ExitReason, exitReason } from "../../src/core/exit-reason.ts";
import type { ProcessEnd } from "../../src/core/process-end.ts";
import { foldEvents, type Transcript } from "../../src/core/transcript.ts";
import type { ProviderCall, ProviderScript, ScriptStep } from "../../src/ports/provider.ts";
import { startProvider } from "../../src/provider/server.ts";

const root = join(import.meta.dirname, "../..");
const look = spawnSync(process.execPath, [join(root, "scripts/install-agents.mjs"), "--check"], { encoding: "utf8" });

/** Where the program is; null = it is not here, and the lane is skipped. In CI it must be here. */
export const claude: string | null = look.status === 0 ? look.stdout.trim() : null;
if (claude === null) {
  const words = `${look.stderr.trim()}; bring it with: node scripts/install-agents.mjs`;
  if (process.env["CI"] === "true") throw new Error(words);
  process.stderr.write(`skipped: ${words}\n`);
}

export type Line = Readonly<Record<string, unknown>>;

export interface WindowScript {
  readonly provider: ProviderScript | readonly ScriptStep[];
  readonly prompt?: string;
  readonly args?: readonly string[];
  /** undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Below the working tree: path -> text. */
  readonly files?: Readonly<Record<string, string>>;
  /** Speaks to the program over its standard input; absent = the input is closed from the start. */
  readonly talk?: (session: Session) => void;
  /** Looks at the working tree and the home before both are removed. */
  readonly after?: (folders: Folders) => void;
}

export interface Folders {
  readonly tree: string;
  readonly home: string;
}

export interface Session extends Folders {
  send(line: object): void;
  /** No more input: the program ends after its turn. */
  end(): void;
  onLine(listener: (line: Line) => void): void;
  readonly child: ChildProcess;
}

export interface Seen {
  readonly lines: readonly Line[];
  readonly transcript: Transcript;
  readonly end: ProcessEnd;
  readonly reason: ExitReason;
  readonly calls: readonly ProviderCall[];
  /** Processes of the window that outlived the program. They are ended before its folders are removed. */
  readonly leftBehind: number;
}

const deadlineMs = 50_000;

/** Plays one window to its end. */
export async function playWindow(script: WindowScript): Promise<Seen> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "midwatch-claude-")));
  const provider = await startProvider({ script: toScript(script.provider) });
  const folders = { tree: join(scratch, "tree"), home: join(scratch, "home") };
  try {
    for (const folder of [folders.tree, folders.home, join(scratch, "tmp")]) mkdirSync(folder);
    for (const [path, text] of Object.entries(script.files ?? {})) writeInto(folders.tree, path, text);
    const seen = await run(script, folders, environment(scratch, provider.url, script.env ?? {}));
    const leftBehind = endAll(scratch);
    script.after?.(folders);
    return { ...seen, calls: [...provider.calls], leftBehind };
  } finally {
    await provider.close();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

function toScript(script: WindowScript["provider"]): ProviderScript {
  return "conversations" in script ? script : { conversations: [{ steps: script }] };
}

function writeInto(tree: string, path: string, text: string): void {
  mkdirSync(join(tree, path, ".."), { recursive: true });
  writeFileSync(join(tree, path), text);
}

function environment(scratch: string, url: string, change: NonNullable<WindowScript["env"]>): NodeJS.ProcessEnv {
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    LANG: "C.UTF-8",
    HOME: join(scratch, "home"),
    CLAUDE_CONFIG_DIR: join(scratch, "home/.claude"),
    TMPDIR: join(scratch, "tmp"),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-dummy",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_STARTUP_FAILURE_RESULTS: "1",
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
    CLAUDE_CODE_MAX_RETRIES: "1",
    ENABLE_TOOL_SEARCH: "false",
    ...change,
  };
}

async function run(script: WindowScript, folders: Folders, env: NodeJS.ProcessEnv): Promise<Omit<Seen, "calls" | "leftBehind">> {
  const { talk, prompt = "do it" } = script;
  const input = talk === undefined ? ["-p", prompt] : ["-p", "--input-format", "stream-json"];
  const args = [...input, "--output-format", "stream-json", "--verbose", ...(script.args ?? [])];
  const startedAt = performance.now();
  const child = spawn(claude ?? "", args, {
    cwd: folders.tree,
    env,
    detached: true,
    stdio: [talk === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  const killer = setTimeout(() => killGroup(child), deadlineMs);
  const listeners: ((line: Line) => void)[] = [];
  const raw: string[] = [];
  let stderrTail = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    stderrTail = (stderrTail + chunk.toString("utf8")).slice(-8192);
  });
  createInterface({ input: child.stdout as NodeJS.ReadableStream, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (text) => {
    raw.push(text);
    const line = asLine(text);
    if (line !== null) for (const listener of listeners) listener(line);
  });
  child.stdin?.on("error", () => undefined); // it may leave first
  talk?.({
    ...folders,
    child,
    send: (line) => child.stdin?.write(`${JSON.stringify(line)}\n`),
    end: () => child.stdin?.end(),
    onLine: (listener) => listeners.push(listener),
  });
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  clearTimeout(killer);
  killGroup(child);
  const end: ProcessEnd = {
    kind: signal === null ? "exited" : "signalled",
    code,
    signal,
    durationMs: Math.round(performance.now() - startedAt),
    descendantsEnded: 0,
    uncontained: [],
    stdoutBytes: raw.reduce((sum, text) => sum + text.length, 0),
    linesCut: 0,
    stderrTail,
  };
  const transcript = foldEvents(raw.flatMap((text) => [...parseStreamLine(Buffer.from(text))]));
  const lines = raw.map(asLine).filter((line) => line !== null);
  return { lines, transcript, end, reason: exitReason(transcript, end) };
}

function asLine(text: string): Line | null {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return null; // our parser has its own view of it
  }
}

/** Commands of the program have a session of their own: what shows whose they are is the folder in their environment. */
function endAll(scratch: string): number {
  if (!existsSync("/proc/self/environ")) return 0;
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(`HOME=${scratch}/`));
  for (const pid of pids) killIfThere(Number(pid));
  return pids.length;
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return ""; // gone, or not ours to read
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) killIfThere(-pid);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // gone already
  }
}

/** One call of a tool, and the words after it. */
export function callsOnce(name: string, input: Readonly<Record<string, unknown>>): readonly ScriptStep[] {
  return [{ tools: [{ name, input }] }, { text: "All done." }];
}

/** A window of stream input whose turn begins with these words. */
export function userSays(session: Session, text: string): void {
  session.send({ type: "user", message: { role: "user", content: text } });
}

/** Name, script, how often the provider is asked, exit code, reason. */
export type EndRow = readonly [title: string, script: WindowScript, requests: number, exitCode: number, reason: ExitReason];

/** Plays a window and compares how it ended. No line of it may be a shape that we do not know. */
export async function expectEnd(script: WindowScript, requests: number, exitCode: number | null, reason: ExitReason): Promise<Seen> {
  const window = await playWindow(script);
  const asked = window.calls.filter(({ step }) => step !== null).length;
  expect([asked, window.end.code, window.reason]).toEqual([requests, exitCode, reason]);
  expect([...window.transcript.unknown.keys()]).toEqual([]);
  return window;
}
