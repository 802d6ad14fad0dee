/** What is read of an answer: each row of the table in docs/spec/ledger.md, and the numbers that are believed. */
import { describe, expect, test } from "vitest";
import type { ReadAnswer } from "../../src/ports/wire-format.ts";
import { readRecording, splitLines } from "./stream-recordings.ts";
import { formats, read, stream, told, usage, type Wire } from "./wire-format-kit.ts";
import { bill, billed, chunk, completion, delta, message, start, stop, sum, summed, words } from "./wire-format-samples.ts";

const { anthropic, openai } = formats;
const json = (value: unknown) => JSON.stringify(value);
const begun = usage({ input: 1000, cacheRead: 40_000, output: 1 });

describe("an answer of Anthropic", () => {
  test.each<[string, string, object]>([
    [
      "a stream is whole with its last word",
      stream(start(), words("a"), delta({ output_tokens: 9 }), stop),
      { usage: { ...begun, output: 9 } },
    ],
    [
      "a later count replaces the earlier one",
      stream(start(), delta(sum), delta({ output_tokens: 6 }), stop),
      { usage: { ...summed, output: 6 } },
    ],
    ["one message is whole when its object is", json(message(sum)), { usage: summed }],
    ["an answer may say nothing of usage", json(message(undefined)), { usage: null }],
    ["a stream may say nothing of usage", stream(start({}), words("a"), stop), { usage: null }],
    ["the guess with which a stream begins is no bill of a whole one", stream(start(), words("a"), stop), { usage: null }],
    [
      "null is nothing said",
      stream(start(), delta({ input_tokens: null, output_tokens: 9, server_tool_use: null }), stop),
      { usage: { ...begun, output: 9 } },
    ],
    [
      "caches of an hour are known from those of five minutes",
      json(
        message({
          ...sum,
          cache_creation_input_tokens: 12,
          cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 10 },
        }),
      ),
      { usage: { ...summed, cacheWriteLong: 10 } },
    ],
    [
      "their kinds are remembered when only the sum comes later",
      stream(
        start({ ...sum, cache_creation: { ephemeral_1h_input_tokens: 2 } }),
        delta({ output_tokens: 5, cache_creation_input_tokens: 6 }),
        stop,
      ),
      { usage: { ...summed, cacheWrite: 4, cacheWriteLong: 2 } },
    ],
    [
      "an event without a message or a usage changes nothing",
      stream(start(), delta(sum), { type: "message_delta" }, { type: "message_start" }, { x: 1 }, stop),
      { usage: summed },
    ],
    [
      "lines of data do not grow together",
      stream(start(), delta(sum), stop).replace('"output_tokens":5', '"output_tokens":\ndata: 5\ndata: 0'),
      { usage: null },
    ],
    ["searches are counted", json(message({ ...sum, server_tool_use: { web_search_requests: 4 } })), { usage: { ...summed, searches: 4 } }],
    [
      "what was done besides is billed too",
      json(
        message({
          ...sum,
          iterations: [
            { type: "compaction", input_tokens: 100, output_tokens: 10 },
            { type: "message", input_tokens: 7, output_tokens: 5 },
          ],
        }),
      ),
      { usage: { ...summed, input: 107, output: 15 } },
    ],
  ])("%s", (_title, body, expected) => {
    expect(read(anthropic, [body])).toEqual({ ...told.anthropic, ...expected });
  });

  const open = { isComplete: false, whole: false };
  test.each<[string, string, object]>([
    ["what was told of a stream that was cut is a lower bound", stream(start(), words("a")), { ...open, usage: begun }],
    ["so it is after its last count, without its last word", stream(start(), delta(sum)), { ...open, usage: summed }],
    ["a cut in the midst of a count leaves the one before", stream(start(), delta(sum)).slice(0, -60), { ...open, usage: begun }],
    ["a count whose line has not ended was told all the same", stream(start(), delta(sum)).trimEnd(), { ...open, usage: summed }],
    ["a stream that says nothing is cut", "", { ...open, usage: null, model: null, messageId: null }],
    ["half a message is cut", json(message(sum)).slice(0, -1), { ...open, usage: null, model: null, messageId: null }],
    [
      "an error in a stream is its last word, and it is not whole",
      stream(start(), { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, words("b")),
      { isComplete: true, whole: false, usage: begun, failure: "error-in-stream" },
    ],
    [
      "an error may stand where the message should",
      json({ type: "error", error: { type: "api_error", message: "no" } }),
      { isComplete: true, whole: false, usage: null, model: null, messageId: null, failure: "error-in-stream" },
    ],
  ])("%s", (_title, body, expected) => {
    expect(read(anthropic, [body])).toEqual({ ...told.anthropic, ...expected });
  });
});

describe("an answer of OpenAI", () => {
  const last = chunk({ choices: [], usage: bill });
  test.each<[string, string, object]>([
    [
      "usage comes in the last chunk, and cached tokens are part of the prompt",
      stream(chunk({ usage: null }), last, "[DONE]"),
      { usage: billed },
    ],
    ["a stream that was not asked for its usage has none", stream(chunk(), chunk(), "[DONE]"), { usage: null }],
    ["one object is whole", json(completion(bill)), { usage: billed }],
    ["an object without usage is whole", json(completion(undefined)), { usage: null }],
    ["the last usage counts", stream(chunk({ usage: { prompt_tokens: 1, completion_tokens: 1 } }), last, "[DONE]"), { usage: billed }],
    [
      "reasoning that is only in the total is output",
      json(completion({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 40 })),
      { usage: usage({ input: 10, output: 30 }) },
    ],
    [
      "no details are no cached tokens",
      json(completion({ prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: null })),
      { usage: usage({ input: 10, output: 5 }) },
    ],
    [
      "more cached tokens than tokens are no bill",
      json(completion({ prompt_tokens: 1, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 2 } })),
      { usage: null },
    ],
    ["a stream without its last word is cut", stream(chunk(), last), { isComplete: false, whole: false, usage: billed }],
    [
      "an error in a stream is its last word",
      stream(chunk(), { error: { message: "no" } }),
      { isComplete: true, whole: false, usage: null, failure: "error-in-stream" },
    ],
    [
      "its name may come last",
      `${stream(chunk())}data: no\nevent: error\n\n`,
      { isComplete: true, whole: false, usage: null, failure: "error-in-stream" },
    ],
    [
      "an error may be known by the name of its event",
      `${stream(chunk())}event: error\ndata: no\n\n`,
      { isComplete: true, whole: false, usage: null, failure: "error-in-stream" },
    ],
    [
      "an error may be said with 200",
      json({ ...completion(null), error: { message: "no" } }),
      { whole: false, usage: null, failure: "error-in-stream" },
    ],
    ["an error that is null is none", json({ ...completion(bill), error: null }), { usage: billed }],
  ])("%s", (_title, body, expected) => {
    expect(read(openai, [body])).toEqual({ ...told.openai, ...expected });
  });
});

describe.each([
  ["anthropic", anthropic, json(message(sum))],
  ["openai", openai, json(completion(bill))],
] as const)("%s", (_name, format, whole) => {
  const nothing: ReadAnswer = { whole: true, usage: null, model: null, messageId: null, failure: null };
  test.each<[number, ReadAnswer["failure"]]>([
    [429, "limited"],
    [503, "overloaded"],
    [529, "overloaded"],
    [400, "refused"],
    [401, "refused"],
    [404, "refused"],
    [413, "refused"],
    [302, "refused"],
    [500, "server-error"],
    [502, "server-error"],
    [504, "server-error"],
    [999, "server-error"],
  ])("%i is told as what it is, and no usage is read of it", (status, failure) => {
    expect(read(format, [whole], { status })).toEqual({ ...nothing, isComplete: true, failure });
    const html = read(format, ["<html>502</html>"], { status, type: "text/html" });
    expect(html).toEqual({ ...nothing, isComplete: false, failure });
  });

  test.each<[string, string, Wire, boolean]>([
    ["a page is whole when it ended well", "<html>hello</html>", { type: "text/html" }, true],
    ["a page is not when it did not", "<html>hello", { endedWell: false }, false],
    ["broken JSON is whole when it ended well", '{"usage" 1}', {}, true],
    ["a list is no answer", "[1,2]", {}, true],
    ["half a list is cut", "[1,2", { endedWell: false }, false],
    ["nothing at all is cut", "", {}, false],
    ["a stream of something else is cut", "data: hello\n\n", { type: "text/event-stream" }, false],
  ])("%s, and says nothing", (_title, body, wire, isWhole) => {
    expect(read(format, [body], wire)).toEqual({ ...nothing, isComplete: false, whole: isWhole });
  });

  test("its content type may say anything", () => {
    const readings = ["", "application/json", "text/plain; charset=utf-8", "TEXT/HTML"].map(
      (type) => read(format, [whole], { type }).usage,
    );
    expect(readings).toEqual(Array(4).fill(read(format, [whole]).usage));
    expect(readings).not.toContain(null);
  });
});

describe("numbers that are not believed", () => {
  const odd = ["-1", "1.5", "1e999", "9007199254740993", "1e300", '"7"', "true", "[7]", "{}", "-1e-7"];
  const inMessage = (field: string, value: string) =>
    json(message(sum)).replace(`"${field}":${sum[field as keyof typeof sum]}`, `"${field}":${value}`);
  const fields = Object.keys(sum);
  test.each(fields.flatMap((field) => odd.map((value) => [field, value] as const)))("%s: %s", (field, value) => {
    const body = inMessage(field, value);
    expect(body).toContain(`"${field}":${value}`);
    expect(read(anthropic, [body])).toEqual({ ...told.anthropic, usage: null });
    const changed = JSON.parse(JSON.stringify(bill)) as object;
    for (const key of ["prompt_tokens", "completion_tokens", "cached_tokens"]) {
      const text = json(completion(changed)).replace(new RegExp(`"${key}":\\d+`), `"${key}":${value}`);
      expect(read(openai, [text])).toEqual({ ...told.openai, usage: null });
    }
  });

  test.each(["NaN", "Infinity", "nul", "0x10", "07", "@"])("%s is no JSON, and no number", (value) => {
    expect(read(anthropic, [inMessage("input_tokens", value)])).toEqual({ ...told.anthropic, usage: null });
  });

  test("one of them in a stream spoils the bill, whatever came before", () => {
    expect(read(anthropic, [stream(start(), delta({ output_tokens: -1 }), stop)]).usage).toBeNull();
  });

  test.each<[string, unknown]>([
    ["a text", "usage"],
    ["a list", [sum]],
    ["details that are none", { ...sum, cache_creation: 5 }],
    ["a number", 5],
    ["rounds that are none", { ...sum, iterations: ["compaction"] }],
  ])("%s is no usage", (_title, value) => {
    expect(read(anthropic, [json(message(value))])).toEqual({ ...told.anthropic, usage: null });
  });

  test("names that are inherited are not read", () => {
    const text = json(message(sum)).replace('"usage":{', '"usage":{"__proto__":{"input_tokens":9},');
    expect(read(anthropic, [text.replace('"input_tokens":7,', "")]).usage).toBeNull();
    expect(read(anthropic, [text]).usage).toEqual(summed);
  });
});

describe("words that a model wrote", () => {
  const lie = '","usage":{"input_tokens":9e9,"output_tokens":9e9},"type":"message_stop","x":"';
  const forged = '"usage":{"input_tokens":9,"output_tokens":9,"prompt_tokens":9,"completion_tokens":9}';
  const quotes = [
    '"',
    "\\",
    '\\"',
    `"}],${forged},"x":[{"y":"`,
    `"}}],${forged},"x":[{"y":{"z":"`,
    `}],${forged}`,
    "}]}",
    "{[{[",
    "]}}]}}",
  ];
  const sly = [
    ...quotes,
    lie,
    `{${lie}}`,
    `\\${lie}`,
    `${lie}\\`,
    `\n\ndata: {"type":"message_stop"}\n\n`,
    `data: [DONE]\n\n`,
    "\u2028\u2029\u0085\ud83d",
  ];
  test.each(sly)("%j is no usage and no last word", (text) => {
    expect(read(anthropic, [json(message(sum, text))])).toEqual({ ...told.anthropic, usage: summed });
    expect(read(openai, [json(completion(bill, text))])).toEqual({ ...told.openai, usage: billed });
    const [streamed, chunks] = [stream(start(), words(text)), stream(chunk({}, text))];
    expect(read(anthropic, [streamed])).toEqual({ ...told.anthropic, isComplete: false, whole: false, usage: begun });
    expect(read(openai, [chunks])).toEqual({ ...told.openai, isComplete: false, whole: false, usage: null });
  });

  test("an object within the content is not the answer's", () => {
    const content = [{ type: "tool_use", input: { usage: { input_tokens: 9, output_tokens: 9 }, model: "other" } }];
    const body = { ...message(sum), content };
    expect(read(anthropic, [json(body)])).toEqual({ ...told.anthropic, usage: summed });
  });

  test.each([
    json(message(sum)),
    json(message(sum)).replace(/^{(.*),("usage":.*)}$/, "{$2,$1}"),
    JSON.stringify(message(sum), null, 2),
    `\ufeff \n${json(message(sum))}\n\n`,
  ])("the usage may stand anywhere (%#)", (body) => {
    expect(read(anthropic, [body])).toEqual({ ...told.anthropic, usage: summed });
  });

  test("a key may be written in escapes, and the last of two counts", () => {
    const body = json(message({ input_tokens: 1, output_tokens: 1 })).replace(/}$/, `,"us\\u0061ge":${json(sum)}}`);
    expect(read(anthropic, [body]).usage).toEqual(summed);
  });
});

describe("what Claude Code was answered, as it recorded it", () => {
  const events = splitLines(readRecording("claude", "partial-messages.jsonl"))
    .map((line) => JSON.parse(line.toString("utf8")) as { type: string; event?: { type: string } })
    .flatMap(({ type, event }) => (type === "stream_event" && event !== undefined ? [event] : []));
  const starts = events.flatMap(({ type }, index) => (type === "message_start" ? [index] : []));
  test("each answer has its bill", () => {
    const answers = starts.map((from, index) => read(anthropic, [stream(...events.slice(from, starts[index + 1]))]));
    expect(answers.map(({ whole, messageId, usage: told }) => [whole, messageId, told])).toEqual([
      [true, "msg_mock0001", usage({ input: 1000, cacheWrite: 5000, output: 50 })],
      [true, "msg_mock0002", expect.objectContaining({ cacheRead: 6000, input: 10, cacheWrite: 200 })],
      ...answers.slice(2).map(() => [true, expect.stringMatching(/^msg_mock/), expect.objectContaining({ input: expect.any(Number) })]),
    ]);
  });
});
