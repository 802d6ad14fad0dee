/**
 * The top of the working tree around a folder, found without git: for commands that only look runs up, where starting git would cost more than the rest.
 * The nearest folder that holds a `.git` (a folder, or the file of a linked tree) is the top. What is in it is not believed further than that.
 */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** Real path; null when there is none up to the root. */
export function findTreeTop(folder: string): string | null {
  for (let place = realpathSync(folder); ; place = dirname(place)) {
    if (existsSync(join(place, ".git"))) return place;
    if (place === dirname(place)) return null;
  }
}
