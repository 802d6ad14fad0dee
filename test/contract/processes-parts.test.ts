/** The parts of the processes adapter that can be tried without a process. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Deadline } from "../../src/adapters/processes/deadline.ts";
import { Escalation } from "../../src/adapters/processes/escalation.ts";
import type { Hold } from "../../src/adapters/processes/hold.ts";
import { LineSplitter } from "../../src/adapters/processes/line-splitter.ts";
import { hasVariable, isStill, readRow } from "../../src/adapters/processes/proc-table.ts";
import { TextTail } from "../../src/adapters/processes/text-tail.ts";
import { eventually } from "./processes-kit.ts";

describe("lines", () => {
  const maxBytes = 12;
  const split = (chunks: readonly Buffer[]) => {
    const lines: [string, boolean][] = [];
    const splitter = new LineSplitter((line, cut) => {
      lines.push([Buffer.from(line).toString("latin1"), cut]);
      return "heartbeat";
    }, maxBytes);
    for (const chunk of chunks) splitter.push(chunk);
    splitter.finish();
    return { lines, linesCut: splitter.linesCut };
  };

  /** The same by the obvious way, on the whole text at once. */
  const expected = (text: string) => {
    const pieces = text.split("\n");
    if (pieces.at(-1) === "") pieces.pop();
    const whole = pieces.map((piece) => (piece.endsWith("\r") ? piece.slice(0, -1) : piece));
    // A line that is too long is cut where it is; whether a CR would have ended it is not known yet.
    const lines = whole.map((line, n): [string, boolean] => [
      line.length > maxBytes ? pieces[n]!.slice(0, maxBytes) : line,
      line.length > maxBytes,
    ]);
    return { lines, linesCut: lines.filter(([, cut]) => cut).length };
  };

  test("1,000 streams of odd bytes give the same lines however they are cut into reads (F14)", () => {
    const byte = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(0x0a, 0x0d, 0x61, 0x00) }, fc.integer({ min: 0, max: 255 }));
    const stream = fc.array(fc.array(byte, { maxLength: 20 }), { maxLength: 12 });
    fc.assert(
      fc.property(stream, (chunks) => {
        const buffers = chunks.map((bytes) => Buffer.from(bytes));
        expect(split(buffers)).toEqual(expected(Buffer.concat(buffers).toString("latin1")));
      }),
      { numRuns: 1_000 },
    );
  });

  test("bytes that were given away are never written to again", () => {
    const kept: Uint8Array[] = [];
    const splitter = new LineSplitter((line) => {
      kept.push(line);
      return "work";
    });
    for (const text of ["fir", "st\nsec", "ond\nthi", "rd\n"]) splitter.push(Buffer.from(text));
    expect(kept.map((line) => Buffer.from(line).toString())).toEqual(["first", "second", "third"]);
  });

  test("one line of work among heartbeats is work", () => {
    const splitter = new LineSplitter((line) => (line[0] === 0x77 ? "work" : "heartbeat"));
    expect(splitter.push(Buffer.from("h\nw\nh\n"))).toBe(true);
    expect(splitter.push(Buffer.from("h\nw"))).toBe(false);
  });
});

test.each<[string, string[], string]>([
  ["what fits is kept", ["ab", "cd"], "abcd"],
  ["of more the end is kept", ["abcdef", "ghijkl"], "efghijkl"],
  ["a chunk that is longer than the tail", ["abcdefghijkl"], "efghijkl"],
  ["half a character at the cut is left out", ["ééééé"], "éééé"],
  ["a four-byte character at the cut is left out", ["a😀bcdefg"], "bcdefg"],
])("the tail of a text: %s", (_name, chunks, expected) => {
  const tail = new TextTail(8);
  for (const chunk of chunks) tail.push(Buffer.from(chunk));
  expect(tail.read()).toBe(expected);
});

describe("a deadline", () => {
  test("time in which this process did not run is not held against the child (B154)", async () => {
    const passed: number[] = [];
    const startedAt = performance.now();
    const deadline = new Deadline(() => passed.push(performance.now() - startedAt), { sliceMs: 20, toleranceMs: 20 });
    deadline.set(150);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400); // the whole process stands still
    await eventually(() => passed.length > 0, "the deadline passes");
    expect(passed[0]).toBeGreaterThanOrEqual(400 + 150 - 40 - 1);
  });

  test("a restart within the limit keeps it from passing, and it passes once", async () => {
    let passed = 0;
    const deadline = new Deadline(() => {
      passed += 1;
    });
    deadline.set(60);
    const startedAt = performance.now();
    const restarts = setInterval(() => deadline.restart(), 5);
    await eventually(() => performance.now() - startedAt > 150, "150 ms go by");
    expect(passed).toBe(0);
    clearInterval(restarts);
    await eventually(() => passed === 1, "it passes");
    deadline.close();
    deadline.set(0);
    await eventually(() => performance.now() - startedAt > 300, "300 ms go by");
    expect(passed).toBe(1);
  });
});

describe("the escalation", () => {
  const recordHold = (deafFor = 0) => {
    const calls: string[] = [];
    const signal = (name: string) => calls.push(name) > deafFor;
    return { calls, hold: { signal, kill: () => calls.push("SIGKILL") } as Partial<Hold> as Hold };
  };

  test("the steps come in order, a grace apart, and end with the child", async () => {
    const { calls, hold } = recordHold();
    const escalation = new Escalation(hold, 20, () => {});
    escalation.begin("wall-clock", "gracefully");
    expect(calls).toEqual(["SIGINT"]);
    await eventually(() => calls.length === 3, "all steps are taken");
    escalation.finish();
    escalation.begin("stopped", "now");
    expect([escalation.cause, ...calls]).toEqual(["wall-clock", "SIGINT", "SIGTERM", "SIGKILL"]);
  });

  test("a signal that nobody could hear yet is sent again", async () => {
    const { calls, hold } = recordHold(2);
    const escalation = new Escalation(hold, 10_000, () => {});
    escalation.begin("stopped", "gracefully");
    await eventually(() => calls.length === 3, "somebody heard it");
    escalation.finish();
    expect(calls).toEqual(["SIGINT", "SIGINT", "SIGINT"]);
  });
});

test("a program's name with blanks and parentheses does not shift the fields of the table", () => {
  const name = process.title;
  process.title = "a) R 1 (b c";
  const row = readRow(process.pid);
  process.title = name;
  expect(row).toMatchObject({ pid: process.pid, parent: process.ppid });
  expect(isStill(process.pid, row!.startTicks)).toBe(true);
  expect(isStill(process.pid, row!.startTicks + 1)).toBe(false);
});

test("a variable is found as a whole, or not at all", () => {
  const [name, value] = Object.entries(process.env).find(([key, text]) => key === "PATH" && text !== "") ?? ["", ""];
  expect(hasVariable(process.pid, [`${name}=${value}`])).toBe(true);
  expect(hasVariable(process.pid, [`${name}=${value?.slice(0, -1)}`])).toBe(false);
  expect(hasVariable(process.pid, [`${name.slice(1)}=${value}`])).toBe(false);
});
