/**
 * Compares the trees of two commits without starting git, as `git diff-tree -r --no-renames` does: entry by entry, equal ids unopened.
 * Null means: too much of it, not to be read from here, or not a tree as git writes it.
 */
import type { ReadObject } from "./loose-object.ts";

export interface TreeDifference {
  /** Files, links and submodules that are new, gone or other than before. */
  readonly changed: number;
  /** The content of those that are there now; a submodule has none. */
  readonly blobs: readonly string[];
}

interface Entry {
  readonly mode: string;
  readonly oid: string;
}

type Tree = ReadonlyMap<string, Entry>;

const maxChanged = 200;
const oidBytes = 20;
const folderMode = "40000";
const submoduleMode = "160000";
const modes = new Set([folderMode, submoduleMode, "100644", "100755", "120000"]);
/** The tree that has no entry; git has it without a file. */
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** Compares two trees by id; `base` null = nothing was there. `bookkeeping` is normalized: paths that do not count, with all below them. */
export function compareTrees(read: ReadObject, base: string | null, head: string, bookkeeping: readonly string[]): TreeDifference | null {
  const skipped = new Set(bookkeeping.map((path) => Buffer.from(path).toString("latin1")));
  const blobs: string[] = [];
  let changed = 0;
  const visit = (baseId: string | null, headId: string | null, folder: string): boolean => {
    if (baseId === headId) return true;
    const [before, after] = [readTree(read, baseId), readTree(read, headId)];
    if (before === null || after === null) return false;
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const [was, is] = [before.get(name), after.get(name)];
      if (isSame(was, is) || skipped.has(folder + name)) continue;
      if (isFile(was) || isFile(is)) changed += 1;
      if (isFile(is) && is.mode !== submoduleMode) blobs.push(is.oid);
      if (changed > maxChanged || !visit(folderId(was), folderId(is), `${folder}${name}/`)) return false;
    }
    return true;
  };
  return visit(base, head, "") ? { changed, blobs } : null;
}

function isSame(one: Entry | undefined, other: Entry | undefined): boolean {
  return one?.oid === other?.oid && one?.mode === other?.mode;
}

function isFile(entry: Entry | undefined): entry is Entry {
  return entry !== undefined && entry.mode !== folderMode;
}

function folderId(entry: Entry | undefined): string | null {
  return entry?.mode === folderMode ? entry.oid : null;
}

function readTree(read: ReadObject, oid: string | null): Tree | null {
  if (oid === null || oid === emptyTree) return new Map();
  const bytes = read("tree", oid);
  return bytes === null ? null : parseTree(bytes);
}

/** `MODE NAME\0` and the id's 20 bytes, again and again, in git's order. Names stay bytes: they are compared, and never shown. */
function parseTree(bytes: Buffer): Tree | null {
  const entries = new Map<string, Entry>();
  let last = "";
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0, start);
    const next = end + 1 + oidBytes;
    if (end < 0 || next > bytes.length) return null;
    const [, mode = "", name = ""] = /^(\d+) ([^/]+)$/s.exec(bytes.toString("latin1", start, end)) ?? [];
    const place = mode === folderMode ? `${name}/` : name;
    if (!modes.has(mode) || entries.has(name) || place <= last) return null;
    entries.set(name, { mode, oid: bytes.toString("hex", end + 1, next) });
    last = place;
    start = next;
  }
  return entries;
}
