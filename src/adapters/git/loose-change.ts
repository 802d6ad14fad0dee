/**
 * What happened to the history since a window's start, without a git process: two of them cost 9 ms, this one. It says what change.ts
 * would say, or null: then git is asked. A repository in which git looks past the objects themselves is always git's.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { TreeChange } from "../../core/ground.ts";
import type { WorkspaceLocation } from "../../ports/workspace.ts";
import { measureDistance, readCommit } from "./history-walk.ts";
import { openLooseObjects, type ReadObject } from "./loose-object.ts";
import { readSmallFile } from "./small-file.ts";
import { compareTrees, type TreeDifference } from "./tree-difference.ts";

type LooseChange = Pick<TreeChange, "commits" | "codeChanged" | "conflictMarkers" | "baseLost">;

const sha1Digits = 40;
const marker = "<<<<<<<";

/** Compares two commits; `base` "" = the beginning of time, `head` is not "". Never throws. */
export function readLooseChange(
  location: WorkspaceLocation,
  base: string,
  head: string,
  bookkeeping: readonly string[],
): LooseChange | null {
  if (head.length !== sha1Digits || !isPlain(location.commonDir)) return null;
  const read = openLooseObjects(location.commonDir);
  const distance = measureDistance(read, base, head);
  const difference = distance === null ? null : compareCommits(read, base, head, bookkeeping);
  if (distance === null || difference === null || difference.blobs.some((blob) => mayHaveMarker(read, blob))) return null;
  return { ...distance, codeChanged: difference.changed > 0, conflictMarkers: [] };
}

function compareCommits(read: ReadObject, base: string, head: string, bookkeeping: readonly string[]): TreeDifference | null {
  const before = base === "" ? { tree: null } : readCommit(read, base);
  const after = readCommit(read, head);
  return before === null || after === null ? null : compareTrees(read, before.tree, after.tree, bookkeeping);
}

/** A line that could begin a conflict. Whether it is new, and its file a text, is for git to say: there is hardly ever one. */
function mayHaveMarker(read: ReadObject, blob: string): boolean {
  const bytes = read("blob", blob);
  return bytes === null || bytes.includes(`\n${marker}`) || bytes.toString("latin1", 0, marker.length) === marker;
}

/** No history that other files than the commits cut off or rewrite, and refs that are files. */
function isPlain(commonDir: string): boolean {
  try {
    const isThere = (name: string): boolean => lstatSync(join(commonDir, name), { throwIfNoEntry: false }) !== undefined;
    if (["shallow", "info/grafts", "refs/replace", "reftable"].some(isThere)) return false;
    return !isThere("packed-refs") || readSmallFile(join(commonDir, "packed-refs"))?.includes(" refs/replace/") === false;
  } catch {
    return false; // a folder that is closed to us
  }
}
