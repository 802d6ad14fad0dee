/**
 * The one door at which foreign errors of the store become ours: each names the file and the next step.
 * A fault is recognised by SQLite's result code or the system's error code, never by words.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ErrorKind, MidwatchError } from "../../../core/error.ts";
import type { StoreFault } from "../../../ports/store.ts";
import type { StoreFiles } from "./files.ts";

/** A row that cannot be what we wrote. */
export class DamagedRow extends Error {}

interface Wording {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly message: (file: string, detail: string) => string;
  readonly hint: (files: StoreFiles) => string;
}

const wordings: Readonly<Record<StoreFault, Wording>> = {
  busy: {
    kind: "busy",
    code: "E_STORE_BUSY",
    message: (file) => `the state file ${file} is busy: another process did not let go of it in time`,
    hint: () => "wait a moment and try again",
  },
  unreadable: {
    kind: "environment",
    code: "E_STORE_UNREADABLE",
    message: (file, detail) => `the state file ${file} cannot be used: ${detail}`,
    hint: ({ folder }) => `see what is there and whose it is: ls -la ${quote(folder)}`,
  },
  corrupt: {
    kind: "environment",
    code: "E_STORE_CORRUPT",
    message: (file, detail) => `the state file ${file} is damaged: ${detail}; it was left as it is`,
    hint: ({ folder, witness }) =>
      `put a copy of it back and run: rm ${quote(witness)} - or keep it aside and start afresh: mv ${quote(folder)} ${quote(`${folder}.damaged`)}`,
  },
  "newer-version": {
    kind: "environment",
    code: "E_STORE_NEWER",
    message: (file, detail) => `the state file ${file} belongs to a newer midwatch: ${detail}`,
    hint: () => "install the newer version again: npm install -g midwatch@latest",
  },
  "read-only": {
    kind: "environment",
    code: "E_STORE_READ_ONLY",
    message: (file, detail) => `the state file ${file} cannot be written: ${detail}`,
    hint: ({ folder }) => `make ${folder} writable for this user, or set XDG_STATE_HOME to a folder that is`,
  },
  "disk-full": {
    kind: "environment",
    code: "E_DISK_FULL",
    message: (file, detail) => `the disk is full, the state file ${file} cannot be written: ${detail}`,
    hint: ({ folder }) => `make room on the disk of ${folder}, then go on: midwatch resume`,
  },
};

export function storeError(fault: StoreFault, files: StoreFiles, detail: string, cause?: unknown): MidwatchError {
  const { kind, code, message, hint } = wordings[fault];
  return new MidwatchError(kind, code, message(files.db, detail), { hint: hint(files), cause });
}

/** For a shell: our messages name commands that can be copied. */
function quote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** SQLite's primary result code; null where the error is not SQLite's. */
export function sqliteCode(error: unknown): number | null {
  const code = error instanceof Error && "errcode" in error ? error.errcode : null;
  return typeof code === "number" ? code & 0xff : null;
}

export const isBusy = (error: unknown): boolean => sqliteCode(error) === 5;
export const isDiskFull = (error: unknown): boolean => error instanceof MidwatchError && error.code === wordings["disk-full"].code;

const systemFaults: Readonly<Record<string, StoreFault>> = {
  ENOSPC: "disk-full",
  EDQUOT: "disk-full",
  EROFS: "read-only",
  ...Object.fromEntries(
    ["EACCES", "EPERM", "ENOENT", "ENOTDIR", "EISDIR", "EEXIST", "ELOOP", "ENAMETOOLONG", "EIO", "EMFILE", "ENFILE"].map((code) => [
      code,
      "unreadable",
    ]),
  ),
};

const sqliteFaults: Readonly<Record<number, StoreFault>> = {
  3: "unreadable", // PERM
  5: "busy", // BUSY
  8: "read-only", // READONLY
  11: "corrupt", // CORRUPT
  13: "disk-full", // FULL
  14: "unreadable", // CANTOPEN
  26: "corrupt", // NOTADB
};

/** Gives our error for a foreign one. What is no fault of the file (a mistake in our code) comes out as it is. */
export function translateError(error: unknown, files: StoreFiles): unknown {
  if (error instanceof MidwatchError || !(error instanceof Error)) return error;
  if (error instanceof DamagedRow) return storeError("corrupt", files, error.message, error);
  const code = sqliteCode(error);
  if (code === 10) return storeError(probeDisk(files), files, error.message, error); // IOERR says nothing of the reason
  if (code === 19)
    return new MidwatchError("bug", "E_STORE_REFUSED", `the state file ${files.db} refused a write: ${error.message}`, { cause: error });
  const fault = code === null ? systemFaults[systemCode(error)] : sqliteFaults[code];
  return fault === undefined ? error : storeError(fault, files, error.message, error);
}

function systemCode(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** A quota, a full disk under shared memory and a lost mount all come as one code: writing a little tells them apart. */
function probeDisk({ folder }: StoreFiles): StoreFault {
  const probe = join(folder, "probe");
  try {
    writeFileSync(probe, Buffer.alloc(64 * 1024), { mode: 0o600 });
    return "unreadable";
  } catch (error) {
    return (error instanceof Error ? systemFaults[systemCode(error)] : undefined) ?? "unreadable";
  } finally {
    rmSync(probe, { force: true });
  }
}
