/**
 * Compares the trees of two commits without starting git, as `git diff-tree -r --no-renames` does: entry by entry, equal ids unopened.
 * Null means: too much of it, not to be read from here, or not a tree as git writes it.
 */
import type { ReadObject } from "./loose-object.ts";

/** A file, link or submodule that is new, gone or other than before. */
export interface EntryChange {
  /** Its bytes, as Latin-1. */
  readonly path: string;
  /** Null = there was none, or a folder. */
  readonly before: Entry | null;
  readonly after: Entry | null;
}

export interface Entry {
  readonly mode: string;
  readonly oid: string;
}

type Tree = ReadonlyMap<string, Entry>;

const maxChanged = 200;
const oidBytes = 20;
const folderMode = "40000";
export const submoduleMode = "160000";
const modes = new Set([folderMode, submoduleMode, "100644", "100755", "120000"]);
/** The tree that has no entry; git has it without a file. */
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/**
 * Compares two trees by id; `base` null = nothing was there. `bookkeeping` is normalized: paths that do not count, with all below them.
 * Gives what changed in git's order.
 */
export function compareTrees(
  read: ReadObject,
  base: string | null,
  head: string,
  bookkeeping: readonly string[],
): readonly EntryChange[] | null {
  const skipped = new Set(bookkeeping.map((path) => Buffer.from(path).toString("latin1")));
  const changes: EntryChange[] = [];
  const visit = (baseId: string | null, headId: string | null, folder: string): boolean => {
    if (baseId === headId) return true;
    const [before, after] = [readTree(read, baseId), readTree(read, headId)];
    if (before === null || after === null) return false;
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const [was, is] = [before.get(name), after.get(name)];
      const path = folder + name;
      if (isSame(was, is) || skipped.has(path)) continue;
      if (isFile(was) || isFile(is)) changes.push({ path, before: isFile(was) ? was : null, after: isFile(is) ? is : null });
      if (changes.length > maxChanged || !visit(folderId(was), folderId(is), `${path}/`)) return false;
    }
    return true;
  };
  return visit(base, head, "") ? changes.sort((one, other) => (one.path < other.path ? -1 : 1)) : null;
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
