/** The working trees of a repository, read from its git dir: git itself would be a process for three small files. */
import { readdir, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export interface Worktree {
  /** Real path of its top. */
  readonly top: string;
  /** Null = a detached HEAD. */
  readonly branch: string | null;
}

/** The main one first; those whose folder is gone are left out. @param commonDir  real path of the git common dir */
export async function listWorktrees(commonDir: string): Promise<readonly Worktree[]> {
  const main = basename(commonDir) === ".git" ? [{ top: dirname(commonDir), gitDir: commonDir }] : [];
  const names = await readdir(join(commonDir, "worktrees")).catch(() => []); // none was ever linked
  const linked = await Promise.all(names.sort().map((name) => readLinked(join(commonDir, "worktrees", name))));
  return Promise.all(
    [...main, ...linked.filter((one) => one !== null)].map(async ({ top, gitDir }) => ({ top, branch: await readBranch(gitDir) })),
  );
}

async function readLinked(gitDir: string): Promise<{ readonly top: string; readonly gitDir: string } | null> {
  try {
    const link = (await readFile(join(gitDir, "gitdir"), "utf8")).trimEnd();
    return { top: await realpath(dirname(link)), gitDir };
  } catch {
    return null; // it was removed, and not pruned yet
  }
}

async function readBranch(gitDir: string): Promise<string | null> {
  const head = await readFile(join(gitDir, "HEAD"), "utf8").catch(() => "");
  return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? null;
}
