/** Compressed answers: read from a copy, whatever they unfold to. */
import * as zlib from "node:zlib";
import { describe, expect, test } from "vitest";
import { openDecodedAnswer } from "../../src/adapters/providers/decode.ts";
import type { RawAnswerReader, ReadAnswer } from "../../src/ports/wire-format.ts";
import { dice } from "./stream-mutations.ts";
import { formats, stream, told, usage } from "./wire-format-kit.ts";
import { bill, billed, chunk, completion, delta, message, start, stop, words } from "./wire-format-samples.ts";

const { anthropic, openai } = formats;
const sum = { input_tokens: 7, output_tokens: 5 };
const summed = usage({ input: 7, output: 5 });

type Compress = (bytes: Buffer) => Buffer;
const encodings: readonly (readonly [string, Compress])[] = [
  ["gzip", zlib.gzipSync],
  ["x-gzip", zlib.gzipSync],
  ["GZIP", zlib.gzipSync],
  ["deflate", zlib.deflateSync],
  ["deflate", zlib.deflateRawSync],
  ["br", zlib.brotliCompressSync],
  ...("zstdCompressSync" in zlib ? [["zstd", zlib.zstdCompressSync] as const] : []),
];
const brotli = zlib.brotliCompressSync;
const layered: readonly (readonly [string, Compress])[] = [
  ["gzip, br", (bytes) => brotli(zlib.gzipSync(bytes))],
  ["identity, deflate,gzip", (bytes) => zlib.gzipSync(zlib.deflateSync(bytes))],
  ["br,br, gzip", (bytes) => zlib.gzipSync(brotli(brotli(bytes)))],
];

const open = (encoding: string, format = anthropic) =>
  openDecodedAnswer(format, 200, [
    ["Content-Type", "text/event-stream"],
    ["Content-Encoding", encoding],
  ]);

/** Fed in pieces of this size, each awaited. */
async function readIn(
  reader: RawAnswerReader,
  bytes: Uint8Array,
  size = bytes.length || 1,
  endedWell = true,
): Promise<ReadAnswer & { isComplete: boolean }> {
  for (let at = 0; at < bytes.length; at += size) await reader.feed(bytes.subarray(at, at + size));
  const { isComplete } = reader;
  return { isComplete, ...(await reader.end(endedWell)) };
}

const plain = Buffer.from(stream(start(), ...Array.from({ length: 40 }, (_, index) => words(`word ${index * 7919} 🌙`)), delta(sum), stop));
const whole = { ...told.anthropic, usage: { ...summed, cacheRead: 40_000 } };

describe("a compressed answer", () => {
  test.each([...encodings, ...layered])("%s is read the same in any pieces", async (encoding, compress) => {
    const bytes = compress(plain);
    for (const size of [1, 2, 7, 100, bytes.length]) expect(await readIn(open(encoding), bytes, size), `in ${size}`).toEqual(whole);
  });

  test.each([...encodings, ...layered])("%s may be cut in two at every byte", async (encoding, compress) => {
    const bytes = compress(Buffer.from(stream(start(), delta(sum), stop)));
    for (let at = 0; at <= bytes.length; at += 1) {
      const reader = open(encoding);
      await reader.feed(bytes.subarray(0, at));
      expect(await readIn(reader, bytes.subarray(at)), `at ${at}`).toEqual(whole);
    }
  });

  test("pieces that are not awaited keep their order", async () => {
    const bytes = zlib.gzipSync(plain);
    const reader = open("gzip");
    for (let at = 0; at < bytes.length; at += 3) void reader.feed(bytes.subarray(at, at + 3));
    expect(await reader.end(true)).toEqual(expect.objectContaining({ whole: true, usage: whole.usage }));
  });

  test.each(encodings)("%s: events that were flushed one by one are told one by one", async (encoding, compress) => {
    if (compress === brotli || encoding === "zstd") return; // their flushing is not in reach of a test without a stream
    const make = { gzip: zlib.createGzip, "x-gzip": zlib.createGzip, GZIP: zlib.createGzip, deflate: zlib.createDeflate }[encoding];
    const pack = make?.();
    const events = [start(), words("a"), delta(sum), stop].map((event) => stream(event));
    const reader = open(encoding);
    const complete: boolean[] = [];
    for (const event of events) {
      pack?.write(event);
      await new Promise<void>((resolve) => pack?.flush(zlib.constants.Z_SYNC_FLUSH, resolve));
      await reader.feed((pack?.read() as Buffer | null) ?? Buffer.alloc(0));
      complete.push(reader.isComplete);
    }
    pack?.destroy();
    expect([complete, (await reader.end(true)).usage]).toEqual([[false, false, false, true], whole.usage]);
  });

  test("several members of gzip are one answer", async () => {
    const bytes = Buffer.concat([zlib.gzipSync(plain.subarray(0, 200)), zlib.gzipSync(plain.subarray(200))]);
    for (const size of [1, bytes.length]) expect(await readIn(open("gzip"), bytes, size)).toEqual(whole);
  });

  test("one object is read too", async () => {
    const bytes = zlib.gzipSync(JSON.stringify(completion(bill)));
    expect(await readIn(open("gzip", openai), bytes)).toEqual(expect.objectContaining({ isComplete: false })); // it calls itself a stream
    const reader = openDecodedAnswer(openai, 200, [["content-encoding", "gzip"]]);
    expect(await readIn(reader, bytes)).toEqual({ ...told.openai, usage: billed });
  });

  test("chunks of OpenAI are read too", async () => {
    const bytes = brotli(Buffer.from(stream(chunk(), chunk({ choices: [], usage: bill }), "[DONE]")));
    expect(await readIn(open("br", openai), bytes)).toEqual({ ...told.openai, usage: billed });
  });
});

describe("an answer that is not compressed", () => {
  test.each([[[]], [[["content-encoding", "identity"]]], [[["Content-Encoding", " "]]]])("%j: it is read at once", async (headers) => {
    const reader = openDecodedAnswer(anthropic, 200, headers as [string, string][]);
    expect([reader.feed(plain), reader.isComplete]).toEqual([undefined, true]);
    expect(await reader.end(true)).toEqual(expect.objectContaining({ usage: whole.usage }));
  });
});

describe("an answer that cannot be decompressed", () => {
  const nothing = { isComplete: false, usage: null, model: null, messageId: null, failure: null };
  test.each(["compress", "dcb", "gzip, gzip, gzip, gzip", "gzip;q=1", "constructor"])(
    "%s: it is whole when it ended well, and says nothing",
    async (encoding) => {
      for (const endedWell of [true, false])
        expect(await readIn(open(encoding), plain, 9, endedWell)).toEqual({ ...nothing, whole: endedWell });
    },
  );

  test.each([...encodings, ...layered])("%s: half of it tells what came so far", async (encoding, compress) => {
    const long = Buffer.from(
      stream(start(), ...Array.from({ length: 3000 }, (_, index) => words(`${dice(index).below(1e9)}`)), delta(sum), stop),
    );
    const bytes = compress(long);
    const reading = await readIn(open(encoding), bytes.subarray(0, Math.ceil(bytes.length * 0.9)), 1000, false);
    expect(reading).toEqual({
      ...told.anthropic,
      isComplete: false,
      whole: false,
      usage: usage({ input: 1000, cacheRead: 40_000, output: 1 }),
    });
  });

  test.each([...encodings, ...layered])("%s: garbage is read as nothing", async (encoding) => {
    const reading = await readIn(open(encoding), Buffer.from("data: this was never compressed".repeat(99)), 100);
    expect(reading).toEqual({ ...nothing, whole: false });
  });

  test.each(encodings)("%s: what follows its end is passed over, in the same piece and later", async (encoding, compress) => {
    const half = compress(Buffer.from(stream(start(), words("a"))));
    for (const tail of [Buffer.alloc(3), Buffer.from("tail"), half]) {
      const reader = open(encoding);
      for (const piece of [Buffer.concat([half, tail]), tail, tail]) await reader.feed(piece);
      expect((await reader.end(true)).whole).toBe(false);
    }
  });

  test("800 damaged answers throw nothing and hang nowhere", async () => {
    const every = [...encodings, ...layered];
    for (let seed = 1; seed <= 800; seed += 1) {
      const roll = dice(seed);
      const [encoding, compress] = roll.oneOf(every);
      const bytes = Buffer.from(compress(plain));
      for (let times = roll.below(3); times >= 0; times -= 1) bytes[roll.below(bytes.length)] = roll.below(256);
      const tail = roll.oneOf([Buffer.alloc(0), Buffer.from([0, 0, 0]), Buffer.from("tail"), bytes]);
      const reading = await readIn(open(encoding), Buffer.concat([bytes, tail]), 1 + roll.below(300));
      expect(
        Object.values(reading.usage ?? {}).every((count) => Number.isSafeInteger(count)),
        `seed ${seed}`,
      ).toBe(true);
    }
  });
});

describe("a bomb", () => {
  const zeros = Buffer.alloc(80 * 1024 * 1024, 0x20);
  const inner = Buffer.concat(Array<Buffer>(12).fill(zlib.gzipSync(zeros)));
  const bombs: readonly (readonly [string, Buffer])[] = [
    ...encodings.filter(([name]) => name !== "x-gzip" && name !== "GZIP").map(([name, compress]) => [name, compress(zeros)] as const),
    ["gzip, gzip", zlib.gzipSync(inner)],
  ];

  test.each(bombs)("%s: it is given up, and takes no memory", async (encoding, bomb) => {
    const before = process.memoryUsage().rss;
    let most = before;
    const reader = open(encoding);
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 5);
    const reading = await readIn(reader, bomb);
    clearInterval(watch);
    expect(reading).toEqual({ isComplete: false, whole: true, usage: null, model: null, messageId: null, failure: null });
    expect(most - before).toBeLessThan(48 * 1024 * 1024);
  });

  test("what was told before it is not believed, since the rest is unread", async () => {
    const bytes = zlib.gzipSync(Buffer.concat([Buffer.from(stream(start(), delta(sum))), zeros]));
    expect(await readIn(open("gzip"), bytes)).toEqual({ ...told.anthropic, isComplete: false, whole: true, usage: null });
  });

  test("an answer that was whole before it is whole", async () => {
    const bytes = zlib.gzipSync(Buffer.concat([plain, zeros]));
    expect(await readIn(open("gzip"), bytes)).toEqual(whole);
  });
});

test("one message that unfolds to 20 MB is read", async () => {
  const bytes = zlib.gzipSync(JSON.stringify(message(sum, "word ".repeat(4_000_000))));
  expect(await readIn(openDecodedAnswer(anthropic, 200, [["content-encoding", "gzip"]]), bytes)).toEqual({
    ...told.anthropic,
    usage: summed,
  });
});
