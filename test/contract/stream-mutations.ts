/** Streams that went wrong, made from recordings with a fixed seed: the same number gives the same stream on every machine. */

/** Numbers in [0, 1) from a seed (a 32-bit mixing generator: nothing here needs to be unpredictable). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

export interface Dice {
  below(count: number): number;
  oneOf<T>(choices: readonly T[]): T;
}

export function dice(seed: number): Dice {
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  return {
    below,
    oneOf(choices) {
      const choice = choices[below(choices.length)];
      if (choice === undefined) throw new Error("nothing to choose from");
      return choice;
    },
  };
}

type Mutation = (stream: Buffer, roll: Dice) => Buffer;

const insert = (stream: Buffer, at: number, bytes: Buffer | string) =>
  Buffer.concat([stream.subarray(0, at), Buffer.from(bytes as string), stream.subarray(at)]);

/** Replaces one match of `pattern` in the text of the stream. */
const replaceOne =
  (pattern: RegExp, replacements: readonly string[]): Mutation =>
  (stream, roll) => {
    const text = stream.toString("latin1");
    const matches = [...text.matchAll(pattern)];
    if (matches.length === 0) return stream;
    const match = roll.oneOf(matches);
    return Buffer.from(text.slice(0, match.index) + roll.oneOf(replacements) + text.slice(match.index + match[0].length), "latin1");
  };

const oddBytes = [
  "\u0000",
  "\u001b[2J",
  "\u001b]0;title\u0007",
  "\u001b]52;c;",
  "\u0007",
  "\r",
  "\ufeff",
  "\u202e",
  "\u009b2J",
  "\\ud83d",
  "\\ud800\\udc00\\udfff",
  "\\u0000\\u001b[31m",
  '"',
  "{",
  "}",
  "[[[[",
  '\\"',
  "\n",
  "\n\n",
  "null",
];
const rawBytes = [Buffer.of(0xff, 0xfe), Buffer.of(0xc3, 0x28), Buffer.of(0xed, 0xa0, 0x80), Buffer.of(0xf0, 0x9f), Buffer.of(0x80)];

export const mutations: readonly Mutation[] = [
  (stream, roll) => insert(stream, roll.below(stream.length + 1), roll.oneOf(oddBytes)),
  (stream, roll) => insert(stream, roll.below(stream.length + 1), roll.oneOf(rawBytes)),
  (stream, roll) => {
    const copy = Buffer.from(stream);
    if (copy.length > 0) copy[roll.below(copy.length)] = roll.below(256);
    return copy;
  },
  (stream, roll) => {
    const start = roll.below(stream.length + 1);
    return Buffer.concat([stream.subarray(0, start), stream.subarray(start + roll.below(400))]);
  },
  (stream, roll) => {
    const start = roll.below(stream.length + 1);
    const piece = stream.subarray(start, start + roll.below(2000));
    return insert(stream, roll.below(stream.length + 1), piece);
  },
  (stream, roll) => stream.subarray(0, roll.below(stream.length + 1)),
  (stream, roll) => insert(stream, roll.below(stream.length + 1), "[".repeat(roll.below(10_000))),
  replaceOne(/"(?:type|subtype|status|name|id|tool_use_id|result|error|text)":"[^"]*"/g, [
    '"type":"result"',
    '"type":"assistant","type":"user"',
    '"subtype":null',
    '"status":["rejected"]',
    '"name":{}',
    '"id":7',
    '"error":{"a":[]}',
    '"text":null',
    '"__proto__":{"x":1}',
    '"type":"toString"',
  ]),
  replaceOne(/:(?:-?[0-9][0-9.e+-]*)/g, [
    ":1e999",
    ":-1",
    ":-0",
    ":1e300",
    ":0.1",
    ':"12"',
    ":null",
    ":[]",
    ":{}",
    ":9007199254740993",
    ":true",
  ]),
  replaceOne(/:(?:\[|\{)/g, [':null,"x":[', ':7,"x":{', ":[[", ':{"a":{', ':"', ":[null,", ':[1,"a",{},']),
  replaceOne(/\n/g, ["", "\r", "\r\n", "\n\n", "garbage", '\n{"type":"result","subtype":"success"}\n', "\nplain words\n"]),
];

/** One recording, spoiled in one to twenty places. */
export function spoil(recordings: readonly Buffer[], seed: number): Buffer {
  const roll = dice(seed);
  let stream = roll.oneOf(recordings);
  for (let left = 1 + roll.below(20); left > 0; left -= 1) stream = roll.oneOf(mutations)(stream, roll);
  return stream;
}

/** The stream in pieces of random sizes, some of them empty, many of them inside a character. */
export function inChunks(stream: Buffer, seed: number): readonly Buffer[] {
  const roll = dice(seed);
  const chunks: Buffer[] = [];
  for (let at = 0; at < stream.length; ) {
    const size = roll.oneOf([0, 1, 2, 3, 7, 64, 1000, 4096, 65_536]);
    chunks.push(stream.subarray(at, at + size));
    at += size;
  }
  return chunks;
}
