/** Two commits side by side, tree with tree: no file of the working tree is read. Copies of one are written through an index of our own. */
import { randomUUID } from "node:crypto";
import { lstat, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChangeReading, Copied, FileChange, History, TreeCopy } from "../../ports/history.ts";
import type { WorkspaceLocation } from "../../ports/workspace.ts";
import { addedParts } from "./added-objects.ts";
import { type BlobTexts, readBlobTexts } from "./blob-texts.ts";
import { excludeArguments, normalizeBookkeeping } from "./bookkeeping.ts";
import { emptyTree } from "./change.ts";
import { createGit, describeFailure, type Git, type GitSpec } from "./command.ts";
import type { Environment } from "./environment.ts";
import { createFilterSilencer } from "./filters.ts";
import { linkTools } from "./link-tools.ts";
import { repositoryVariables } from "./location.ts";
import { readLooseFiles } from "./loose-change.ts";
import { createRecordSplitter } from "./status-reader.ts";

const mostFiles = 500;
/** Writing out a large repository takes a while. */
const timeoutMs = 300_000;

export interface HistoryOptions {
  /** false = git is asked for every change, also for those that can be read without it: what they are compared with. */
  readonly readsObjects?: boolean;
}

/** Opens the history of the tree that `findWorkspace` found. `env` is the person's environment. */
export function openHistory(env: Environment, location: WorkspaceLocation, { readsObjects = true }: HistoryOptions = {}): History {
  const git = createGit(env, location.top, timeoutMs);
  const spec = { cwd: location.top, variables: repositoryVariables(location) };
  const silence = createFilterSilencer(git);
  return {
    paths: (commit) => readPaths(git, spec, commit),
    async changes(from, to, paths) {
      const bookkeeping = normalizeBookkeeping(paths);
      // What a window has just committed lies loose: each git that is not started for it saves 3 ms between two windows.
      const changes = readsObjects ? readLooseFiles(location, { base: from, head: to, bookkeeping }) : null;
      return changes === null ? readChanges(git, spec, { from, to, bookkeeping }) : { kind: "read", changes, left: 0 };
    },
    hidden: () => readHidden(git, spec),
    ...addedParts(git, spec),
    sweep: removeFolder,
    async copyOut(commit, parent) {
      const silenced = await silence(location);
      if (silenced.kind === "failed") return silenced;
      return copyOut({ git, spec: { ...spec, options: silenced.options }, top: location.top }, commit, parent);
    },
  };
}

async function readPaths(git: Git, spec: GitSpec, commit: string): Promise<readonly string[] | null> {
  const paths: string[] = [];
  const split = createRecordSplitter((record) => paths.push(record));
  const end = await git.run(["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit], {
    ...spec,
    onOutput(chunk) {
      split(chunk);
      return true;
    },
  });
  return describeFailure(end) === null ? paths : null;
}

const mostHidden = 100;

/** `h path` or `S path`: a small letter is assume-unchanged, S is skip-worktree. */
async function readHidden(git: Git, spec: GitSpec): Promise<readonly string[]> {
  const hidden: string[] = [];
  const split = createRecordSplitter((record) => {
    if (/^[a-zS] /.test(record)) hidden.push(record.slice(2));
  });
  await git.run(["ls-files", "-v", "-z", "--full-name"], {
    ...spec,
    onOutput(chunk) {
      split(chunk);
      return hidden.length < mostHidden;
    },
  });
  return hidden.slice(0, mostHidden);
}

interface Span {
  readonly from: string;
  readonly to: string;
  readonly bookkeeping: readonly string[];
}

/** `:oldmode newmode oldoid newoid STATUS` */
const rawEntry = /^:(\d{6}) (\d{6}) (\S+) (\S+) (.)/;

interface Entry {
  readonly path: string;
  readonly kind: FileChange["kind"];
  /** Null = no regular file. */
  readonly before: string | null;
  readonly after: string | null;
}

async function readChanges(git: Git, spec: GitSpec, { from, to, bookkeeping }: Span): Promise<ChangeReading> {
  const entries: Entry[] = [];
  let left = 0;
  let head: RegExpExecArray | null = null;
  const split = createRecordSplitter((record) => {
    const entry = head === null ? null : toEntry(head, record);
    head = head === null ? rawEntry.exec(record) : null;
    if (entry === null) return;
    if (entries.length < mostFiles) entries.push(entry);
    else left += 1;
  });
  const args = ["diff-tree", "-r", "--no-renames", "--raw", "--no-abbrev", "-z", from === "" ? emptyTree(to) : from, to];
  const end = await git.run([...args, ...excludeArguments(bookkeeping)], {
    ...spec,
    onOutput(chunk) {
      split(chunk);
      return true;
    },
  });
  const failure = describeFailure(end);
  if (failure !== null) return { kind: "failed", detail: failure };
  const oids = new Set(entries.flatMap(({ before, after }) => [before, after].filter((oid) => oid !== null)));
  const blobs: BlobTexts = oids.size === 0 ? { kind: "read", texts: new Map() } : await readBlobTexts(git, spec, [...oids]);
  if (blobs.kind === "failed") return blobs;
  const text = (oid: string | null) => (oid === null ? null : (blobs.texts.get(oid) ?? null));
  return { kind: "read", changes: entries.map((entry) => ({ ...entry, before: text(entry.before), after: text(entry.after) })), left };
}

function toEntry([, oldMode = "", newMode = "", oldOid = "", newOid = "", status]: RegExpExecArray, path: string): Entry {
  const blob = (mode: string, oid: string) => (mode.startsWith("100") ? oid : null);
  const kind = status === "A" ? "added" : status === "D" ? "removed" : "changed";
  return { path, kind, before: blob(oldMode, oldOid), after: blob(newMode, newOid) };
}

interface CopyTools {
  readonly git: Git;
  readonly spec: GitSpec;
  readonly top: string;
}

async function copyOut({ git, spec, top }: CopyTools, commit: string, parent: string): Promise<Copied> {
  try {
    const bytes = await sizeOf(git, spec, commit);
    if (bytes > maxCopyBytes) return { kind: "failed", detail: `the files of the commit are larger than ${maxCopyBytes >> 20} MB` };
    await mkdir(parent, { recursive: true, mode: 0o700 });
    const folder = await mkdtemp(join(parent, "copy-"));
    const copy: TreeCopy = {
      folder,
      put: (at, paths) => putFiles(git, spec, { commit: at, folder, paths }),
      write: (path, text) => writeText(folder, path, text),
      remove: () => removeFolder(folder),
    };
    const failure = await writeFiles(git, spec, { commit, folder, paths: null });
    if (failure === null) {
      await linkTools(top, folder);
      return { kind: "copied", copy };
    }
    await copy.remove();
    return { kind: "failed", detail: failure };
  } catch (error) {
    return { kind: "failed", detail: error instanceof Error ? error.message : String(error) };
  }
}

/** The copy lies where the store does: it must not take the disk from it. */
const maxCopyBytes = 1 << 30;

/** Of all files of a commit; a submodule has none. */
async function sizeOf(git: Git, spec: GitSpec, commit: string): Promise<number> {
  let bytes = 0;
  const split = createRecordSplitter((record) => {
    bytes += Number(/^\d+ blob \S+ +(\d+)\t/.exec(record)?.[1] ?? 0);
  });
  await git.run(["ls-tree", "-r", "-l", "-z", "--full-tree", commit], {
    ...spec,
    onOutput(chunk) {
      split(chunk);
      return bytes <= maxCopyBytes;
    },
  });
  return bytes;
}

interface Writing {
  readonly commit: string;
  readonly folder: string;
  /** Null = all. */
  readonly paths: readonly string[] | null;
}

async function putFiles(
  git: Git,
  spec: GitSpec,
  { commit, folder, paths }: Writing & { readonly paths: readonly string[] },
): Promise<string | null> {
  try {
    // First none of them: a file may have become a folder, or a link.
    for (const path of paths) await takeAway(folder, path);
    return commit === "" || paths.length === 0 ? null : await writeFiles(git, spec, { commit, folder, paths });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What a program just ended may still write there; what is left then is swept with the run. */
function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 }).catch(() => undefined);
}

async function writeText(folder: string, path: string, text: string): Promise<string | null> {
  try {
    await takeAway(folder, path);
    await writeFile(join(folder, path), text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A link on the way is what is taken away: what is behind it is the person's. */
async function takeAway(folder: string, path: string): Promise<void> {
  let at = folder;
  for (const part of path.split("/")) {
    at = join(at, part);
    const found = await lstat(at).catch(() => null);
    if (found === null) return;
    if (!found.isDirectory()) return rm(at);
  }
  await rm(at, { recursive: true });
}

/** An index of our own beside the folder stands between the commit and the files; git's own is not touched. */
async function writeFiles(git: Git, spec: GitSpec, { commit, folder, paths }: Writing): Promise<string | null> {
  const index = `${folder}.${randomUUID()}.index`;
  const own = { ...spec, cwd: folder, variables: { ...spec.variables, GIT_INDEX_FILE: index, GIT_WORK_TREE: folder } };
  try {
    const read = describeFailure(await git.run(["read-tree", commit], own));
    if (read !== null) return read;
    const which = paths === null ? ["--all"] : ["-z", "--stdin"];
    const input = paths === null ? {} : { input: (await known(git, own, paths)).map((path) => `${path}\0`).join("") };
    return describeFailure(await git.run(["checkout-index", "--force", "--quiet", ...which], { ...own, ...input }));
  } finally {
    await rm(index, { force: true });
  }
}

/** Those that the index has. */
async function known(git: Git, spec: GitSpec, paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  const split = createRecordSplitter((record) => found.push(record));
  await git.run(["--literal-pathspecs", "ls-files", "-z", "--", ...paths], {
    ...spec,
    onOutput(chunk) {
      split(chunk);
      return true;
    },
  });
  return found;
}
