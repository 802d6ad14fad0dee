/** Where a run may start: each refusal is one line with the place and the next step; odd paths and links lead to the same tree (B083, B130, F24). */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findWorkspace } from "../../src/adapters/git/finding.ts";
import { openWorkspace } from "../../src/adapters/git/workspace.ts";
import type { WorkspaceFinding } from "../../src/ports/workspace.ts";
import { gitEnv, makeFolder, makeRepository, makeSuperproject, makeUnbornRepository } from "../fixtures/repositories.ts";

function located(top: string, gitDir = join(top, ".git"), commonDir = gitDir): WorkspaceFinding {
  return { kind: "found", location: { top, gitDir, commonDir } };
}

test("the top, a folder in it and a link to it lead to the same tree", async () => {
  const { path } = makeRepository();
  mkdirSync(join(path, "deep/er"), { recursive: true });
  const link = join(makeFolder(), "link");
  symlinkSync(path, link);
  for (const cwd of [path, join(path, "deep/er"), join(path, "deep/../deep/."), link, join(link, "deep")]) {
    expect(await findWorkspace(gitEnv, cwd)).toEqual(located(path));
  }
});

test("an unborn repository is found", async () => {
  const { path } = makeUnbornRepository();
  expect(await findWorkspace(gitEnv, path)).toEqual(located(path));
});

test("a linked worktree shares the common folder", async () => {
  const repository = makeRepository();
  const path = join(makeFolder(), "linked");
  repository.git("worktree", "add", "--quiet", "-b", "linked", path);
  const common = join(repository.path, ".git");
  expect(await findWorkspace(gitEnv, path)).toEqual(located(path, join(common, "worktrees/linked"), common));
});

test("a submodule is a tree of its own", async () => {
  const { path } = makeSuperproject();
  expect(await findWorkspace(gitEnv, join(path, "lib"))).toEqual(located(join(path, "lib"), join(path, ".git/modules/lib")));
});

test.each([
  ["with space"],
  ["acentuação"],
  ["🌙 night"],
  ["new\nline"],
  ["-dash"],
  ["quote'\"s"],
  [" lead"],
  ["trail "],
  ["$HOME `x`"],
  ["star*[x]"],
  [".hidden"],
  ["a\n\nb\n"],
])("a tree at %j is found and looked at", async (name) => {
  const repository = makeRepository(join(makeFolder(), name));
  const finding = await findWorkspace(gitEnv, repository.path);
  expect(finding).toEqual(located(repository.path));
  if (finding.kind !== "found") return;
  const workspace = openWorkspace(gitEnv, finding.location);
  const base = repository.git("rev-parse", "HEAD");
  const head = repository.commit("more", { "docs/handoff.md": "x" });
  repository.write(`${name}.new`, "x");
  expect(await workspace.inspect(["docs/handoff.md"])).toMatchObject({ head, branch: "main", untracked: { count: 1 }, failure: "" });
  expect(await workspace.changeSince(base, ["docs/handoff.md"])).toMatchObject({ head, commits: 1, codeChanged: false });
});

type Refusal = readonly [title: string, make: () => string, kind: WorkspaceFinding["kind"], detail: string];

const refusals: readonly Refusal[] = [
  [
    "a folder that is not there",
    () => join(makeFolder(), "no\nwhere"),
    "unreadable",
    "cannot be opened: check that it exists and that you may read it",
  ],
  [
    "a file",
    () => {
      const path = join(makeFolder(), "file");
      writeFileSync(path, "");
      return path;
    },
    "unreadable",
    "is no folder: start in the folder of a repository",
  ],
  ["a folder without a repository", makeFolder, "not-a-repository", 'is in no git repository: start inside one, or run "git init"'],
  [
    "a folder above several repositories",
    () => {
      const path = makeFolder();
      makeRepository(join(path, "one"));
      makeRepository(join(path, "two"));
      return path;
    },
    "not-a-repository",
    'is in no git repository: start inside one, or run "git init"',
  ],
  [
    "a bare repository",
    () => {
      const path = join(makeFolder(), "bare.git");
      makeRepository().git("clone", "--quiet", "--bare", ".", path);
      return path;
    },
    "bare",
    "is a bare repository, without files to work on: clone it, and start in the clone",
  ],
  [
    "the inside of .git",
    () => join(makeRepository().path, ".git/refs"),
    "not-a-repository",
    "lies inside a git folder: start in the working tree beside it",
  ],
  [
    "a tree that git was told lies elsewhere",
    () => {
      const repository = makeRepository();
      repository.git("config", "core.worktree", makeFolder());
      return repository.path;
    },
    "not-a-repository",
    "is outside of its repository's working tree (core.worktree): start inside of that",
  ],
  [
    "a repository with a broken config",
    () => {
      const { path } = makeRepository();
      writeFileSync(join(path, ".git/config"), "[core\n");
      return path;
    },
    "unreadable",
    'run "git status" there and mend what it names',
  ],
  [
    "a .git file that leads nowhere",
    () => {
      const path = makeFolder();
      writeFileSync(join(path, ".git"), "gitdir: /nowhere/at/all\n");
      return path;
    },
    "unreadable",
    'run "git status" there and mend what it names',
  ],
];

test.each(refusals)("%s is refused in one line", async (_title, make, kind, detail) => {
  const path = make();
  const finding = await findWorkspace(gitEnv, path);
  if (finding.kind === "found") throw new Error("it was found");
  expect(finding.kind).toBe(kind);
  expect(finding.detail).toContain(detail);
  expect(finding.detail).not.toContain("\n");
  expect(finding.detail.replace(/^git cannot open /, "").startsWith(path.includes("\n") ? '"/' : path)).toBe(true);
});

test.each([
  ["no folder of the PATH holds git", () => makeFolder()],
  ["the PATH is empty", () => ""],
  [
    "git may not be executed",
    () => {
      const bin = makeFolder();
      mkdirSync(join(bin, "git"));
      return bin;
    },
  ],
])("when %s, that is said", async (_title, makePath) => {
  expect(await findWorkspace({ ...gitEnv, PATH: makePath() }, makeRepository().path)).toEqual({
    kind: "no-git",
    detail: "git is not on the PATH: install it, or add its folder to PATH",
  });
});

test("a repository of another user is refused with git's own way out", async () => {
  const { path } = makeRepository(join(makeFolder(), "it's"));
  const bin = makeFolder();
  // Git's own switch for its tests: to own a file as somebody else takes root.
  writeFileSync(join(bin, "git"), `#!/bin/sh\nPATH='${gitEnv["PATH"]}'\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec git "$@"\n`);
  chmodSync(join(bin, "git"), 0o755);
  const finding = await findWorkspace({ ...gitEnv, PATH: `${bin}:${gitEnv["PATH"]}` }, path);
  const quoted = path.replace("'", "'\\''");
  expect(finding).toEqual({
    kind: "unsafe-owner",
    detail: `"${path}" belongs to another user: if you trust it, run git config --global --add safe.directory '${quoted}'`,
  });
});
