/** What git leaves in its folder while something is going on: an operation half done, a lock file. Read without starting git. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { GroundState, InProgress } from "../../core/ground.ts";
import type { WorkspaceLocation } from "../../ports/workspace.ts";
import { readPlainBranch } from "./head.ts";
import { readSmallFile } from "./small-file.ts";

export interface Marks {
  readonly inProgress: readonly InProgress[];
  readonly locks: GroundState["locks"];
  /** undefined = only git can tell. */
  readonly branch: string | null | undefined;
}

/** Throws what the file system throws when the git folder itself cannot be read. */
export function readMarks(location: WorkspaceLocation): Marks {
  const names = new Set(readdirSync(location.gitDir));
  const branch = readPlainBranch(location.gitDir);
  return { inProgress: readInProgress(location.gitDir, names), branch, locks: readLocks(location, branch ?? null) };
}

function readInProgress(gitDir: string, names: ReadonlySet<string>): InProgress[] {
  const found: InProgress[] = [];
  if (names.has("rebase-merge")) found.push("rebase");
  else if (names.has("rebase-apply")) found.push(lockAt(join(gitDir, "rebase-apply/applying")) === null ? "rebase" : "am");
  if (names.has("MERGE_HEAD")) found.push("merge");
  // A rebase picks commits too: its CHERRY_PICK_HEAD is the rebase's.
  const picks = found.includes("rebase") ? null : readSequencer(gitDir, names);
  if (picks !== null) found.push(picks);
  if (names.has("BISECT_LOG")) found.push("bisect");
  return found;
}

function readSequencer(gitDir: string, names: ReadonlySet<string>): InProgress | null {
  if (names.has("CHERRY_PICK_HEAD")) return "cherry-pick";
  if (names.has("REVERT_HEAD")) return "revert";
  if (!names.has("sequencer")) return null;
  const todo = readSmallFile(join(gitDir, "sequencer/todo"))?.toString("utf8") ?? "";
  if (todo.startsWith("revert")) return "revert";
  return todo.startsWith("p") ? "cherry-pick" : null;
}

/** Looks only where git puts the locks that stop a commit: a walk over all refs could be long. */
function readLocks({ gitDir, commonDir }: WorkspaceLocation, branch: string | null): GroundState["locks"] {
  const paths = [
    ...["index.lock", "HEAD.lock", "config.worktree.lock"].map((name) => join(gitDir, name)),
    ...["config.lock", "packed-refs.lock", "shallow.lock"].map((name) => join(commonDir, name)),
    ...(branch === null ? [] : [join(commonDir, "refs/heads", `${branch}.lock`)]),
  ];
  return paths.map(lockAt).filter((lock) => lock !== null);
}

function lockAt(path: string): { path: string; ageMs: number } | null {
  try {
    const lock = lstatSync(path, { throwIfNoEntry: false });
    return lock === undefined ? null : { path, ageMs: Math.max(0, Math.round(Date.now() - lock.mtimeMs)) };
  } catch {
    return null; // on the way there is no folder, or none for us
  }
}
