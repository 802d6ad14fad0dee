/**
 * With its filter silenced, a file kept by git-lfs or git-crypt differs from what git stored. Git looks at content only when a file's
 * time is in the same second as the index or later, as after every quick edit and commit. The index knows the nanoseconds: a file
 * that is exactly as old as noted there, and older than the index itself, was not touched since it was added.
 */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { WorkspaceLocation } from "../../ports/workspace.ts";
import { type Git, readOutput } from "./command.ts";
import { repositoryVariables } from "./location.ts";

/** One entry of `git ls-files -z --debug`. A git that prints it otherwise matches nothing: its files stay changed. */
const debugEntry = /([^\0]+)\0 {2}ctime: (\d+):(\d+)\n {2}mtime: (\d+):(\d+)\n {2}dev: .*\n {2}uid: .*\n {2}size: (\d+)\t.*\n/g;

/** Those of the paths whose file was not touched since it was added. */
export async function findSettledFiles(git: Git, location: WorkspaceLocation, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const spec = { cwd: location.top, variables: repositoryVariables(location), options: ["--literal-pathspecs"] };
  const [[, output], index] = await Promise.all([
    readOutput(git, ["ls-files", "-z", "--debug", "--", ...paths], spec),
    lstat(join(location.gitDir, "index"), { bigint: true }).catch(() => null), // no index: nothing in it is settled
  ]);
  if (index === null) return new Set();
  const entries = [...output.toString("utf8").matchAll(debugEntry)];
  const settled = await Promise.all(entries.map((entry) => isSettled(location.top, entry, index.mtimeNs)));
  return new Set(entries.flatMap((entry, place) => (settled[place] ? (entry[1] ?? []) : [])));
}

async function isSettled(top: string, entry: RegExpExecArray, indexNs: bigint): Promise<boolean> {
  const [, path = "", ctime = "", ctimeNs = "", mtime = "", mtimeNs = "", size = ""] = entry;
  const file = await lstat(join(top, path), { bigint: true }).catch(() => null); // deleted: not settled
  if (file === null) return false;
  const isSame = file.ctimeNs === nanoseconds(ctime, ctimeNs) && file.mtimeNs === nanoseconds(mtime, mtimeNs);
  // The index keeps 32 bits of the size.
  return isSame && BigInt.asUintN(32, file.size) === BigInt(size) && file.mtimeNs < indexNs;
}

function nanoseconds(seconds: string, rest: string): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(rest);
}
