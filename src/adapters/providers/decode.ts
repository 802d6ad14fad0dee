/**
 * Answers as they come over the wire: a copy is decompressed and read, the bytes themselves stay as they are. Plain answers, nearly all, are read at once. What we
 * cannot decompress, or what unfolds to more than any answer can be, is read as an answer without usage.
 */
import type { AnswerReader, OpenRawAnswer, RawAnswerReader, ReadAnswer } from "../../ports/wire-format.ts";
import { canDecompress, Decompression, type Sink } from "./decompression.ts";

/** An answer of a model in words, many times over; each piece of a bomb stops here. */
const maxDecodedBytes = 64 * 1024 * 1024;
const maxLayers = 3;

export const openDecodedAnswer: OpenRawAnswer = (format, status, headers) => {
  const reader = format.openAnswer(status, valuesOf(headers, "content-type")[0] ?? "");
  const encodings = encodingsOf(headers);
  if (encodings.length === 0) return new PlainAnswer(reader);
  const isKnown = encodings.length <= maxLayers && encodings.every(canDecompress);
  return isKnown ? new CompressedAnswer(reader, encodings) : new SealedAnswer(reader);
};

function valuesOf(headers: Parameters<OpenRawAnswer>[2], name: string): readonly string[] {
  return headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
}

/** In the order in which they were put on. */
function encodingsOf(headers: Parameters<OpenRawAnswer>[2]): readonly string[] {
  const names = valuesOf(headers, "content-encoding").flatMap((value) => value.split(","));
  const plain = names.map((name) => name.trim().toLowerCase()).filter((name) => name !== "" && name !== "identity");
  return plain.map((name) => (name === "x-gzip" ? "gzip" : name));
}

class PlainAnswer implements RawAnswerReader {
  readonly #reader: AnswerReader;

  constructor(reader: AnswerReader) {
    this.#reader = reader;
  }

  get isComplete(): boolean {
    return this.#reader.isComplete;
  }

  feed(bytes: Uint8Array): undefined {
    this.#reader.feed(bytes);
  }

  async end(endedWell: boolean): Promise<ReadAnswer> {
    return this.#reader.end(endedWell);
  }
}

/** In an encoding that we do not know: whether it ended well is all that can be told. */
class SealedAnswer implements RawAnswerReader {
  readonly #reader: AnswerReader;
  readonly isComplete = false;

  constructor(reader: AnswerReader) {
    this.#reader = reader;
  }

  feed(): undefined {}

  async end(endedWell: boolean): Promise<ReadAnswer> {
    return { ...this.#reader.end(endedWell), whole: endedWell };
  }
}

class CompressedAnswer implements RawAnswerReader {
  readonly #reader: AnswerReader;
  readonly #layers: readonly Decompression[];
  readonly #outermost: Sink;
  #settled: Promise<void> = Promise.resolve();

  constructor(reader: AnswerReader, encodings: readonly string[]) {
    this.#reader = reader;
    const layers: Decompression[] = [];
    let sink: Sink = (bytes) => {
      reader.feed(bytes);
      return undefined;
    };
    for (const encoding of encodings) {
      const layer = new Decompression(encoding, maxDecodedBytes, sink);
      layers.push(layer);
      sink = (bytes) => layer.feed(bytes);
    }
    this.#layers = layers;
    this.#outermost = sink;
  }

  get isComplete(): boolean {
    return this.#reader.isComplete;
  }

  feed(bytes: Uint8Array): Promise<void> {
    // One after the other, also for who does not wait; what follows the last word is not unfolded any more.
    this.#settled = this.#settled.then(() => (this.isComplete ? undefined : this.#outermost(bytes)));
    return this.#settled;
  }

  async end(endedWell: boolean): Promise<ReadAnswer> {
    await this.#settled;
    for (const layer of this.#layers) layer.close();
    const answer = this.#reader.end(endedWell);
    if (this.isComplete) return answer;
    const isTooMuch = this.#layers.some(({ state }) => state === "too-much");
    return isTooMuch ? { ...answer, usage: null, whole: endedWell } : answer;
  }
}
