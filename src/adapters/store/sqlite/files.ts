/**
 * The files of the store, looked at before and around SQLite. The state file itself is never opened here: closing any descriptor of it in this
 * process would drop the locks that SQLite holds on it (POSIX). Only `stat` and `access` touch it.
 */
import { accessSync, chmodSync, closeSync, constants, fsyncSync, lstatSync, mkdirSync, openSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { storeError } from "./errors.ts";

/** SQLite takes less than its smallest page for an empty file, and would write a new one over it. */
const smallestBytes = 512;

export interface StoreFiles {
  readonly folder: string;
  readonly db: string;
  readonly wal: string;
  /** Says that there is a state file, and how far its log had come. */
  readonly witness: string;
  readonly reserve: string;
  /** Folder of recorded answers that are too large for a row. */
  readonly answers: string;
}

export function storeFiles(folder: string): StoreFiles {
  const db = join(folder, "midwatch.db");
  return {
    folder,
    db,
    wal: `${resolveLink(db)}-wal`,
    witness: `${db}.witness`,
    reserve: join(folder, "reserve"),
    answers: join(folder, "answers"),
  };
}

/** SQLite keeps the -wal file beside the true file, where a link stands in its place. */
function resolveLink(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // not there, or out of reach: `examine` says so
  }
}

/** Makes the folder where there is none, for this user alone. One level after another: asked for all at once, Node never comes back from below /proc. */
export function makeFolder({ folder }: Pick<StoreFiles, "folder">): void {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  if (dirname(folder) !== folder) makeFolder({ folder: dirname(folder) });
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error; // another process was first
  }
}

/**
 * Whether there is a state file to open. Only `absent` may start afresh, and only where nothing points to an earlier file.
 * Another process may be making the file right now, which it does in the order file, -wal, witness: they are looked at the other way round.
 */
export function examine(files: StoreFiles): "absent" | "present" {
  const traces = [files.witness, files.wal].filter((path) => leadsBack(path, files));
  const found = statSync(files.db, { throwIfNoEntry: false });
  requireWritable(files.folder, files);
  if (found === undefined || (found.isFile() && found.size === 0)) {
    if (traces.length > 0)
      throw storeError("corrupt", files, `it is ${found === undefined ? "missing" : "empty"}, but ${traces[0]} is there`);
    if (lstatSync(files.db, { throwIfNoEntry: false })?.isSymbolicLink())
      throw storeError("unreadable", files, "it is a link that leads nowhere");
    return "absent";
  }
  if (!found.isFile())
    throw storeError("unreadable", files, found.isDirectory() ? "a folder stands in its place" : "it is not a regular file");
  if (found.size < smallestBytes) throw storeError("corrupt", files, `it was cut to ${found.size} bytes`);
  accessSync(files.db, constants.R_OK);
  requireWritable(files.db, files);
  keepPrivate(files.db, found.mode);
  return "present";
}

/** An empty -wal file says nothing: reading leaves one behind. */
function leadsBack(path: string, { wal }: StoreFiles): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && (path !== wal || found.size > 0);
}

/** Throws `read-only`, naming what cannot be written. */
export function requireWritable(path: string, files: StoreFiles): void {
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw storeError("read-only", files, `${path} is read-only for this user`, error);
  }
}

function keepPrivate(path: string, mode: number): void {
  if ((mode & 0o077) === 0) return;
  try {
    chmodSync(path, 0o600);
  } catch {
    // Somebody else's file that we may write: its owner decides.
  }
}

/** Runs `work` so that every file it makes is for this user alone. Only for work that does not wait: the mask is the whole process's. */
export function withPrivateFiles<T>(work: () => T): T {
  const before = process.umask(0o077);
  try {
    return work();
  } finally {
    process.umask(before);
  }
}

/** Without it a new file's name may be gone after a power cut, though its bytes are there. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Remembers which files the paths mean now; the returned check throws when one of them is gone or another one. */
export function watchIdentity(paths: readonly string[], files: StoreFiles): () => void {
  const known = paths.map((path) => ({ path, was: statSync(path, { bigint: true }) }));
  return () => {
    for (const { path, was } of known) {
      const is = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (is?.ino !== was.ino || is.dev !== was.dev)
        throw storeError("unreadable", files, `${path} was ${is ? "replaced" : "removed"} while it was in use`);
    }
  };
}
