/**
 * Makes a branch and checks it out without touching a file: the new branch stands at HEAD's commit, so only HEAD itself has to move.
 * `git switch` would look at the working tree, and run the filters and hooks of the repository on the way.
 */
import { faultPoint } from "../../faults.ts";
import type { Workspace, WorkspaceLocation } from "../../ports/workspace.ts";
import { describeFailure, type Git, readOutput } from "./command.ts";
import { readHead } from "./head.ts";
import { repositoryVariables } from "./location.ts";

type Creation = Awaited<ReturnType<Workspace["createBranch"]>>;

export async function createBranch(git: Git, location: WorkspaceLocation, name: string): Promise<Creation> {
  const spec = { cwd: location.top, variables: repositoryVariables(location) };
  if (!(await isBranchName(git, spec, name))) return { kind: "failed", detail: `${JSON.stringify(name)} is no name for a branch` };
  const ref = `refs/heads/${name}`;
  const present = await git.run(["show-ref", "--verify", "--quiet", ref], spec);
  if (present.kind === "exited" && present.code === 0) return { kind: "exists" };
  const head = await readHead(git, location);
  if (head.kind === "failed") return head;
  if (head.branch === name) return { kind: "exists" }; // named by HEAD, without a commit yet
  faultPoint("branch.before-create");
  const failure = head.oid === "" ? null : describeFailure(await git.run(["branch", "--no-track", name, head.oid], spec));
  if (failure !== null) return { kind: "failed", detail: failure };
  faultPoint("branch.created");
  // The words git itself writes: `git checkout -` then finds the way back.
  const note = `checkout: moving from ${head.branch ?? head.oid} to ${name}`;
  const moved = describeFailure(await git.run(["symbolic-ref", "-m", note, "HEAD", ref], spec));
  faultPoint("branch.checked-out");
  return moved === null ? { kind: "created" } : { kind: "failed", detail: moved };
}

/** Git's own rule. It also spells out `@{-1}`, the branch before: an answer that is another name is a no. */
async function isBranchName(git: Git, spec: Parameters<Git["run"]>[1], name: string): Promise<boolean> {
  if (name === "" || name.includes("\0")) return false;
  const [end, output] = await readOutput(git, ["check-ref-format", "--branch", name], spec);
  return end.kind === "exited" && end.code === 0 && output.toString("utf8") === `${name}\n`;
}
