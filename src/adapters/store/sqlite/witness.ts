/**
 * A small file beside the state file, written after each commit: the number of the last event. With it, a state file that was emptied, removed or
 * put back to an earlier time (its -wal cut or deleted) is noticed at the next opening and does not pass for a fresh one.
 * Never ahead of the state file: it is written after the commit is on the disk. May be behind. Not synced: it is a witness, not a ledger.
 */
import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";
import type { StoreFiles } from "./files.ts";

export interface Witness {
  note(lastEvent: number): void;
  close(): void;
}

const line = (lastEvent: number) =>
  `Written by midwatch beside midwatch.db, to notice when that file is lost or an older one stands in its place.\nlast event: ${String(lastEvent).padStart(16)}\n`;

/** The last event it saw, null where there is no witness. One that cannot be understood has seen event 0. */
export function readWitness({ witness }: StoreFiles): number | null {
  try {
    return Number(/^last event: +(\d+)$/m.exec(readFileSync(witness, "utf8"))?.[1] ?? 0);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Opens the witness, makes it where there is none. */
export function openWitness({ witness }: StoreFiles, lastEvent: number): Witness {
  const descriptor = openSync(witness, constants.O_RDWR | constants.O_CREAT, 0o600);
  const note = (event: number) => {
    try {
      writeSync(descriptor, line(event), 0);
    } catch {
      // A witness that stays behind accuses nobody.
    }
  };
  note(lastEvent);
  return { note, close: () => closeSync(descriptor) };
}
