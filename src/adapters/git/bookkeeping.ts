/** Bookkeeping paths: files or folders relative to the top that are neither dirt nor progress. Every character in them is meant literally. */
import { posix } from "node:path";

/** Cleans the paths; those outside of the tree cannot be in anybody's way and are left out. */
export function normalizeBookkeeping(paths: readonly string[]): readonly string[] {
  return paths
    .map((path) => posix.normalize(path).replace(/\/+$/, ""))
    .filter((path) => path !== "" && path !== "." && path !== ".." && !path.startsWith("../") && !posix.isAbsolute(path));
}

/** The end of a git command line that leaves them out. With it `git status` also drops an untracked folder that holds nothing else. */
export function excludeArguments(bookkeeping: readonly string[]): readonly string[] {
  if (bookkeeping.length === 0) return [];
  return ["--", ".", ...bookkeeping.map((path) => `:(exclude,top,literal)${path}`)];
}
