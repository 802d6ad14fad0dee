/**
 * The kernel's lock on a working tree: a small SQLite file held with BEGIN EXCLUSIVE. Release or death of the holder frees it, whatever is written
 * anywhere; nothing in it is read. Holds inside:
 * - A lock file is opened once in this process. Closing any descriptor of it would drop the lock (POSIX locks belong to the process).
 * - A lock file is never removed: another process may be waiting for that very file.
 */
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TreeLocks } from "../../ports/store.ts";
import { isBusy, lockError } from "./lock-error.ts";

/** By the lock file's real path, of this whole process. The connection is kept from the garbage collector, which would close it. */
const held = new Map<string, DatabaseSync>();

/** Others who look at the same moment hold the file for well under a millisecond; who holds it longer than this has the tree. */
const contendMs = 100;

const cell = new Int32Array(new SharedArrayBuffer(4));

/** @param folder  the state folder; the lock files are in its `locks` */
export function createTreeLocks(folder: string): TreeLocks {
  return {
    async acquire(worktree) {
      const file = await lockFile(folder, worktree);
      if (held.has(file)) return { kind: "busy" };
      const connection = hold(file);
      if (connection === null) return { kind: "busy" };
      held.set(file, connection);
      return { kind: "held", release: () => release(file, connection) };
    },
  };
}

/** Named after the real path, so that a link or another spelling of the tree is the same lock. */
async function lockFile(folder: string, worktree: string): Promise<string> {
  try {
    const { createHash } = await import("node:crypto"); // 10 ms that commands without a lock do not pay
    const locks = join(folder, "locks");
    mkdirSync(locks, { recursive: true, mode: 0o700 });
    const name = createHash("sha256").update(realpathSync.native(worktree)).digest("hex").slice(0, 32);
    return join(realpathSync.native(locks), `${name}.db`);
  } catch (error) {
    throw lockError(error, worktree, folder);
  }
}

/** The connection that holds the file; null when another process does. */
function hold(file: string): DatabaseSync | null {
  let connection: DatabaseSync | undefined;
  try {
    connection = openPrivately(file);
    if (contend(connection)) return connection;
    connection.close();
    return null;
  } catch (error) {
    connection?.close();
    throw lockError(error, file, file);
  }
}

/** The first statement that looks at the file answers busy too, hence both in one; in MEMORY no journal lies beside the file after a kill. */
function contend(connection: DatabaseSync): boolean {
  const startedAt = performance.now();
  for (;;) {
    try {
      connection.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
      return true;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() - startedAt >= contendMs) return false;
      Atomics.wait(cell, 0, 0, 0.1 + 0.9 * Math.random());
    }
  }
}

/** The file is for this user alone. It stays empty: the lock is on places in it, not on bytes. */
function openPrivately(file: string): DatabaseSync {
  const before = process.umask(0o077);
  try {
    return new DatabaseSync(file);
  } finally {
    process.umask(before);
  }
}

function release(file: string, connection: DatabaseSync): void {
  if (held.get(file) !== connection) return;
  held.delete(file);
  connection.close();
}
