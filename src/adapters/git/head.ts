/**
 * Where HEAD points, read from the git folder's files when they are plain (a process costs 4 ms, this 0.05), else from git.
 * A file that is not exactly what git writes is git's to judge.
 */
import { join } from "node:path";
import type { WorkspaceLocation } from "../../ports/workspace.ts";
import { describeFailure, type Git, readOutput } from "./command.ts";
import { repositoryVariables } from "./location.ts";
import { readSmallFile } from "./small-file.ts";

export type Head =
  | { readonly kind: "head" /** "" = no commit yet. */; readonly oid: string /** null = detached. */; readonly branch: string | null }
  | { readonly kind: "failed"; readonly detail: string };

const oidLine = /^([0-9a-f]{40}|[0-9a-f]{64})\n?$/;
/** Not `.invalid`, which stands in HEAD when the refs live in a reftable, and nothing that could climb out of the folder. */
const branchLine = /^ref: refs\/heads\/([^\0\n]+)\n?$/;

/** Reads HEAD's commit and branch. */
export async function readHead(git: Git, location: WorkspaceLocation): Promise<Head> {
  return readPlainHead(location) ?? (await askHead(git, location));
}

/** The branch HEAD names, when its file is plain; undefined = only git can tell. */
export function readPlainBranch(gitDir: string): string | null | undefined {
  const text = readSmallFile(join(gitDir, "HEAD"))?.toString("utf8") ?? "";
  if (oidLine.test(text)) return null;
  const name = branchLine.exec(text)?.[1];
  return name === undefined || name.split("/").some((part) => part === "" || part.startsWith(".")) ? undefined : name;
}

function readPlainHead({ gitDir, commonDir }: WorkspaceLocation): Head | null {
  const branch = readPlainBranch(gitDir);
  if (branch === undefined) return null;
  const file = branch === null ? join(gitDir, "HEAD") : join(commonDir, "refs/heads", branch);
  const text = readSmallFile(file)?.toString("utf8");
  const oid = text === undefined && branch !== null ? readPackedOid(commonDir, branch) : oidLine.exec(text ?? "")?.[1];
  return oid === undefined ? null : { kind: "head", oid, branch };
}

function readPackedOid(commonDir: string, branch: string): string | undefined {
  const packed = readSmallFile(join(commonDir, "packed-refs"))?.toString("utf8") ?? "";
  const end = packed.indexOf(` refs/heads/${branch}\n`);
  if (end < 0) return undefined;
  return oidLine.exec(packed.slice(packed.lastIndexOf("\n", end) + 1, end))?.[1];
}

async function askHead(git: Git, location: WorkspaceLocation): Promise<Head> {
  const spec = { cwd: location.top, variables: repositoryVariables(location) };
  const [[nameEnd, name], [oidEnd, oid]] = await Promise.all([
    readOutput(git, ["symbolic-ref", "--quiet", "HEAD"], spec),
    readOutput(git, ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"], spec),
  ]);
  // Exit code 1 says: detached, or no commit yet. Both at once is a HEAD that leads nowhere.
  const isDetached = nameEnd.kind === "exited" && nameEnd.code === 1;
  const isUnborn = oidEnd.kind === "exited" && oidEnd.code === 1;
  const failure =
    isDetached && isUnborn
      ? "HEAD names no commit"
      : ((isDetached ? null : describeFailure(nameEnd)) ?? (isUnborn ? null : describeFailure(oidEnd)));
  if (failure !== null) return { kind: "failed", detail: failure };
  const branch = isDetached
    ? null
    : name
        .toString("utf8")
        .trimEnd()
        .replace(/^refs\/heads\//, "");
  return { kind: "head", oid: oid.toString("utf8").trim(), branch };
}
