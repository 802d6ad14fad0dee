/**
 * Cuts a stream of bytes into lines. LF ends a line and a CR before it goes with it; a CR alone is part of the line. Bytes are never
 * decoded here, so a character that was cut between two reads is whole again in its line. What is held is at most one line and one chunk.
 */
export const maxLineBytes = 16 * 1024 * 1024;

export type OnLine = (line: Uint8Array, cut: boolean) => "work" | "heartbeat";

const lf = 0x0a;
const cr = 0x0d;
const firstSpaceBytes = 64 * 1024;
const nothing = Buffer.alloc(0);

export class LineSplitter {
  linesCut = 0;
  readonly #onLine: OnLine;
  readonly #maxBytes: number;
  /** Beginning of the open line; `#length` bytes of it are filled. */
  #space: Buffer = nothing;
  #length = 0;
  /** The open line was delivered cut; its rest is passed over. */
  #isPassing = false;
  #hasWork = false;

  constructor(onLine: OnLine, maxBytes: number = maxLineBytes) {
    this.#onLine = onLine;
    this.#maxBytes = maxBytes;
  }

  /** Delivers every line that ends in this chunk; true when one of them was a sign of work. The receiver may keep the bytes. */
  push(chunk: Buffer): boolean {
    this.#hasWork = false;
    let from = 0;
    for (let end = chunk.indexOf(lf); end >= 0; end = chunk.indexOf(lf, from)) {
      this.#endLine(chunk, from, end);
      from = end + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
    return this.#hasWork;
  }

  /** The stream is over: a last line without an end is a line as well. */
  finish(): void {
    if (this.#length > 0) this.#endLine(nothing, 0, 0);
  }

  #endLine(chunk: Buffer, from: number, end: number): void {
    const isWhole = this.#length === 0 && !this.#isPassing;
    if (!isWhole) this.#keep(chunk.subarray(from, end));
    if (isWhole) this.#deliver(chunk, from, end);
    else if (!this.#isPassing) this.#deliver(this.#space, 0, this.#length);
    this.#isPassing = false;
    this.#drop();
  }

  #keep(bytes: Buffer): void {
    if (this.#isPassing) return;
    // One byte more than a line may have: it can be the CR of a line of exactly the limit.
    const taken = Math.min(bytes.length, this.#maxBytes + 1 - this.#length);
    this.#grow(this.#length + taken);
    bytes.copy(this.#space, this.#length, 0, taken);
    this.#length += taken;
    if (taken === bytes.length) return;
    this.#call(this.#space.subarray(0, this.#maxBytes), true);
    this.#isPassing = true;
    this.#drop();
  }

  #deliver(bytes: Buffer, from: number, end: number): void {
    const last = end > from && bytes[end - 1] === cr ? end - 1 : end;
    const cut = last - from > this.#maxBytes;
    this.#call(bytes.subarray(from, cut ? from + this.#maxBytes : last), cut);
  }

  #call(line: Uint8Array, cut: boolean): void {
    if (cut) this.linesCut += 1;
    if (this.#onLine(line, cut) === "work") this.#hasWork = true;
  }

  #grow(bytes: number): void {
    if (bytes <= this.#space.length) return;
    const space = Buffer.allocUnsafeSlow(Math.min(Math.max(bytes, this.#space.length * 2, firstSpaceBytes), this.#maxBytes + 1));
    this.#space.copy(space, 0, 0, this.#length);
    this.#space = space;
  }

  #drop(): void {
    this.#space = nothing;
    this.#length = 0;
  }
}
