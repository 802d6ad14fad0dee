/** Answers of 100 MB: what is kept of them does not grow with them. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { formats, stream, told, usage } from "../contract/wire-format-kit.ts";
import { completion, delta, message, start, stop, words } from "../contract/wire-format-samples.ts";

const { anthropic, openai } = formats;
const size = 100 * 1024 * 1024;
const pieceBytes = 64 * 1024;
const sum = { input_tokens: 7, output_tokens: 5 };
const summed = usage({ input: 7, output: 5 });

function* bytesOf(head: string, filler: string, tail: string): Generator<Buffer> {
  yield Buffer.from(head);
  const piece = Buffer.from(filler.repeat(Math.ceil(pieceBytes / Buffer.byteLength(filler))));
  for (let sent = 0; sent < size; sent += piece.length) yield Buffer.from(piece); // a new one each time: who keeps it shows
  yield Buffer.from(tail);
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Bytes that are still in use. */
function held(): number {
  collect();
  collect(); // the first one lets go of buffers while it runs on, the second waits for that
  const { heapUsed, external } = process.memoryUsage(); // buffers are part of what is external
  return heapUsed + external;
}

const [beforeText, afterText] = JSON.stringify(message(sum, "@@")).split("@@") as [string, string];
const [beforeWords, afterWords] = stream(start(), words("@@"), delta(sum), stop).split("@@") as [string, string];
const [beforeChoice, afterChoice] = JSON.stringify(completion({ prompt_tokens: 7, completion_tokens: 5 }, "@@")).split("@@") as [
  string,
  string,
];
const lost = { isComplete: false, whole: false, usage: null, model: null, messageId: null, failure: null };
const cached = { ...told.anthropic, usage: { ...summed, cacheRead: 40_000 } };

type Row = readonly [string, (typeof formats)["anthropic"], string, string, string, object];
const rows: readonly Row[] = [
  ["a message with the usage at its end", anthropic, beforeText, "word ", afterText, { ...told.anthropic, usage: summed }],
  [
    "a message with the usage at its front",
    anthropic,
    `{"usage":${JSON.stringify(sum)},"content":"`,
    "word ",
    '"}',
    { ...told.anthropic, model: null, messageId: null, usage: summed },
  ],
  ["a completion", openai, beforeChoice, '\\"}],', afterChoice, { ...told.openai, usage: summed }],
  ["one event", anthropic, beforeWords, "word ", afterWords, cached],
  ["many events", anthropic, stream(start()), stream(words("word")), stream(delta(sum), stop), cached],
  ["a line without an end", anthropic, "data: ", "word ", "", lost],
  ["a name without an end", anthropic, "event: ", "word ", "", lost],
  ["a field without an end", anthropic, "data", "data", "", lost],
  ["a comment without an end", anthropic, ":", "word ", "", lost],
  ["empty lines", anthropic, "data:", "\n", "", lost],
  ["lines of data in one event", openai, "data: {\n", "data: \n", "", lost],
  ["a nest without an end", anthropic, '{"usage":', "[", "", lost],
  ["a key without an end", anthropic, '{"', "key", "", lost],
  ["keys without an end", anthropic, '{"a":1', `,"usage":{"a":"${"word ".repeat(200)}"}`, "", lost],
  [
    "usage that is too large",
    anthropic,
    '{"usage":{"x":"',
    "word ",
    '","input_tokens":1,"output_tokens":1}}',
    { ...lost, isComplete: true, whole: true },
  ],
  ["a model without an end", openai, '{"model":"', "model", "", lost],
  ["a value whose key every object has", openai, '{"toString":"', "word ", "", lost],
  ["a number without an end", anthropic, '{"usage":', "1", "", lost],
  ["blanks", anthropic, "", " \n", "", lost],
];

test.each(rows)("%s: 100 MB are read, and nothing is kept", (_title, format, head, filler, tail, expected) => {
  const reader = format.openAnswer(200, "");
  const before = held();
  let most = 0;
  let pieces = 0;
  for (const piece of bytesOf(head, filler, tail)) {
    reader.feed(piece);
    pieces += 1;
    if (pieces % 400 === 0) most = Math.max(most, held() - before);
  }
  const { isComplete } = reader;
  expect({ isComplete, ...reader.end(true) }).toEqual(expected);
  expect(most).toBeLessThan(400 * 1024);
});
