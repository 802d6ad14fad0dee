/** What the tests of child processes share: a scratch folder, short starts, and a look at the machine's own table of processes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { ChildProcess, Processes, ProcessSpec } from "../../src/ports/processes.ts";

export const programs = fileURLToPath(new URL("../fixtures/programs/", import.meta.url));
export const nodePath = process.execPath;

/** The child needs to find `sh`, and nothing of ours. */
export const childEnv = { PATH: "/usr/local/bin:/usr/bin:/bin" };

export function makeFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "midwatch-processes-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

let marks = 0;

export function newMark(): string {
  marks += 1;
  return `test-${process.pid}-${marks}`;
}

/** A time to sleep that no other process on this machine sleeps, so that its sleeper can be found by it. */
export function newSleep(): string {
  marks += 1;
  return `300.${process.pid}${String(marks).padStart(4, "0")}`;
}

export interface Started {
  readonly child: ChildProcess;
  readonly lines: string[];
  readonly cuts: boolean[];
  /** Resolves with the first line; rejects when there was none. */
  readonly firstLine: Promise<string>;
}

export type Changes = Partial<Omit<ProcessSpec, "limits">> & { readonly limits?: Partial<ProcessSpec["limits"]> };

export function startChild(processes: Processes, command: readonly [string, ...string[]], changes: Changes = {}): Started {
  const lines: string[] = [];
  const cuts: boolean[] = [];
  const first = Promise.withResolvers<string>();
  const child = processes.start({
    command,
    cwd: tmpdir(),
    env: childEnv,
    input: null,
    mark: newMark(),
    containment: "agent",
    onLine: (line, cut) => {
      lines.push(Buffer.from(line).toString("utf8"));
      cuts.push(cut);
      first.resolve(lines[0] ?? "");
      return "work";
    },
    ...changes,
    limits: { wallMs: 20_000, idleMs: null, graceMs: 150, ...changes.limits },
  });
  void child.end.then((end) => first.reject(new Error(`ended before its first line: ${JSON.stringify(end)}`)));
  first.promise.catch(() => {}); // whoever waits for a line is told; others need none
  return { child, lines, cuts, firstLine: first.promise };
}

/** Living processes that sleep for exactly this time, or are about to. */
export function findSleepers(asleep: string): number[] {
  const text = `sleep\0${asleep}`;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && readCommandLine(pid).includes(text));
}

function readCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return ""; // it has just gone
  }
}

/** Polls until the condition holds; fails loudly when it does not within `ms`. */
export async function eventually(isSo: () => boolean, what: string, ms = 5_000): Promise<void> {
  for (const until = performance.now() + ms; !isSo(); ) {
    if (performance.now() > until) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
