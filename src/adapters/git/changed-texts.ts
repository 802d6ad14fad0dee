/**
 * The texts of what git would take in right now: new and changed files that it does not ignore. One process, and a look into each file. Bounded: a key in a larger file, or behind
 * so many others, is left to the check of the commit.
 */
import { join } from "node:path";
import type { WorkspaceLocation } from "../../ports/workspace.ts";
import { describeFailure, type Git } from "./command.ts";
import type { Silence } from "./filters.ts";
import { repositoryVariables } from "./location.ts";
import { readSmallFile } from "./small-file.ts";
import { createRecordSplitter } from "./status-reader.ts";

const bounds = { files: 1_000, fileBytes: 256 * 1024, bytes: 2 * 1024 * 1024 };
const statusArguments = ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty"];

export interface ChangedTextsTools {
  readonly git: Git;
  readonly silence: (location: WorkspaceLocation) => Promise<Silence>;
}

/** Absolute path -> text; empty where git does not tell: then it takes nothing in either. */
export async function readChangedTexts(
  { git, silence }: ChangedTextsTools,
  location: WorkspaceLocation,
): Promise<ReadonlyMap<string, string>> {
  const silenced = await silence(location);
  if (silenced.kind === "failed") return new Map();
  const paths: string[] = [];
  const feed = createRecordSplitter((record) => void paths.push(record.slice(3)));
  const end = await git.run(statusArguments, {
    ...{ cwd: location.top, options: silenced.options, variables: repositoryVariables(location) },
    onOutput(chunk) {
      feed(chunk);
      return paths.length < bounds.files;
    },
  });
  return describeFailure(end) === null ? readTexts(location.top, paths.slice(0, bounds.files)) : new Map();
}

function readTexts(top: string, paths: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let left = bounds.bytes;
  for (const path of paths) {
    const bytes = readSmallFile(join(top, path), Math.min(bounds.fileBytes, left));
    if (bytes === null) continue;
    left -= bytes.length;
    texts.set(join(top, path), bytes.toString("utf8"));
  }
  return texts;
}
