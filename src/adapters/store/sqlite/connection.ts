/** Opens a SQLite file as a state file: its settings, set and read back, and the migrations that it still needs. */
import { DatabaseSync } from "node:sqlite";
import { MidwatchError } from "../../../core/error.ts";
import { faultPoint } from "../../../faults.ts";
import { DamagedRow, isBusy, storeError } from "./errors.ts";
import { type StoreFiles, withPrivateFiles } from "./files.ts";
import { knownVersion, migrations } from "./migrations.ts";
import { napWhileBusy } from "./nap.ts";
import type { Seen } from "./witness.ts";

/** "Midw", in the header of the file: tells a state file from any other SQLite file. */
const applicationId = 0x4d696477;

/** The tables of this version were the first with calls. */
const firstWithCalls = 2;

/** A connection with its settings, for reading and writing. */
export function connect(files: StoreFiles, busyMs: number): DatabaseSync {
  return withPrivateFiles(() => {
    const connection = new DatabaseSync(files.db);
    try {
      napWhileBusy(() => configure(connection, files), isBusy, busyMs);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  });
}

/** Reads with a connection that cannot write: it leaves a damaged file and its -wal as they are, closing included. */
export function readOnly<T>(files: StoreFiles, busyMs: number, work: (connection: DatabaseSync) => T): T {
  const connection = withPrivateFiles(() => new DatabaseSync(files.db, { readOnly: true }));
  try {
    return withPrivateFiles(() => napWhileBusy(() => work(connection), isBusy, busyMs));
  } finally {
    connection.close();
  }
}

function configure(connection: DatabaseSync, files: StoreFiles): void {
  // We nap ourselves; fullfsync matters on macOS alone, where a plain fsync stops at the disk's cache.
  connection.exec(
    "PRAGMA busy_timeout = 0; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA fullfsync = ON; PRAGMA cell_size_check = ON",
  );
  if (readPragma(connection, "journal_mode") !== "wal" && readPragma(connection, "journal_mode = WAL") !== "wal") {
    throw storeError("unreadable", files, "this file system does not let SQLite keep a write-ahead log");
  }
  if (readPragma(connection, "synchronous") !== 2 || readPragma(connection, "foreign_keys") !== 1) {
    throw new MidwatchError("bug", "E_STORE_SETTINGS", `SQLite did not take its settings for ${files.db}`);
  }
}

/** The first column of the answer; `PRAGMA journal_mode = WAL` answers under the name without the value. */
export function readPragma(connection: DatabaseSync, pragma: string): unknown {
  return Object.values(connection.prepare(`PRAGMA ${pragma}`).get() ?? {})[0];
}

/** The numbers of the newest event that was ever added, removed ones included, and of the newest call, which is never removed. */
export function lastNumbers(connection: DatabaseSync, version: number): Seen {
  const read = (sql: string) => Number(Object.values(connection.prepare(sql).get() ?? {})[0] ?? 0);
  const event = read("SELECT seq FROM sqlite_sequence WHERE name = 'event'");
  return { event, call: version < firstWithCalls ? 0 : read("SELECT max(number) FROM call") };
}

/**
 * Judges whose tables these are.
 * @param seen  the last numbers known to the witness; null = nothing says that there ever was a state file here
 * @returns the version of the tables; 0 = none yet, and that is as it should be
 */
export function judgeTables(connection: DatabaseSync, files: StoreFiles, seen: Seen | null): number {
  const version = Number(readPragma(connection, "user_version"));
  const owner = Number(readPragma(connection, "application_id"));
  if (version === 0) {
    const isEmpty = owner === 0 && connection.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
    if (isEmpty && seen === null) return 0;
    throw storeError("corrupt", files, isEmpty ? "its tables are gone" : "it belongs to another program");
  }
  if (owner !== applicationId) throw storeError("corrupt", files, "it belongs to another program");
  if (version > knownVersion)
    throw storeError("newer-version", files, `its tables have version ${version}, this program knows ${knownVersion}`);
  const last = lastNumbers(connection, version);
  for (const what of ["event", "call"] as const) requireAll(what, last[what], seen?.[what] ?? 0, files);
  return version;
}

function requireAll(what: string, last: number, seen: number, files: StoreFiles): void {
  if (last >= seen) return;
  const cause = "its -wal file was cut or removed, or this is an older copy";
  throw storeError("corrupt", files, `it ends at ${what} ${last}, and there were ${seen}: ${cause}`);
}

/**
 * Brings the tables to our version, in one transaction: never half. Another process may have done it meanwhile. A table that is made anew is dropped with rows that
 * others refer to: references are looked at in the end instead, and outside of a transaction alone can that be said. Triggers that name it meanwhile are no fault either.
 */
export function migrate(connection: DatabaseSync, busyMs: number): void {
  connection.exec("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON");
  try {
    migrateTables(connection, busyMs);
  } finally {
    connection.exec("PRAGMA foreign_keys = ON; PRAGMA legacy_alter_table = OFF");
  }
}

function migrateTables(connection: DatabaseSync, busyMs: number): void {
  napWhileBusy(() => connection.exec("BEGIN IMMEDIATE"), isBusy, busyMs);
  try {
    const version = Number(readPragma(connection, "user_version"));
    for (const { sql } of migrations.filter((one) => one.version > version)) connection.exec(sql);
    const stray = connection.prepare("PRAGMA foreign_key_check").get();
    if (stray !== undefined) throw new DamagedRow(`a row of ${String(stray["table"])} refers to nothing`);
    if (version < knownVersion) connection.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${knownVersion}`);
    faultPoint("store.migrating");
    napWhileBusy(() => connection.exec("COMMIT"), isBusy, busyMs);
  } catch (error) {
    rollBack(connection);
    throw error;
  }
  faultPoint("store.migrated");
}

function rollBack(connection: DatabaseSync): void {
  try {
    connection.exec("ROLLBACK");
  } catch {
    // SQLite has rolled it back itself.
  }
}
