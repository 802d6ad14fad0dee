/** The last bytes of a stream, however long it is; read as UTF-8, with a replacement mark for what is none. */
export class TextTail {
  readonly #maxBytes: number;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    const kept = Math.max(0, this.#maxBytes - chunk.length);
    const old = this.#bytes.subarray(Math.max(0, this.#bytes.length - kept));
    this.#bytes = Buffer.concat([old.subarray(0, kept), chunk.subarray(-this.#maxBytes)]);
  }

  read(): string {
    let from = 0;
    // The cut may have gone through a character: what is left of it is no text.
    while (from < 3 && this.#bytes.length === this.#maxBytes && isContinuation(this.#bytes[from])) from += 1;
    return this.#bytes.toString("utf8", from);
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
