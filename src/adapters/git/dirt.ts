/** What lies about in a working tree and its submodules: one git process for the tree, one more for each submodule that is checked out. */
import type { PathSample } from "../../core/ground.ts";
import type { WorkspaceLocation } from "../../ports/workspace.ts";
import { excludeArguments } from "./bookkeeping.ts";
import { describeFailure, type Git } from "./command.ts";
import type { Silence } from "./filters.ts";
import { repositoryVariables } from "./location.ts";
import { findSettledFiles } from "./settled-files.ts";
import { createStatusReader, type Dirt } from "./status-reader.ts";
import { findSubmodules, type Submodule } from "./submodules.ts";

export type DirtReading = { readonly kind: "read"; readonly dirt: Dirt } | { readonly kind: "failed"; readonly detail: string };

export interface DirtTools {
  readonly git: Git;
  readonly silence: (location: WorkspaceLocation) => Promise<Silence>;
}

const statusArguments = [
  ...["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal"],
  ...["--no-renames", "--no-ahead-behind", "--ignore-submodules=dirty"],
];
const submodulesAtOnce = 4;

export async function readDirt(tools: DirtTools, location: WorkspaceLocation, bookkeeping: readonly string[]): Promise<DirtReading> {
  const [own, submodules] = await Promise.all([readOwnDirt(tools, location, bookkeeping), findSubmodules(tools.git, location)]);
  if (own.kind === "failed") return own;
  const dirty: string[] = [];
  for (let start = 0; start < submodules.length; start += submodulesAtOnce) {
    const some = submodules.slice(start, start + submodulesAtOnce);
    const readings = await Promise.all(some.map((submodule) => readDirt(tools, submodule.location, [])));
    for (const [place, submodule] of some.entries()) {
      const reading = readings[place];
      if (reading?.kind === "failed") return { kind: "failed", detail: `submodule ${submodule.path}: ${reading.detail}` };
      if (reading?.kind === "read" && isDirty(reading.dirt, submodule)) dirty.push(submodule.path);
    }
  }
  const fresh = dirty.filter((path) => !own.dirt.changedSubmodules.has(path));
  return { kind: "read", dirt: { ...own.dirt, changed: addPaths(own.dirt.changed, fresh) } };
}

async function readOwnDirt(tools: DirtTools, location: WorkspaceLocation, bookkeeping: readonly string[]): Promise<DirtReading> {
  const silence = await tools.silence(location);
  if (silence.kind === "failed") return silence;
  const reader = createStatusReader();
  const end = await tools.git.run([...statusArguments, ...excludeArguments(bookkeeping)], {
    cwd: location.top,
    options: silence.options,
    variables: repositoryVariables(location),
    onOutput: (chunk) => {
      reader.feed(chunk);
      return true;
    },
  });
  const failure = describeFailure(end);
  if (failure !== null) return { kind: "failed", detail: failure };
  const dirt = reader.finish();
  if (silence.options.length === 0) return { kind: "read", dirt };
  const settled = await findSettledFiles(tools.git, location, dirt.suspects);
  return { kind: "read", dirt: { ...dirt, changed: removePaths(dirt.changed, settled) } };
}

function isDirty(dirt: Dirt, submodule: Submodule): boolean {
  const { staged, changed, untracked, conflicted } = dirt;
  return staged.count + changed.count + conflicted.count + (submodule.ignoresUntracked ? 0 : untracked.count) > 0;
}

function addPaths({ count, paths }: PathSample, more: readonly string[]): PathSample {
  return { count: count + more.length, paths: [...paths, ...more].slice(0, 20) };
}

function removePaths({ count, paths }: PathSample, gone: ReadonlySet<string>): PathSample {
  return { count: count - gone.size, paths: paths.filter((path) => !gone.has(path)) };
}
