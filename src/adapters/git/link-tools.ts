/** What a copy of a commit lacks to be run: the folders in which tools keep a project's dependencies, which no commit has. */
import type { Dirent } from "node:fs";
import { lstat, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";

const toolFolders: ReadonlySet<string> = new Set(["node_modules", ".venv", "venv"]);
/** Deeper than any workspace of packages lies. */
const mostLevels = 5;

/** Links them, and links to them, from the tree into the same places of the copy; folders that the copy does not have are left out. */
export async function linkTools(top: string, copy: string, level = 0): Promise<void> {
  const [inTree, inCopy] = await Promise.all([list(top), list(copy)]);
  const here = new Set(inCopy.map(({ name }) => name));
  for (const { name } of inTree.filter(
    (entry) => (entry.isDirectory() || entry.isSymbolicLink()) && toolFolders.has(entry.name) && !here.has(entry.name),
  ))
    await symlink(join(top, name), join(copy, name));
  if (level === mostLevels) return;
  for (const { name } of inCopy.filter((entry) => entry.isDirectory() && !toolFolders.has(entry.name)))
    await linkTools(join(top, name), join(copy, name), level + 1);
}

async function list(folder: string): Promise<readonly Dirent[]> {
  try {
    // What is a link in the tree now leads elsewhere than the commit's folder.
    return (await lstat(folder)).isDirectory() ? await readdir(folder, { withFileTypes: true }) : [];
  } catch {
    return []; // not there, or not ours to read: nothing to link
  }
}
