/** The built program as a child process: its output, its events, its end. Every wait has a deadline and says what it waited for. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { Report } from "../../src/core/report.ts";
import type { StoredEvent } from "../../src/ports/store.ts";

export const launcher = join(import.meta.dirname, "../../bin/midwatch.js");

/** A busy machine keeps it; a program that hangs does not. */
export const deadlineMs = 20_000;

export interface Finished {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** With `--json`. */
  readonly events: readonly StoredEvent[];
  readonly report: Report | null;
  readonly durationMs: number;
}

export interface Running {
  readonly pid: number;
  readonly ended: Promise<Finished>;
  /** The first event of that kind that fits, also one that has passed. */
  event(kind: string, fits?: (event: StoredEvent) => boolean): Promise<StoredEvent>;
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
  readonly stderr: string;
}

export interface StartOptions {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly uid?: number;
  readonly gid?: number;
}

export function start(args: readonly string[], options: StartOptions): Running {
  return watchProgram(
    spawn(process.execPath, [launcher, ...args], { ...options, stdio: ["ignore", "pipe", "pipe"] }),
    args.includes("--json"),
  );
}

/** @param asJson  its standard output is one JSON value a line */
export function watchProgram(child: ChildProcess, asJson: boolean): Running {
  const startedAt = performance.now();
  const output = { stdout: "", stderr: "" };
  const seen: StoredEvent[] = [];
  const listeners = new Set<() => void>();
  let report: Report | null = null;
  let read = 0;
  const takeLines = () => {
    for (let end = output.stdout.indexOf("\n", read); asJson && end >= 0; end = output.stdout.indexOf("\n", read)) {
      const value = readLine(output.stdout.slice(read, end));
      if (value?.kind === "result") report = (value as unknown as { report: Report }).report;
      else if (value !== null) seen.push(value);
      read = end + 1;
    }
    for (const listener of listeners) listener();
  };
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    output.stdout += chunk;
    takeLines();
  });
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    output.stderr += chunk;
  });
  const ended = new Promise<Finished>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) =>
      resolve({ code, signal, ...output, events: seen, report, durationMs: performance.now() - startedAt }),
    );
  });
  ended.catch(() => undefined); // whoever waits for it is told
  return {
    pid: child.pid ?? 0,
    ended,
    event: (kind, fits = () => true) => waitForEvent({ kind, fits, seen, listeners, ended }),
    signal: (name) => void child.kill(name),
    async kill() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await ended.catch(() => undefined); // it was never started
    },
    get stderr() {
      return output.stderr;
    },
  };
}

function readLine(line: string): StoredEvent | null {
  try {
    return JSON.parse(line);
  } catch {
    return null; // one large value over several lines
  }
}

interface Wish {
  readonly kind: string;
  readonly fits: (event: StoredEvent) => boolean;
  readonly seen: readonly StoredEvent[];
  readonly listeners: Set<() => void>;
  readonly ended: Promise<Finished>;
}

async function waitForEvent({ kind, fits, seen, listeners, ended }: Wish): Promise<StoredEvent> {
  const found = () => seen.find((event) => event.kind === kind && fits(event));
  let look = () => {};
  const came = new Promise<void>((resolve) => {
    look = () => (found() === undefined ? undefined : resolve());
  });
  listeners.add(look);
  look();
  await withDeadline(Promise.race([came, ended]), () => `the event ${kind}; there were ${seen.map((event) => event.kind).join(", ")}`);
  listeners.delete(look);
  const event = found();
  if (event === undefined) throw new Error(`the program ended without the event ${kind}: ${describeEnd(await ended)}`);
  return event;
}

function describeEnd({ code, signal, stderr, events }: Finished): string {
  return `exit code ${code ?? signal}; ${events.map((event) => event.kind).join(", ")}\n${stderr}`;
}

/** Waits for the end of a program. */
export function finish(program: Running): Promise<Finished> {
  return withDeadline(program.ended, () => `the end of the program; it said:\n${program.stderr}`);
}

export async function withDeadline<T>(promise: Promise<T>, what: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${deadlineMs} ms for ${what()}`)), deadlineMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Polls until `look` gives something else than null, undefined or false. */
export async function eventually<T>(look: () => T | null | undefined | false, what: string): Promise<T> {
  for (const until = performance.now() + deadlineMs; performance.now() < until; ) {
    const value = look();
    if (value !== null && value !== undefined && value !== false) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`waited ${deadlineMs} ms for ${what}`);
}
