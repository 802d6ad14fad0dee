/**
 * A small file beside the state file, written after commits: the numbers of the last event and of the last call. With it, a state file that was emptied,
 * removed or put back to an earlier time (its -wal cut or deleted) is noticed at the next opening and does not pass for a fresh one.
 * Never ahead of the state file: it is written after the commit is on the disk. May be behind. Not synced: it is a witness, not a ledger.
 */
import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";
import type { Newest } from "./database.ts";
import type { StoreFiles } from "./files.ts";

export interface Witness {
  note(newest: Newest): void;
  close(): void;
}

/** What was given before now: numbers of rows that may have been removed since. */
export interface Seen {
  readonly event: number;
  readonly call: number;
}

const head = "Written by midwatch beside midwatch.db, to notice when that file is lost or an older one stands in its place.\n";
/** Each line has its place and its length, so that a process writes only what it knows better. */
const lines = {
  event: { at: head.length, text: (last: number) => `last event: ${String(last).padStart(16)}\n` },
  call: { at: head.length + 29, text: (last: number) => `last call: ${String(last).padStart(17)}\n` },
};

/** Calls come by the hundred a second; a witness may be behind. */
const callsEveryMs = 50;

/** The last ones it saw, null where there is no witness. One that cannot be understood has seen number 0. */
export function readWitness({ witness }: StoreFiles): Seen | null {
  try {
    const text = readFileSync(witness, "utf8");
    return { event: numberIn(text, /^last event: +(\d+)$/m), call: numberIn(text, /^last call: +(\d+)$/m) };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

function numberIn(text: string, line: RegExp): number {
  return Number(line.exec(text)?.[1] ?? 0);
}

/** Opens the witness, makes it where there is none. */
export function openWitness({ witness }: StoreFiles, { event, call }: Seen): Witness {
  const descriptor = openSync(witness, constants.O_RDWR | constants.O_CREAT, 0o600);
  let notedAt = 0;
  let waiting: number | null = null;
  const noteCall = (last: number) => {
    const now = performance.now();
    waiting = now - notedAt < callsEveryMs ? last : null;
    if (waiting !== null) return;
    notedAt = now;
    put(descriptor, lines.call.at, lines.call.text(last));
  };
  put(descriptor, 0, head + lines.event.text(event) + lines.call.text(call));
  return {
    note(newest) {
      if (newest.event !== undefined) put(descriptor, lines.event.at, lines.event.text(newest.event));
      if (newest.call !== undefined) noteCall(newest.call);
    },
    close() {
      if (waiting !== null) put(descriptor, lines.call.at, lines.call.text(waiting));
      closeSync(descriptor);
    },
  };
}

function put(descriptor: number, at: number, text: string): void {
  try {
    writeSync(descriptor, text, at);
  } catch {
    // A witness that stays behind accuses nobody.
  }
}
