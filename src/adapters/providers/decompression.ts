/**
 * One layer of compression, undone piece by piece. Memory is bounded: output is taken in small pieces, each before the next is made; after `maxBytes` of it
 * nothing more is read. Never throws, never rejects.
 */
import * as zlib from "node:zlib";

/** Takes a piece of output; where it needs time, the next piece waits. */
export type Sink = (bytes: Uint8Array) => Promise<void> | undefined;

type Stream = zlib.Gunzip | zlib.Inflate | zlib.InflateRaw | zlib.BrotliDecompress | zlib.ZstdDecompress;

/** `too-much`: there was more than anyone can mean. */
export type DecompressionState = "fine" | "damaged" | "too-much";

const pieceBytes = 16_384;
const common = { chunkSize: pieceBytes, highWaterMark: pieceBytes };
/** The largest window that the web allows (RFC 9659): 8 MiB. */
const zstdWindowLog = 23;

const openers: Readonly<Record<string, (first: number) => Stream>> = {
  gzip: () => zlib.createGunzip(common),
  // By the name it has a zlib head; some servers leave that out.
  deflate: (first) => ((first & 0x0f) === 8 ? zlib.createInflate(common) : zlib.createInflateRaw(common)),
  br: () => zlib.createBrotliDecompress(common),
  ...("createZstdDecompress" in zlib
    ? { zstd: () => zlib.createZstdDecompress({ ...common, params: { [zlib.constants.ZSTD_d_windowLogMax]: zstdWindowLog } }) }
    : {}),
};

/** @param encoding  in lower case */
export function canDecompress(encoding: string): boolean {
  return Object.hasOwn(openers, encoding);
}

export class Decompression {
  readonly #encoding: string;
  readonly #maxBytes: number;
  readonly #sink: Sink;
  #stream: Stream | null = null;
  #bytes = 0;
  #state: DecompressionState = "fine";
  /** The compressed data have ended; what follows is nobody's, and not every version of Node says that it took it. */
  #isOver = false;
  /** Set while somebody waits for the stream to move on. */
  #wake: () => void = () => undefined;

  constructor(encoding: string, maxBytes: number, sink: Sink) {
    this.#encoding = encoding;
    this.#maxBytes = maxBytes;
    this.#sink = sink;
  }

  get state(): DecompressionState {
    return this.#state;
  }

  /** Resolves when all that these bytes unfold to has been taken. One call at a time. */
  async feed(bytes: Uint8Array): Promise<void> {
    if (this.#state !== "fine" || this.#isOver || bytes.length === 0) return;
    const stream = this.#open(bytes[0] ?? 0);
    let isWritten = false;
    stream?.write(bytes, () => {
      isWritten = true;
      this.#wake();
    });
    while (stream !== null && this.#state === "fine") {
      const isLast = isWritten; // asked before the read: what is written after it may have left something
      const piece = stream.read() as Buffer | null;
      if (piece !== null) await this.#pass(piece);
      else if (isLast || this.#isOver) return;
      else await this.#moved();
    }
  }

  /** Lets go of the memory of the stream. */
  close(): void {
    this.#stream?.destroy();
  }

  async #pass(piece: Buffer): Promise<void> {
    this.#bytes += piece.length;
    if (this.#bytes > this.#maxBytes) this.#fail("too-much");
    else await this.#sink(piece);
  }

  #open(first: number): Stream | null {
    if (this.#stream !== null) return this.#stream;
    this.#stream = openers[this.#encoding]?.(first) ?? null;
    this.#stream?.on("error", () => this.#fail("damaged"));
    this.#stream?.on("end", () => this.#finish());
    this.#stream?.on("close", () => this.#wake());
    this.#stream?.on("readable", () => this.#wake());
    return this.#stream;
  }

  #finish(): void {
    this.#isOver = true;
    this.#wake();
  }

  #fail(state: DecompressionState): void {
    if (this.#state === "fine") this.#state = state;
    this.#stream?.destroy();
    this.#wake();
  }

  #moved(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
