/** The thorough look at the state file, for `doctor` and before a night: reads every page, changes nothing, makes nothing. */
import { statSync } from "node:fs";
import { MidwatchError } from "../../../core/error.ts";
import { judgeTables, readOnly } from "./connection.ts";
import { storeError, translateError } from "./errors.ts";
import { examine, type StoreFiles, storeFiles } from "./files.ts";
import { readWitness } from "./witness.ts";

export type StoreCheck =
  | { readonly kind: "absent"; readonly file: string }
  | { readonly kind: "sound"; readonly file: string; readonly version: number; readonly bytes: number }
  | { readonly kind: "faulty"; readonly file: string; readonly error: MidwatchError };

const busyMs = 5000;

/** Never throws for what is wrong with the file: that is the answer. */
export function checkStore(folder: string): StoreCheck {
  const files = storeFiles(folder);
  const file = files.db;
  try {
    if (statSync(folder, { throwIfNoEntry: false }) === undefined || examine(files) === "absent") return { kind: "absent", file };
    return { kind: "sound", file, version: readThrough(files), bytes: statSync(file).size };
  } catch (foreign) {
    const error = translateError(foreign, files);
    if (error instanceof MidwatchError) return { kind: "faulty", file, error };
    throw error;
  }
}

function readThrough(files: StoreFiles): number {
  const seen = readWitness(files);
  return readOnly(files, busyMs, (connection) => {
    const version = judgeTables(connection, files, seen);
    const complaint = Object.values(connection.prepare("PRAGMA integrity_check(1)").get() ?? {})[0];
    if (complaint !== "ok") throw storeError("corrupt", files, String(complaint));
    const orphan = connection.prepare("PRAGMA foreign_key_check").get();
    if (orphan !== undefined)
      throw storeError("corrupt", files, `a row of ${orphan["table"]} refers to a row of ${orphan["parent"]} that is gone`);
    return version;
  });
}
