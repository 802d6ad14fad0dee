/**
 * Finds the working tree a folder lies in. Git itself decides; we look for `.git` on our own only to tell, when git says no,
 * a folder without a repository from a repository that git will not open: its messages are for people.
 */
import { lstat, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { quoteForShell, showPath } from "../../core/ground.ts";
import type { WorkspaceFinding } from "../../ports/workspace.ts";
import { createGit, describeFailure, type Git, type GitEnd, readOutput } from "./command.ts";
import type { Environment } from "./environment.ts";

type Failure = Exclude<WorkspaceFinding, { kind: "found" }>;

const facts = ["--is-bare-repository", "--is-inside-git-dir", "--is-inside-work-tree"];
const places = ["--show-toplevel", "--absolute-git-dir", "--git-common-dir"];

/** Finds the repository around `cwd`. Never throws. */
export async function findWorkspace(env: Environment, cwd: string, timeoutMs?: number): Promise<WorkspaceFinding> {
  const folder = await realpath(cwd).catch(() => null); // not there, or hidden from us
  if (folder === null)
    return { kind: "unreadable", detail: `${showPath(cwd)} cannot be opened: check that it exists and that you may read it` };
  if (!(await isFolder(folder)))
    return { kind: "unreadable", detail: `${showPath(folder)} is no folder: start in the folder of a repository` };
  const top = await findTop(folder);
  const git = createGit(env, top, timeoutMs);
  const [end, output] = await readOutput(git, ["rev-parse", ...facts, ...places], { cwd: folder });
  if (end.kind !== "exited") return { kind: end.kind === "no-git" ? "no-git" : "unreadable", detail: end.detail };
  const lines = output.toString("utf8").replace(/\n$/, "").split("\n");
  if (lines.length < facts.length) return explainRefusal(git, folder, top, end);
  return judgeFacts(folder, lines) ?? locate(git, folder, lines.slice(facts.length));
}

function judgeFacts(folder: string, [isBare, isInsideGitDir, isInsideTree]: readonly string[]): Failure | null {
  const place = showPath(folder);
  if (isBare === "true")
    return { kind: "bare", detail: `${place} is a bare repository, without files to work on: clone it, and start in the clone` };
  if (isInsideGitDir === "true")
    return { kind: "not-a-repository", detail: `${place} lies inside a git folder: start in the working tree beside it` };
  if (isInsideTree === "true") return null;
  return { kind: "not-a-repository", detail: `${place} is outside of its repository's working tree (core.worktree): start inside of that` };
}

/** A path may hold a newline: then the answers cannot be told apart and each is asked for alone. */
async function locate(git: Git, folder: string, answers: readonly string[]): Promise<WorkspaceFinding> {
  const [top = "", gitDir = "", commonDir = ""] = answers.length === places.length ? answers : await askEach(git, folder);
  try {
    const [realTop, realGitDir, realCommonDir] = await Promise.all([realpath(top), realpath(gitDir), realpath(resolve(folder, commonDir))]);
    return { kind: "found", location: { top: realTop, gitDir: realGitDir, commonDir: realCommonDir } };
  } catch (error) {
    return {
      kind: "unreadable",
      detail: `the git folder of ${showPath(folder)} cannot be opened (${describeError(error)}): run "git status" there`,
    };
  }
}

async function askEach(git: Git, folder: string): Promise<string[]> {
  const answers = await Promise.all(places.map((place) => readOutput(git, ["rev-parse", place], { cwd: folder })));
  return answers.map(([, output]) => output.toString("utf8").replace(/\n$/, ""));
}

async function explainRefusal(git: Git, folder: string, top: string | null, end: GitEnd): Promise<Failure> {
  if (top === null)
    return { kind: "not-a-repository", detail: `${showPath(folder)} is in no git repository: start inside one, or run "git init"` };
  const asOwner = await git.run(["rev-parse", "--git-dir"], { cwd: folder, options: ["-c", "safe.directory=*"] });
  if (describeFailure(asOwner) !== null) {
    return {
      kind: "unreadable",
      detail: `git cannot open ${showPath(top)} (${describeFailure(end)}): run "git status" there and mend what it names`,
    };
  }
  const command = `git config --global --add safe.directory ${quoteForShell(top)}`;
  return { kind: "unsafe-owner", detail: `${showPath(top)} belongs to another user: if you trust it, run ${command}` };
}

/** The nearest folder with something named `.git` in it, or that looks like a git folder itself. */
async function findTop(folder: string): Promise<string | null> {
  for (let here = folder; ; here = dirname(here)) {
    if (await isThere(join(here, ".git"))) return here;
    if ((await isThere(join(here, "HEAD"))) && (await isThere(join(here, "objects"))))
      return basename(here) === ".git" ? dirname(here) : here;
    if (dirname(here) === here) return null;
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
