/**
 * What happened to the history since a window's start, and what a claim changed, without a git process: two of them cost 9 ms, this one. It says what change.ts
 * and history.ts would say, or null: then git is asked. A repository in which git looks past the objects themselves is always git's.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { TreeChange } from "../../core/ground.ts";
import type { FileChange } from "../../ports/history.ts";
import type { WorkspaceLocation } from "../../ports/workspace.ts";
import { textOf } from "./blob-texts.ts";
import { measureDistance, readCommit } from "./history-walk.ts";
import { openLooseObjects, type ReadObject } from "./loose-object.ts";
import { readSmallFile } from "./small-file.ts";
import { compareTrees, type Entry, type EntryChange, submoduleMode } from "./tree-difference.ts";

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
  const read = openPlainObjects(location, head);
  const distance = read === null ? null : measureDistance(read, base, head);
  if (read === null || distance === null) return null;
  const files = compareCommits(read, { base, head, bookkeeping });
  if (files === null || files.some(({ after }) => after !== null && after.mode !== submoduleMode && mayHaveMarker(read, after.oid)))
    return null;
  return { ...distance, codeChanged: files.length > 0, conflictMarkers: [] };
}

/** The files that differ, with their texts, as history.ts gives them; the same promises as above. */
export function readLooseFiles(location: WorkspaceLocation, span: CommitSpan): readonly FileChange[] | null {
  const read = openPlainObjects(location, span.head);
  const files = read === null ? null : compareCommits(read, span);
  if (read === null || files === null) return null;
  const changes: FileChange[] = [];
  for (const { path, before, after } of files) {
    const [was, is] = [textAt(read, before), textAt(read, after)];
    if (was === null || is === null) return null;
    const kind = before === null ? "added" : after === null ? "removed" : "changed";
    changes.push({ path: Buffer.from(path, "latin1").toString("utf8"), kind, before: was.text, after: is.text });
  }
  return changes;
}

/** Null = git has to be asked for it. */
function textAt(read: ReadObject, entry: Entry | null): { readonly text: string | null } | null {
  if (entry === null || !entry.mode.startsWith("100")) return { text: null };
  const bytes = read("blob", entry.oid);
  return bytes === null ? null : { text: textOf(bytes) };
}

/** Null = git has to be asked. */
function openPlainObjects({ commonDir }: WorkspaceLocation, head: string): ReadObject | null {
  return head.length === sha1Digits && isPlain(commonDir) ? openLooseObjects(commonDir) : null;
}

interface CommitSpan {
  /** "" = the beginning of time. */
  readonly base: string;
  readonly head: string;
  readonly bookkeeping: readonly string[];
}

function compareCommits(read: ReadObject, { base, head, bookkeeping }: CommitSpan): readonly EntryChange[] | null {
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
