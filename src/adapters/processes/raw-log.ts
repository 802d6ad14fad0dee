/**
 * The raw standard output of a child in a file: appended as it came, up to a size, then one mark that says so. Writes go to the page
 * cache and are not waited for on the disk. A log that cannot be written is given up and its error kept: it never ends the child.
 */
import { closeSync, fstatSync, openSync, writeSync } from "node:fs";
import type { RawLogSpec } from "../../ports/processes.ts";
import { codeOf } from "./kin.ts";

export class RawLog {
  /** The system's code of the error that ended the log early. */
  error: string | null = null;
  readonly #maxBytes: number;
  readonly #redacting: RawLogSpec["redacting"];
  #file = -1;
  #roomBytes = 0;

  constructor(spec: RawLogSpec) {
    this.#maxBytes = spec.maxBytes;
    this.#redacting = spec.redacting;
    this.#try(() => {
      this.#file = openSync(spec.path, "a", 0o600);
      this.#roomBytes = Math.max(0, spec.maxBytes - fstatSync(this.#file).size);
    });
  }

  append(chunk: Buffer): void {
    if (this.#file >= 0) this.#put(this.#redacting?.push(chunk) ?? chunk);
  }

  #put(chunk: Uint8Array): void {
    this.#try(() => {
      this.#write(chunk.subarray(0, this.#roomBytes));
      if (chunk.length <= this.#roomBytes) this.#roomBytes -= chunk.length;
      else this.#cut();
    });
  }

  close(): void {
    if (this.#file >= 0 && this.#redacting !== undefined) this.#put(this.#redacting.end());
    this.#end();
  }

  #end(): void {
    const file = this.#file;
    this.#file = -1;
    if (file < 0) return;
    this.#try(() => closeSync(file)); // some file systems report a full disk only here
  }

  #cut(): void {
    this.#write(Buffer.from(`\n[midwatch: the log is cut here, at ${this.#maxBytes} bytes]\n`));
    this.#end();
  }

  #write(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) from += writeSync(this.#file, bytes, from);
  }

  #try(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.error ??= codeOf(error);
      this.#end();
    }
  }
}
