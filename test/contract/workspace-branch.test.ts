/** The two things we write into a repository, both on a person's word: a branch of its own, and one line of the private ignore list. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorkspace } from "../../src/adapters/git/workspace.ts";
import type { Workspace } from "../../src/ports/workspace.ts";
import { gitEnv, makeFolder, makeRepository, makeUnbornRepository, type Repository } from "../fixtures/repositories.ts";
import { locate } from "./workspace-kit.ts";

async function open({ path }: Repository): Promise<Workspace> {
  return openWorkspace(gitEnv, await locate(path));
}

test("a branch is made at HEAD and checked out; dirt stays as it is", async () => {
  const repository = makeRepository();
  repository.write("a.txt", "changed\n");
  repository.write("b.txt", "staged\n");
  repository.git("add", "b.txt");
  const before = repository.git("status", "--porcelain");
  const head = repository.git("rev-parse", "HEAD");
  const workspace = await open(repository);
  expect(await workspace.createBranch("night/été-1")).toEqual({ kind: "created" });
  expect(await workspace.inspect([])).toMatchObject({ head, branch: "night/été-1", changed: { count: 1 }, staged: { count: 1 } });
  expect(repository.git("status", "--porcelain")).toBe(before);
  expect(repository.git("rev-parse", "--symbolic-full-name", "@{-1}"), "the way back is known").toBe("refs/heads/main");
});

test("a branch that exists stays where it is, and nothing is checked out", async () => {
  const repository = makeRepository();
  repository.git("branch", "night");
  repository.commit("more");
  const workspace = await open(repository);
  expect(await workspace.createBranch("night")).toEqual({ kind: "exists" });
  expect(await workspace.createBranch("main")).toEqual({ kind: "exists" });
  expect(repository.git("rev-parse", "night")).toBe(repository.git("rev-parse", "main~1"));
  expect(repository.git("branch", "--show-current")).toBe("main");
});

test("in a repository without commits the unborn branch is renamed", async () => {
  const repository = makeUnbornRepository();
  const workspace = await open(repository);
  expect(await workspace.createBranch("night")).toEqual({ kind: "created" });
  expect(await workspace.createBranch("night")).toEqual({ kind: "exists" });
  expect(await workspace.inspect([])).toMatchObject({ head: "", branch: "night" });
});

test("from a detached HEAD a branch is made", async () => {
  const repository = makeRepository();
  repository.git("switch", "--quiet", "--detach");
  expect(await (await open(repository)).createBranch("night")).toEqual({ kind: "created" });
  expect(repository.git("branch", "--show-current")).toBe("night");
});

test.each([
  [""],
  ["-d"],
  ["--force"],
  ["a b"],
  ["a..b"],
  ["@{-1}"],
  ["HEAD"],
  ["a\nb"],
  ["a\0b"],
  ["x.lock"],
  ["/x"],
  ["x/"],
  ["a~1"],
  ["refs heads"],
])("%j is no name for a branch", async (name) => {
  const repository = makeRepository();
  repository.git("switch", "--quiet", "-c", "before");
  repository.git("switch", "--quiet", "main");
  expect(await (await open(repository)).createBranch(name)).toEqual({
    kind: "failed",
    detail: `${JSON.stringify(name)} is no name for a branch`,
  });
  expect(repository.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/before\nrefs/heads/main");
});

test("a name in the way of another branch fails with git's reason", async () => {
  const repository = makeRepository();
  expect(await (await open(repository)).createBranch("main/night")).toMatchObject({
    kind: "failed",
    detail: expect.stringContaining("main/night"),
  });
  expect(repository.git("branch", "--show-current")).toBe("main");
});

test("a locked HEAD fails with git's reason", async () => {
  const repository = makeRepository();
  writeFileSync(join(repository.path, ".git/HEAD.lock"), "");
  expect(await (await open(repository)).createBranch("night")).toMatchObject({
    kind: "failed",
    detail: expect.stringContaining("HEAD.lock"),
  });
});

const listOf = (repository: Repository): string => join(repository.path, ".git/info/exclude");

test.each([
  ["an empty list", "", ".midwatch/\n"],
  ["a list with an open end", "*.log", "*.log\n.midwatch/\n"],
  ["a list with Windows line ends", "*.log\r\n", "*.log\r\n.midwatch/\n"],
  ["a list that has a longer line", "x.midwatch/\n", "x.midwatch/\n.midwatch/\n"],
  ["a list that is not UTF-8", "caf\xe9\n", "caf\xe9\n.midwatch/\n"],
  ["a list that has the line", "a\n.midwatch/\nb", "a\n.midwatch/\nb"],
  ["a list that has the line at its open end", ".midwatch/", ".midwatch/"],
])("to %s the line is added once, and every byte is kept", async (_title, before, after) => {
  const repository = makeRepository();
  writeFileSync(listOf(repository), before, "latin1");
  chmodSync(listOf(repository), 0o640);
  const workspace = await open(repository);
  await workspace.excludeFromGit(".midwatch/");
  await workspace.excludeFromGit(".midwatch/");
  expect(readFileSync(listOf(repository), "latin1")).toBe(after);
  expect(statSync(listOf(repository)).mode & 0o777).toBe(0o640);
  expect(readdirSync(join(repository.path, ".git/info"))).toEqual(["exclude"]);
});

test("a list that is not there is made", async () => {
  const repository = makeRepository();
  rmSync(join(repository.path, ".git/info"), { recursive: true });
  await (await open(repository)).excludeFromGit("/été/");
  expect(readFileSync(listOf(repository), "utf8")).toBe("/été/\n");
});

test("a list that is a link stays one", async () => {
  const repository = makeRepository();
  const target = join(makeFolder(), "shared");
  writeFileSync(target, "x\n");
  rmSync(listOf(repository));
  symlinkSync(target, listOf(repository));
  await (await open(repository)).excludeFromGit("y");
  expect(readFileSync(target, "utf8")).toBe("x\ny\n");
});

test("a linked worktree writes the list that all share", async () => {
  const repository = makeRepository();
  const path = join(makeFolder(), "linked");
  repository.git("worktree", "add", "--quiet", "-b", "linked", path);
  await (await open({ ...repository, path })).excludeFromGit("night");
  expect(readFileSync(listOf(repository), "utf8")).toMatch(/\nnight\n$/);
});

test("a list that cannot be written is named, with what to do", async () => {
  const repository = makeRepository();
  rmSync(listOf(repository));
  mkdirSync(listOf(repository));
  await expect((await open(repository)).excludeFromGit("x")).rejects.toMatchObject({
    code: "E_EXCLUDE",
    kind: "environment",
    hint: 'add the line "x" to it yourself',
  });
});

test.each([[""], ["a\nb"], ["a\rb"]])("%j is no line", async (pattern) => {
  await expect((await open(makeRepository())).excludeFromGit(pattern)).rejects.toMatchObject({ code: "E_BAD_PATTERN" });
});
