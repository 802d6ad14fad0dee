/** What a child prints: standard output goes to the log and line by line to the caller, of standard error the end is kept. Both are always read. */
import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import type { ProcessEnd } from "../../core/process-end.ts";
import type { ProcessSpec } from "../../ports/processes.ts";
import { LineSplitter } from "./line-splitter.ts";
import { RawLog } from "./raw-log.ts";
import { RefusedWrites } from "./sandbox/refused-writes.ts";
import { TextTail } from "./text-tail.ts";
import { afterInput, within } from "./wait.ts";

const stderrTailBytes = 8 * 1024;
const silenceMs = 50;
const maxSilences = 10;

export class Output {
  stdoutBytes = 0;
  readonly #log: RawLog | null;
  readonly #lines: LineSplitter | null;
  readonly #onWork: () => void;
  readonly #refused: { readonly out: RefusedWrites; readonly err: RefusedWrites } | null;
  readonly #tail = new TextTail(stderrTailBytes);
  #streams: readonly Readable[] = [];
  #isClosed: Promise<unknown> = Promise.resolve();
  #chunks = 0;

  constructor(spec: Pick<ProcessSpec, "log" | "onLine"> & { readonly isSandboxed: boolean }, onWork: () => void) {
    this.#refused = spec.isSandboxed ? { out: new RefusedWrites(), err: new RefusedWrites() } : null;
    this.#log = spec.log === undefined ? null : new RawLog(spec.log);
    this.#lines = spec.onLine === undefined ? null : new LineSplitter(spec.onLine);
    this.#onWork = onWork;
  }

  attach(child: ChildProcess): void {
    child.stdout?.on("data", (chunk: Buffer) => this.#takeOut(chunk));
    child.stderr?.on("data", (chunk: Buffer) => this.#takeErr(chunk));
    this.#streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
    this.#isClosed = Promise.all(this.#streams.map(whenClosed));
  }

  /**
   * Reads what is still in the pipes of a child that has ended. Its own descendants may hold them open and go on writing: this ends at a
   * silence, and after a number of them in any case; each lets pass at least one read, so what the child itself left is read to its end.
   */
  async drain(): Promise<void> {
    for (let round = 0; round < maxSilences; round += 1) {
      const before = this.#chunks;
      if (await within(this.#isClosed, silenceMs)) return;
      await afterInput();
      if (this.#chunks === before) return;
    }
  }

  async close(): Promise<void> {
    for (const stream of this.#streams) stream.destroy();
    await this.#isClosed;
    this.#lines?.finish();
    this.#log?.close();
  }

  read(): Pick<ProcessEnd, "stdoutBytes" | "linesCut" | "stderrTail" | "logError" | "refusedWrites"> {
    const logError = this.#log?.error ?? null;
    const refusedWrites = this.#refused === null ? [] : [...new Set([...this.#refused.out.read(), ...this.#refused.err.read()])];
    const rest = { ...(logError === null ? {} : { logError }), ...(refusedWrites.length === 0 ? {} : { refusedWrites }) };
    return { stdoutBytes: this.stdoutBytes, linesCut: this.#lines?.linesCut ?? 0, stderrTail: this.#tail.read(), ...rest };
  }

  #takeOut(chunk: Buffer): void {
    this.#chunks += 1;
    this.stdoutBytes += chunk.length;
    this.#refused?.out.push(chunk);
    this.#log?.append(chunk);
    if (this.#lines === null || this.#lines.push(chunk)) this.#onWork();
  }

  #takeErr(chunk: Buffer): void {
    this.#chunks += 1;
    this.#refused?.err.push(chunk);
    this.#tail.push(chunk);
  }
}

function whenClosed(stream: Readable): Promise<void> {
  stream.on("error", () => {}); // a broken pipe closes as well, and its reader asks for no more
  return new Promise((resolve) => stream.on("close", () => resolve()));
}
