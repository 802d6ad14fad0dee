/** Recorded streams of real agents, and the end of a process that tests give them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseStreamLine } from "../../src/adapters/agents/stream-json/parse.ts";
import type { AgentEvent } from "../../src/core/agent-event.ts";
import type { ProcessEnd } from "../../src/core/process-end.ts";

const folder = join(import.meta.dirname, "../fixtures/traces");

export function recordingsOf(agent: string): readonly string[] {
  return readdirSync(join(folder, agent)).filter((name) => name.endsWith(".jsonl"));
}

export function readRecording(agent: string, name: string): Buffer {
  return readFileSync(join(folder, agent, name));
}

/** The plainest splitter there is: whole text in, lines out. */
export function splitLines(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let at = bytes.indexOf(10, start); at >= 0; at = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, at));
    start = at + 1;
  }
  if (start < bytes.length) lines.push(bytes.subarray(start));
  return lines;
}

export function parseAll(bytes: Buffer): readonly AgentEvent[] {
  return splitLines(bytes).flatMap((line) => [...parseStreamLine(line)]);
}

export function parseJson(value: unknown): readonly AgentEvent[] {
  return parseStreamLine(Buffer.from(JSON.stringify(value)));
}

export function exited(code: number, change: Partial<ProcessEnd> = {}): ProcessEnd {
  return {
    kind: "exited",
    code,
    signal: null,
    durationMs: 1000,
    descendantsEnded: 0,
    uncontained: [],
    stdoutBytes: 1,
    linesCut: 0,
    stderrTail: "",
    ...change,
  };
}

export function signalled(signal: string): ProcessEnd {
  return exited(0, { kind: "signalled", code: null, signal });
}

export function endedByUs(cause: NonNullable<ProcessEnd["cause"]>, code: number | null = null): ProcessEnd {
  return exited(0, { kind: "ended-by-us", cause, code, signal: code === null ? "SIGTERM" : null });
}
