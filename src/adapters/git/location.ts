/** Holds our commands to the repository that was found: whatever an agent writes into `.git` later must not lead them elsewhere. */
import { lstat, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { WorkspaceLocation } from "../../ports/workspace.ts";
import { readSmallFile } from "./small-file.ts";

/** Overrules core.worktree, core.bare, a `.git` file and a `commondir` file. */
export function repositoryVariables(location: WorkspaceLocation): Readonly<Record<string, string>> {
  return { GIT_DIR: location.gitDir, GIT_COMMON_DIR: location.commonDir, GIT_WORK_TREE: location.top };
}

/** Says what is no longer where it was; null = all is in place. The agent's own git follows `.git`, so ours and its would part. */
export async function findDisplacement({ top, gitDir }: WorkspaceLocation): Promise<string | null> {
  try {
    if ((await realpath(top)) !== top) return `${top} is now a symbolic link`;
    if (!(await lstat(gitDir)).isDirectory()) return `${gitDir} is no longer a folder`;
    if (gitDir === join(top, ".git")) return null;
    const target = await readGitFile(join(top, ".git"));
    return target === null || target === gitDir ? null : `${join(top, ".git")} now leads to ${target}`;
  } catch (error) {
    return `the repository is no longer there (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** The real path a `.git` file leads to; null when it is no such file. */
export async function readGitFile(path: string): Promise<string | null> {
  const line = /^gitdir: ([^\0]+?)\n?$/.exec(readSmallFile(path)?.toString("utf8") ?? "")?.[1];
  return line === undefined ? null : realpath(resolve(dirname(path), line));
}
