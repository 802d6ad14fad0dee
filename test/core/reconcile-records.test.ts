/** A witness's file becomes records whatever its form and however it is cut into pieces; what is no record is named by its line. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callFormatOf, readCharge } from "../../src/core/money/reconcile/call-logs.ts";
import type { Charge } from "../../src/core/money/reconcile/charge.ts";
import { readInstant } from "../../src/core/money/reconcile/instant.ts";
import { createRecordReader, type LogRecord } from "../../src/core/money/reconcile/records.ts";

function read(...pieces: readonly string[]): readonly LogRecord[] {
  const reader = createRecordReader();
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()];
}

const record = (line: number, fields: Readonly<Record<string, unknown>>) => ({ kind: "record", line, fields });
const garbage = (line: number) => ({ kind: "garbage", line });

test.each<readonly [title: string, text: string, records: readonly unknown[]]>([
  ["an empty file", "", []],
  ["nothing but empty lines", "\n\n  \n", []],
  ["an object a line", '{"a":1}\n{"a":2}\n', [record(1, { a: 1 }), record(2, { a: 2 })]],
  ["a last line without its end", '{"a":1}\n{"a":2}', [record(1, { a: 1 }), record(2, { a: 2 })]],
  ["line ends of Windows, a mark before them", '\ufeff{"a":1}\r\n\r\n{"a":2}\r\n', [record(1, { a: 1 }), record(3, { a: 2 })]],
  [
    "garbage between two lines",
    '{"a":1}\nnot json\n{"a":\n[1]\n{"a":2}\n',
    [record(1, { a: 1 }), garbage(2), garbage(3), garbage(4), record(5, { a: 2 })],
  ],
  ["a line that was being written", '{"a":1}\n{"a":2,"b', [record(1, { a: 1 }), garbage(2)]],
  ["a list", '[{"a":1},{"a":2}]', [record(1, { a: 1 }), record(1, { a: 2 })]],
  ["a list over lines", '[\n  {"a": 1},\n  {\n    "a": "}]"\n  }\n]\n', [record(2, { a: 1 }), record(3, { a: "}]" })]],
  ["a list that holds more than objects", '[\n1,\n{"a":1},\nnull]', [garbage(2), record(3, { a: 1 }), garbage(4)]],
  ["a list that was cut", '[{"a":1},\n{"a":{"b":"', [record(1, { a: 1 }), garbage(2)]],
  ["one document over lines", '{\n "data": [\n {"x": "\\"{"} ]\n}\n', [record(1, { data: [{ x: '"{' }] })]],
  ["two documents on one line", '{"data":[{"x":1}]}{"data":[]}', [record(1, { data: [{ x: 1 }] }), record(1, { data: [] })]],
  ["CSV", "a,b\n1,x\n2,y\n", [record(2, { a: "1", b: "x" }), record(3, { a: "2", b: "y" })]],
  ["CSV of spreadsheets", '\ufeffa;b\r\n1;"x;""y"""\r\n', [record(2, { a: "1", b: 'x;"y"' })]],
  ["CSV with line ends inside a field", 'a,b\n1,"x\ny"\n2,z', [record(2, { a: "1", b: "x\ny" }), record(4, { a: "2", b: "z" })]],
  ["CSV with empty fields", 'a,b\n,""\n', [record(2, { a: "", b: "" })]],
  ["CSV with a row too short, and one too long", "a,b\n1\n1,2,3\n4,5\n", [garbage(2), garbage(3), record(4, { a: "4", b: "5" })]],
  ["CSV whose quotes do not end", 'a,b\n1,"x\n2,y\n', [garbage(2)]],
  ["prose", "Dear customer\nyour bill is attached\n", [garbage(1), garbage(2)]],
])("%s", (_title, text, records) => {
  expect(read(text)).toEqual(records);
  expect(read(...text)).toEqual(records);
});

test("any text in any pieces is read without an error, and as in one piece", () => {
  const fragment = fc.oneof(
    fc.string(),
    fc.constantFrom("{", "}", "[", "]", '"', "\\", "\n", "\r\n", ",", ";", '{"a":1}', '{"a":', "a,b\n"),
  );
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 30 }), (pieces) => {
      expect(read(...pieces)).toEqual(read(pieces.join("")));
    }),
    { numRuns: 500 },
  );
});

describe("charges", () => {
  const plain: Charge = { line: 4, at: null, ids: [], bodyHash: null, model: null, microUsd: null, tokens: null };
  const first = Date.parse("2026-11-30T01:02:03.456Z");
  const spend = {
    request_id: "msg_1",
    spend: 0.0123,
    startTime: "2026-11-30T01:02:03.456Z",
    model: "claude-opus-4-5",
    prompt_tokens: 90,
    completion_tokens: 5,
  };
  const litellm = { ids: ["msg_1"], at: first, microUsd: 12_300, model: "claude-opus-4-5", tokens: { input: 90, output: 5 } };
  const seen = {
    request_id: "0198-uuid",
    request_created_at: "2026-11-30 01:02:03.456",
    response_status: 200,
    costUSD: 0.5,
    prompt_tokens: 90,
    completion_tokens: 5,
  };
  const helicone = { ids: ["0198-uuid"], at: first, microUsd: 500_000, tokens: { input: 90, output: 5 } };

  test.each<
    readonly [title: string, fields: Readonly<Record<string, unknown>>, format: string, charge: Partial<Charge> | "free" | "unreadable"]
  >([
    [
      "a line of the scripted provider's invoice",
      {
        at: "2026-11-30T01:02:03.456Z",
        request: "req_a",
        message: "msg_a",
        model: "claude-opus-4-5",
        input_tokens: 1,
        output_tokens: 2,
        cache_read_input_tokens: 30,
        cache_creation_input_tokens: 400,
        micro_usd: null,
        user: null,
        body_sha256: "ab12",
      },
      "invoice",
      { ids: ["req_a", "msg_a"], at: first, bodyHash: "ab12", model: "claude-opus-4-5", tokens: { input: 431, output: 2 } },
    ],
    ["a spend log", spend, "litellm", litellm],
    [
      "a spend log with our label among its tags",
      { ...spend, request_tags: ["night", "call:c-1"] },
      "litellm",
      { ...litellm, ids: ["c-1", "msg_1"] },
    ],
    [
      "a spend log whose tags are JSON in text",
      { ...spend, metadata: '{"tags":["call:c-1"]}' },
      "litellm",
      { ...litellm, ids: ["c-1", "msg_1"] },
    ],
    ["a spend log out of CSV", { ...spend, spend: "1.23e-2", prompt_tokens: "90", completion_tokens: "5" }, "litellm", litellm],
    ["an answer out of the gateway's own cache", { ...spend, spend: 0, cache_hit: "True" }, "litellm", "free"],
    ["a failure that cost nothing", { ...spend, spend: 0, status: "failure" }, "litellm", "free"],
    ["a failure that cost something", { ...spend, status: "failure" }, "litellm", litellm],
    ["a spend that is no number", { ...spend, spend: "a lot" }, "litellm", "unreadable"],
    ["a spend below nothing", { ...spend, spend: -1 }, "litellm", "unreadable"],
    ["a request that Helicone saw", seen, "helicone", helicone],
    [
      "one with our label among its properties",
      { ...seen, request_properties: { Call: "call:c-2" } },
      "helicone",
      { ...helicone, ids: ["c-2", "0198-uuid"] },
    ],
    ["one whose answer is kept", { ...seen, response_body: { id: "msg_9" } }, "helicone", { ...helicone, ids: ["0198-uuid", "msg_9"] }],
    ["one that was refused", { ...seen, response_status: 429, costUSD: 0 }, "helicone", "free"],
    ["one that failed and cost something", { ...seen, response_status: 500 }, "helicone", helicone],
    ["one without any name", { ...seen, request_id: "" }, "helicone", "unreadable"],
  ])("%s", (_title, fields, format, expected) => {
    const found = callFormatOf(fields);
    expect(found).toBe(format);
    const charge = found === null ? null : readCharge(found, fields, 4);
    expect(charge).toEqual(typeof expected === "string" ? { kind: expected } : { kind: "charge", charge: { ...plain, ...expected } });
  });

  test("a record of nobody's log has no format", () => {
    expect([{}, { request_id: "a" }, { request: "a" }, { spend: 1 }].map(callFormatOf)).toEqual([null, null, null, null]);
  });
});

test.each([
  ["2026-11-30T01:02:03.456Z", Date.parse("2026-11-30T01:02:03.456Z")],
  ["2026-11-30T01:02:03.456789+00:00", Date.parse("2026-11-30T01:02:03.456Z")],
  ["2026-11-30 01:02:03", Date.parse("2026-11-30T01:02:03Z")],
  ["2026-11-30T01:02:03-03:30", Date.parse("2026-11-30T01:02:03-03:30")],
  ["2026-11-30T01:02:03+05", Date.parse("2026-11-30T01:02:03+05:00")],
  ["2024-02-29", Date.parse("2024-02-29T00:00:00Z")],
  ["1969-12-31T23:59:59Z", -1000],
  [1_796_000_000, 1_796_000_000_000],
  [1_796_000_000_123, 1_796_000_000_123],
  ["1796000000", 1_796_000_000_000],
  ["2026-13-01", null],
  ["tomorrow", null],
  ["", null],
  [null, null],
  [Number.NaN, null],
])("the time %j is %j", (value, expected) => {
  expect(readInstant(value)).toBe(expected);
});

test("any date of four centuries is read as others read it", () => {
  const day = fc.date({ min: new Date("1800-01-01"), max: new Date("2200-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(day, (date) => {
      expect(readInstant(date.toISOString())).toBe(date.getTime());
    }),
  );
});
