/** However an answer is cut into pieces, the same is read of it; whatever it is made of, something is. */
import { describe, expect, test } from "vitest";
import { dice } from "./stream-mutations.ts";
import { formats, read, stream, told } from "./wire-format-kit.ts";
import { bill, billed, chunk, completion, delta, message, start, stop, sum, summed, words } from "./wire-format-samples.ts";

const { anthropic, openai } = formats;
const text = 'a "quoted" \\ déjà vu 🌙 {"usage":1}';
const plain = stream(start(), words(text), delta(sum), stop);
const done = stream(chunk({ usage: null }, text), chunk({ choices: [], usage: bill }), "[DONE]");
const inReverse = plain.replace(/(event: .*)\n(data: .*)\n/g, "$2\n$1\n");
const twoLines = plain.replaceAll(',"', ',\ndata: "');

type Row = readonly [string, (typeof formats)["anthropic"], string | Buffer, object];
const rows: readonly Row[] = [
  ["events", anthropic, plain, { ...told.anthropic, usage: summed }],
  ["events with CRLF", anthropic, plain.replaceAll("\n", "\r\n"), { ...told.anthropic, usage: summed }],
  ["events with ends of both kinds", anthropic, plain.replaceAll("\ndata", "\rdata"), { ...told.anthropic, usage: summed }],
  ["events with CR", anthropic, plain.replaceAll("\n", "\r"), { ...told.anthropic, usage: summed }],
  [
    "events with comments and a byte order mark",
    anthropic,
    `\ufeff: hello\n\n:\nretry: 3\n${plain.replaceAll("\n\n", "\nid: 7\n: ping\n\n\n")}`,
    { ...told.anthropic, usage: summed },
  ],
  ["events whose name comes last", anthropic, inReverse, { ...told.anthropic, usage: summed }],
  ["events without names", anthropic, plain.replaceAll(/event: .*\n/g, ""), { ...told.anthropic, usage: summed }],
  ["events with data in many lines", anthropic, twoLines, { ...told.anthropic, usage: summed }],
  ["events without the space", anthropic, plain.replaceAll("data: ", "data:"), { ...told.anthropic, usage: summed }],
  ["events that are cut", anthropic, plain.slice(0, -40), { ...told.anthropic, isComplete: false, whole: false, usage: summed }],
  ["one message", anthropic, JSON.stringify(message(sum, text)), { ...told.anthropic, usage: summed }],
  [
    "one message in Latin-1",
    anthropic,
    Buffer.from(JSON.stringify(message(sum, "d\u00e9j\u00e0 vu")), "latin1"),
    { ...told.anthropic, usage: summed },
  ],
  ["chunks", openai, done, { ...told.openai, usage: billed }],
  ["chunks with CRLF", openai, done.replaceAll("\n", "\r\n"), { ...told.openai, usage: billed }],
  ["chunks without the last line end", openai, done.trimEnd(), { ...told.openai, isComplete: false, usage: billed }],
  ["one completion", openai, JSON.stringify(completion(bill, text), null, 1), { ...told.openai, usage: billed }],
];

test.each(rows)("%s: the same is read whole, byte by byte, and cut in two at every byte", (_title, format, body, expected) => {
  const bytes = Buffer.from(body as string);
  const bare = [...bytes].map((_, at) => bytes.subarray(at, at + 1));
  expect(read(format, [bytes])).toEqual(expected);
  expect(read(format, bare)).toEqual(expected);
  for (let at = 0; at <= bytes.length; at += 1)
    expect(read(format, [bytes.subarray(0, at), bytes.subarray(at)]), `at ${at}`).toEqual(expected);
});

test.each(rows.filter(([, , , expected]) => (expected as { isComplete: boolean }).isComplete))(
  "%s: the last word has come when a reader of lines can know it, and not before",
  (_title, format, body) => {
    const bytes = Buffer.from(body as string);
    const reader = format.openAnswer(200, "");
    let at = 0;
    for (; at < bytes.length && !reader.isComplete; at += 1) reader.feed(bytes.subarray(at, at + 1));
    const rest = bytes.subarray(at).toString("utf8");
    expect(bytes.subarray(0, at).toString("latin1")).toMatch(/(?:message_stop"(?:,\ndata: "x":1)?\}|\[DONE\]|\})[\r\n]?$/);
    expect(rest).toMatch(/^(?:event: message_stop|id: 7|: ping|\s)*$/);
  },
);

describe("no bytes make it throw", () => {
  const marks = [
    "\r",
    "\n",
    "\r\n",
    "\n\n",
    ":",
    "data:",
    "data: {",
    "event: error\n",
    "{",
    "}",
    "[",
    "]",
    '"',
    "\\",
    ",",
    "\ufeff",
    "\u0000",
    '"usage":',
    "null",
    "-1",
    "9e99",
    "[DONE]",
  ];
  const pool = rows.map(([, , body]) => Buffer.from(body as string));
  const make = (seed: number): Buffer => {
    const roll = dice(seed);
    let bytes = roll.oneOf(pool);
    for (let times = roll.below(6); times >= 0; times -= 1) {
      const at = roll.below(bytes.length + 1);
      const inserted = roll.oneOf([
        Buffer.from(roll.oneOf(marks)),
        Buffer.from([roll.below(256), 0xff, roll.below(256)]),
        roll.oneOf(pool).subarray(roll.below(200)),
      ]);
      bytes = Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + roll.below(40))]);
    }
    return bytes;
  };
  const isSound = (value: unknown) => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

  test("1500 answers gone wrong are read, the same however they are cut, and no number is odd", () => {
    for (let seed = 1; seed <= 1500; seed += 1) {
      const bytes = make(seed);
      const roll = dice(seed + 1_000_000);
      const cuts = Array.from({ length: 4 }, () => roll.below(bytes.length + 1)).sort((a, b) => a - b);
      const pieces = [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index]));
      for (const format of Object.values(formats))
        for (const type of ["", "text/event-stream", "application/json"]) {
          const reading = read(format, [bytes], { type });
          expect(read(format, pieces, { type }), `seed ${seed}`).toEqual(reading);
          expect(Object.values(reading.usage ?? {}).every(isSound), `seed ${seed}`).toBe(true);
        }
    }
  });

  test("asking again changes nothing", () => {
    for (const [, format, body] of rows) {
      const reader = format.openAnswer(200, "");
      reader.feed(Buffer.from(body as string));
      expect(reader.end(true)).toEqual(reader.end(true));
    }
  });
});
