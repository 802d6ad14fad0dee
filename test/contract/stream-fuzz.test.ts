/** Streams with odd bytes (F14). MIDWATCH_FUZZ_STREAMS sets another number of them, MIDWATCH_FUZZ_SEED another start. */
import { expect, test } from "vitest";
import { parseStreamLine } from "../../src/adapters/agents/stream-json/parse.ts";
import { LineSplitter } from "../../src/adapters/processes/line-splitter.ts";
import type { AgentEvent } from "../../src/core/agent-event.ts";
import { exitClass, exitReason } from "../../src/core/exit-reason.ts";
import { foldEvents } from "../../src/core/transcript.ts";
import { inChunks, spoil } from "./stream-mutations.ts";
import { endedByUs, exited, parseAll, readRecording, recordingsOf, signalled, splitLines } from "./stream-recordings.ts";

const streams = Number(process.env["MIDWATCH_FUZZ_STREAMS"] ?? 1000);
const firstSeed = Number(process.env["MIDWATCH_FUZZ_SEED"] ?? 1);
const recordings = ["claude", "codex", "gemini", "opencode", "pi"].flatMap((agent) =>
  recordingsOf(agent).map((name) => readRecording(agent, name)),
);
const ends = [
  exited(0),
  exited(1, { stderrTail: "x" }),
  signalled("SIGKILL"),
  endedByUs("idle-clock"),
  endedByUs("lingered"),
  endedByUs("wall-clock", 0),
];

/** Lines out of pieces, as a reader of a pipe would make them. */
function* linesOf(chunks: Iterable<Buffer>): Iterable<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for (const chunk of chunks) {
    const lines = splitLines(Buffer.concat([rest, chunk, Buffer.from("\n")]));
    rest = lines.at(-1) ?? Buffer.alloc(0);
    yield* lines.slice(0, -1);
  }
  if (rest.length > 0) yield rest;
}

function readAsWeDo(chunks: readonly Buffer[]): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  const splitter = new LineSplitter((line) => {
    events.push(...parseStreamLine(line));
    return "work";
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.finish();
  return events;
}

/** Everything in the events that breaks a promise: a control character, half a surrogate pair, a number that is no count, a monstrous text. */
function brokenPromises(value: unknown): readonly unknown[] {
  if (typeof value === "string")
    return /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u.test(value) || !value.isWellFormed() || value.length > 65_536 ? [value] : [];
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0) ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(brokenPromises) : [];
}

test(`${streams} spoiled streams are read without a crash, quickly, and the same in whatever pieces they come`, () => {
  const problems: unknown[] = [];
  for (let seed = firstSeed; seed < firstSeed + streams; seed += 1) {
    const stream = spoil(recordings, seed);
    const start = performance.now();
    const events = parseAll(stream);
    const seen = foldEvents(events);
    for (const end of ends) exitClass(exitReason(seen, end));
    const tookMs = performance.now() - start;
    if (tookMs > 1000) problems.push({ seed, tookMs });
    for (const broken of events.flatMap(brokenPromises)) problems.push({ seed, broken });
    const chunks = inChunks(stream, seed);
    const told = JSON.stringify(events);
    if (JSON.stringify([...linesOf(chunks)].flatMap((line) => [...parseStreamLine(line)])) !== told) problems.push({ seed, differs: true });
    if (JSON.stringify(readAsWeDo(chunks)) !== told) problems.push({ seed, differsAsWeRead: true });
  }
  expect(problems).toEqual([]);
}, 600_000);

test("bytes without any sense are read too", () => {
  const noise = Buffer.alloc(
    1_000_000,
    Uint8Array.from({ length: 4096 }, (_, n) => (n * 2_654_435_761) >>> 13),
  );
  expect(parseAll(noise).flatMap(brokenPromises)).toEqual([]);
});
