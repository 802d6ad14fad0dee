/**
 * Keeps the commands of clean and process filters from running: `git status` would start them for each file whose time says "look again".
 * Their names stand in the configuration, so they are read from there and each is set to nothing. Reading costs a process, so it is done
 * again only when the repository's own files say something else than last time, or may include others.
 */
import { join } from "node:path";
import type { WorkspaceLocation } from "../../ports/workspace.ts";
import { describeFailure, type Git, readOutput } from "./command.ts";
import { repositoryVariables } from "./location.ts";
import { readSmallFile } from "./small-file.ts";

export type Silence =
  | { readonly kind: "silenced" /** Options for git; empty when there is no filter. */; readonly options: readonly string[] }
  | { readonly kind: "failed"; readonly detail: string };

const filterKey = /^filter\.(.*)\.[^.]+$/s;
const maxConfigBytes = 16 << 20;

/** Gives the way to ask for a repository's silencing options; it remembers each repository's last answer. */
export function createFilterSilencer(git: Git): (location: WorkspaceLocation) => Promise<Silence> {
  const known = new Map<string, { readonly config: string; readonly silence: Silence }>();
  return async (location) => {
    const config = readOwnConfig(location);
    const before = known.get(location.gitDir);
    if (before?.config === config && !/include/i.test(config)) return before.silence;
    const silence = await listFilters(git, location);
    if (silence.kind === "silenced") known.set(location.gitDir, { config, silence });
    return silence;
  };
}

function readOwnConfig({ commonDir, gitDir }: WorkspaceLocation): string {
  const files = [join(commonDir, "config"), join(gitDir, "config.worktree")];
  return files.map((path) => readSmallFile(path, maxConfigBytes)?.toString("latin1") ?? "").join("\0");
}

async function listFilters(git: Git, location: WorkspaceLocation): Promise<Silence> {
  const spec = { cwd: location.top, variables: repositoryVariables(location) };
  const [end, output] = await readOutput(git, ["config", "--list", "--name-only", "-z"], spec, maxConfigBytes);
  const failure = describeFailure(end);
  if (failure !== null) return { kind: "failed", detail: failure };
  const keys = output.toString("utf8").split("\0");
  const names = new Set(keys.flatMap((key) => filterKey.exec(key)?.[1] ?? []));
  // `-c a=b.clean=` sets the key `a`: such a filter cannot be silenced, and no honest one is named so.
  const odd = [...names].find((name) => name.includes("=") || name.includes("\ufffd"));
  if (odd !== undefined) return { kind: "failed", detail: `the configuration has a filter with the odd name ${JSON.stringify(odd)}` };
  return { kind: "silenced", options: [...names].flatMap(silenceFilter) };
}

function silenceFilter(name: string): string[] {
  return ["clean=", "smudge=", "process=", "required=false"].flatMap((setting) => ["-c", `filter.${name}.${setting}`]);
}
