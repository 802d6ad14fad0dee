/**
 * Standard input of a child. Given text is put into an anonymous file, and the child reads that: it ends by itself, a child that never
 * reads leaves nothing pending, no write can fail later, and `/dev/stdin` can be opened (it cannot, on the sockets that Node makes).
 */
import { closeSync, openSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProcessSpec } from "../../ports/processes.ts";

export interface Input {
  readonly stdio: number | "ignore" | "pipe";
  /** To be written and closed by us, when no file could be made. */
  readonly text: string | Uint8Array | null;
  /** Our own copy of the file; called once, after the spawn. */
  release(): void;
}

let made = 0;

export function openInput(input: ProcessSpec["input"]): Input {
  if (input === null) return { stdio: "ignore", text: null, release() {} };
  if (input === "open") return { stdio: "pipe", text: null, release() {} };
  try {
    const file = fill(typeof input === "string" ? Buffer.from(input) : input);
    return { stdio: file, text: null, release: () => closeSync(file) };
  } catch {
    return { stdio: "pipe", text: input, release() {} }; // no room for a file: a pipe does as well
  }
}

/** The writes say where they go, so the place from which the child reads stays at the beginning. */
function fill(bytes: Uint8Array): number {
  made += 1;
  const path = join(tmpdir(), `midwatch-input-${process.pid}-${made}`);
  const file = openSync(path, "wx+", 0o600);
  try {
    unlinkSync(path);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}
