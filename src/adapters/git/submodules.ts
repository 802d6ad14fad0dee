/**
 * The submodules of a tree. Git would start a second git in each, under that submodule's own configuration; so ours is told to
 * compare their commits only, and we look into each ourselves, with the same care as into the top.
 */
import { lstat, realpath } from "node:fs/promises";
import { join, posix, resolve } from "node:path";
import type { WorkspaceLocation } from "../../ports/workspace.ts";
import { type Git, readOutput } from "./command.ts";
import { readGitFile, repositoryVariables } from "./location.ts";
import { readSmallFile } from "./small-file.ts";

export interface Submodule {
  /** Relative to the top of the tree around it. */
  readonly path: string;
  readonly location: WorkspaceLocation;
  /** The project asks that new files in there be left out, as `ignore = untracked` in .gitmodules. */
  readonly ignoresUntracked: boolean;
}

/** The submodules that are there; one not checked out is an empty folder and clean, one set to be ignored is left out. */
export async function findSubmodules(git: Git, location: WorkspaceLocation): Promise<readonly Submodule[]> {
  const list = join(location.top, ".gitmodules");
  if (readSmallFile(list) === null) return [];
  const spec = { cwd: location.top, variables: repositoryVariables(location) };
  const [, output] = await readOutput(git, ["config", "-z", "--file", list, "--get-regexp", "^submodule\\..*\\.(path|ignore)$"], spec);
  const settings = readSettings(output.toString("utf8"));
  const found = await Promise.all([...settings.values()].map((setting) => locateSubmodule(location.top, setting)));
  return found.filter((submodule) => submodule !== null);
}

interface Setting {
  path?: string;
  ignore?: string;
}

/** `submodule.NAME.path\nVALUE\0…`, by name. */
function readSettings(output: string): Map<string, Setting> {
  const settings = new Map<string, Setting>();
  for (const [, name = "", key, value = ""] of output.matchAll(/submodule\.([^\0\n]*)\.(path|ignore)\n([^\0]*)\0/g)) {
    settings.set(name, { ...settings.get(name), [key === "path" ? "path" : "ignore"]: value });
  }
  return settings;
}

async function locateSubmodule(top: string, { path = "", ignore = "" }: Setting): Promise<Submodule | null> {
  const clean = posix.normalize(path).replace(/\/+$/, "");
  if (clean === "." || clean.startsWith("..") || posix.isAbsolute(clean) || ignore === "all" || ignore === "dirty") return null;
  const location = await locateNested(join(top, clean)).catch(() => null); // not checked out, or its folder is gone: git tells of that
  return location === null ? null : { path: clean, location, ignoresUntracked: ignore === "untracked" };
}

/** A link on the way could lead out of the tree: then it is no submodule. */
async function locateNested(top: string): Promise<WorkspaceLocation | null> {
  if ((await realpath(top)) !== top) return null;
  const entry = join(top, ".git");
  const gitDir = (await lstat(entry)).isDirectory() ? entry : await readGitFile(entry);
  if (gitDir === null) return null;
  const common = readSmallFile(join(gitDir, "commondir"))?.toString("utf8").replace(/\n$/, "");
  return { top, gitDir, commonDir: common === undefined ? gitDir : await realpath(resolve(gitDir, common)) };
}
