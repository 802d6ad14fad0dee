/**
 * Opening the store: absent, busy, unreadable, corrupt, newer, read-only and disk-full are different answers. Only absent starts afresh.
 * A full check is O(size) and is not done here (see check.ts): the header, the tables' version and the witness are; a damaged page answers when it is read.
 */
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Store } from "../../../ports/store.ts";
import { sweepAnswers } from "./answers.ts";
import { connect, judgeTables, lastNumbers, migrate, readOnly } from "./connection.ts";
import { Database, type Surroundings, type Urgency } from "./database.ts";
import { isDiskFull, storeError, translateError } from "./errors.ts";
import { examine, makeFolder, requireWritable, type StoreFiles, storeFiles, watchIdentity } from "./files.ts";
import { knownVersion } from "./migrations.ts";
import { createReserve, type Reserve } from "./reserve.ts";
import { joinStore } from "./store.ts";
import { openWitness, readWitness } from "./witness.ts";

export interface StoreOptions {
  /** The state folder; made when it is missing. */
  readonly folder: string;
  /** How long a write waits for other processes. */
  readonly busyMs?: number;
}

const defaultBusyMs = 5000;

/**
 * Five looks at files cost a booked call as much as all its statements. Looking less often is sound: whoever removes or replaces the file takes every call
 * with it that was ever booked, so one that is booked up to this long after shares a loss which the next look tells; a folder that became read-only stops
 * no descriptor that is open; and of a reserve that another process gives up meanwhile, intents of this time can eat a small part.
 */
const lookEveryMs = 50;
const neverLooked: Readonly<Record<Urgency, number>> = { ordinary: Number.NEGATIVE_INFINITY, "last-word": Number.NEGATIVE_INFINITY };

/** Opens the store of a state folder, makes it where there is none. Throws MidwatchError for every fault of the file. */
export async function openStore({ folder, busyMs = defaultBusyMs }: StoreOptions): Promise<Store> {
  const files = storeFiles(folder);
  const reserve = createReserve(files);
  try {
    return joinFile(openDatabase(files, reserve, busyMs), files);
  } catch (error) {
    // Even reading needs 32 KiB of shared memory beside the file.
    const fault = translateError(error, files);
    if (!isDiskFull(fault) || !reserve.free()) throw fault;
    return joinFile(openDatabase(files, reserve, busyMs), files);
  }
}

function joinFile(db: Database, { db: path, folder, answers }: StoreFiles): Store {
  sweepAnswers(db, { folder: answers });
  return joinStore(db, { folder: answers }, { db: path, folder: join(folder, "archive"), answers: { folder: answers } });
}

function openDatabase(files: StoreFiles, reserve: Reserve, busyMs: number): Database {
  try {
    makeFolder(files);
    const seen = readWitness(files);
    const version = examine(files) === "absent" ? 0 : readOnly(files, busyMs, (connection) => judgeTables(connection, files, seen));
    const connection = connect(files, busyMs);
    try {
      if (version < knownVersion) migrate(connection, busyMs);
      return new Database(connection, surround(connection, files, reserve), busyMs);
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    throw translateError(error, files);
  }
}

function surround(connection: DatabaseSync, files: StoreFiles, reserve: Reserve): Surroundings {
  const checkIdentity = watchIdentity([files.db, files.wal], files);
  const witness = openWitness(files, lastNumbers(connection, knownVersion));
  keepIfRoom(reserve);
  let lookedAt: Readonly<Record<Urgency, number>> = neverLooked;
  return {
    beforeWrite(urgency, pace) {
      const now = performance.now();
      if (pace === "often" && now - lookedAt[urgency] < lookEveryMs) return;
      checkIdentity();
      requireWritable(files.folder, files);
      requireWritable(files.db, files);
      if (urgency === "ordinary") reserve.keep();
      lookedAt = { ...lookedAt, [urgency]: now };
    },
    inTransaction(version) {
      if (version !== knownVersion)
        throw storeError(
          "newer-version",
          files,
          `its tables were changed to version ${version} while this program, which knows ${knownVersion}, was running`,
        );
    },
    afterWrite: witness.note,
    freeReserve() {
      lookedAt = neverLooked;
      return reserve.free();
    },
    translate: (error) => translateError(error, files),
    close: witness.close,
  };
}

function keepIfRoom(reserve: Reserve): void {
  try {
    reserve.keep();
  } catch {
    // Reading is still possible; the first ordinary write says what is wrong.
  }
}
