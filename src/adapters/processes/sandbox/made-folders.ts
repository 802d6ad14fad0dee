/**
 * Folders that are made so that there is something to mount over, such as a cache that the person does not have yet. What is still empty when nothing runs any more
 * is taken away again: a night leaves no empty folders in a home.
 */
import { mkdirSync, rmdirSync } from "node:fs";
import type { Place } from "../../../core/sandbox/place.ts";

export class MadeFolders {
  readonly #made = new Set<string>();
  #running = 0;

  /** Before a start. */
  open(places: readonly Place[]): void {
    this.#running += 1;
    for (const { path, make } of places) if (make === true && makeFolder(path)) this.#made.add(path);
  }

  /** After its end. */
  close(): void {
    this.#running -= 1;
    if (this.#running > 0) return;
    for (const path of [...this.#made].reverse()) removeEmpty(path);
    this.#made.clear();
  }
}

function makeFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch {
    return false; // it is there, or in no folder, or not ours to make: then it is as it is
  }
}

function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // something is in it, and then it is the person's cache
  }
}
