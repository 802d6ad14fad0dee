/** Why nothing can be done with a batch, for whoever named it. */
import { MidwatchError } from "../error.ts";

/** Throws MidwatchError kind usage. */
export function unknownBatch(name: string): never {
  throw new MidwatchError("usage", "E_BATCH_UNKNOWN", `there is no batch ${name}`, { hint: "see them with: midwatch batch status" });
}

/** Of an archived batch only the books are in the store. @param path  of its file */
export function archivedBatch(name: string, path: string | null): MidwatchError {
  return new MidwatchError("usage", "E_BATCH_ARCHIVED", `batch ${name} is archived: ${path}`, {
    hint: `bring it back with: midwatch batch restore ${name}`,
  });
}
