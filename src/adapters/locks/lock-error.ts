/** Foreign errors of a lock file as ours. */
import { MidwatchError } from "../../core/error.ts";

/** SQLite's primary result code; null where the error is not SQLite's. */
function sqliteCode(error: unknown): number | null {
  const code = error instanceof Error && "errcode" in error ? error.errcode : null;
  return typeof code === "number" ? code & 0xff : null;
}

export const isBusy = (error: unknown): boolean => sqliteCode(error) === 5;

/** @param what  the lock file, or the tree whose lock file could not be named */
export function lockError(cause: unknown, what: string, place: string): unknown {
  if (!(cause instanceof Error)) return cause;
  const code = sqliteCode(cause);
  if (code === 11 || code === 26) {
    return new MidwatchError("environment", "E_LOCK_CORRUPT", `the lock file ${what} is damaged`, {
      hint: `when no run works in that tree, remove it: rm '${place}'`,
      cause,
    });
  }
  return new MidwatchError("environment", "E_LOCK_UNUSABLE", `${what} cannot be locked: ${cause.message}`, {
    hint: `see what is there and whose it is: ls -la '${place}'`,
    cause,
  });
}
