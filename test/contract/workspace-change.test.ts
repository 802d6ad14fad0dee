/** A7: what counts as progress between a window's start and its end, and what only looks like it. Read from the objects or asked of git: the same. */
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../src/adapters/git/workspace.ts";
import type { TreeChange } from "../../src/core/ground.ts";
import {
  gitEnv,
  hashTree,
  makeDivergedRepository,
  makeFolder,
  makeRepository,
  makeSuperproject,
  makeUnbornRepository,
  type Repository,
  repositoryAt,
} from "../fixtures/repositories.ts";
import { locate } from "./workspace-kit.ts";

const bookkeeping = [".midwatch", "docs/handoff.md"];
const nothing = { commits: 0, codeChanged: false, conflictMarkers: [] as string[], baseLost: false };
const conflicted = "one\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n";

type Change = readonly [title: string, make: () => Repository, change: (repository: Repository) => void, expected: Partial<TreeChange>];

const changes: readonly Change[] = [
  ["nothing happened", makeRepository, () => {}, {}],
  ["dirt is no commit", makeRepository, (r) => r.write("a.txt", "changed\n"), {}],
  ["a commit of code is progress", makeRepository, (r) => r.commit("code", { "a.txt": "changed\n" }), { commits: 1, codeChanged: true }],
  [
    "three commits are counted",
    makeRepository,
    (r) => ["1", "2", "3"].map((text) => r.commit(text, { "a.txt": text })),
    { commits: 3, codeChanged: true },
  ],
  [
    "a commit of bookkeeping is none",
    makeRepository,
    (r) => r.commit("note", { ".midwatch/x": "1", "docs/handoff.md": "1" }),
    { commits: 1 },
  ],
  [
    "a commit of bookkeeping and code is progress",
    makeRepository,
    (r) => r.commit("both", { "docs/handoff.md": "1", "docs/other.md": "1" }),
    { commits: 1, codeChanged: true },
  ],
  ["an empty commit is none", makeRepository, (r) => r.commit("empty"), { commits: 1 }],
  [
    "a commit taken back in the same window is none",
    makeRepository,
    (r) => {
      r.commit("code", { "a.txt": "changed\n" });
      r.git("revert", "--no-edit", "HEAD");
    },
    { commits: 2 },
  ],
  [
    "a renamed file is progress",
    makeRepository,
    (r) => {
      r.git("mv", "a.txt", "c.txt");
      r.commit("rename");
    },
    { commits: 1, codeChanged: true },
  ],
  [
    "a deleted file is progress",
    makeRepository,
    (r) => {
      rmSync(join(r.path, "a.txt"));
      r.commit("delete");
    },
    { commits: 1, codeChanged: true },
  ],
  [
    "a changed mode is progress",
    makeRepository,
    (r) => {
      chmodSync(join(r.path, "a.txt"), 0o755);
      r.commit("mode");
    },
    { commits: 1, codeChanged: true },
  ],
  ["a merge brings all its commits", makeDivergedRepository, (r) => r.git("merge", "--quiet", "-X", "ours", "other"), { commits: 2 }],
  [
    "a submodule at another commit is progress",
    makeSuperproject,
    (r) => {
      repositoryAt(join(r.path, "lib")).commit("ahead");
      r.commit("bump");
    },
    { commits: 1, codeChanged: true },
  ],
  [
    "an amended base is lost, its successor is new",
    makeRepository,
    (r) => {
      r.write("a.txt", "amended\n");
      r.git("commit", "--quiet", "--all", "--amend", "-m", "again");
    },
    { commits: 1, codeChanged: true, baseLost: true },
  ],
  [
    "another branch checked out is a lost base",
    makeDivergedRepository,
    (r) => r.git("switch", "--quiet", "other"),
    { branch: "other", commits: 1, codeChanged: true, baseLost: true },
  ],
  ["a new branch at the same commit is nothing", makeRepository, (r) => r.git("switch", "--quiet", "-c", "new"), { branch: "new" }],
  [
    "a detached HEAD further on is progress on no branch",
    makeRepository,
    (r) => {
      r.git("switch", "--quiet", "--detach");
      r.commit("code", { "a.txt": "x" });
    },
    { branch: null, commits: 1, codeChanged: true },
  ],
  [
    "a reset to before the base is a lost base",
    makeDivergedRepository,
    (r) => r.git("reset", "--quiet", "--hard", "HEAD~1"),
    { codeChanged: true, baseLost: true },
  ],
  [
    "a branch in packed-refs is read",
    makeRepository,
    (r) => {
      r.commit("code", { "a.txt": "x" });
      r.git("pack-refs", "--all");
    },
    { commits: 1, codeChanged: true },
  ],
  [
    "an orphan branch without a commit is a lost base",
    makeRepository,
    (r) => r.git("switch", "--quiet", "--orphan", "bare"),
    { head: "", branch: "bare", baseLost: true },
  ],
  [
    "committed conflict markers are named",
    makeDivergedRepository,
    (r) => {
      r.gitFailing("merge", "other");
      r.commit("merged badly");
    },
    { commits: 2, codeChanged: true, conflictMarkers: ["a.txt"] },
  ],
  [
    "odd names with markers are told as they are",
    makeRepository,
    (r) => r.commit("bad", { "-é \n[x]": conflicted, x: "fine" }),
    { commits: 1, codeChanged: true, conflictMarkers: ["-é \n[x]"] },
  ],
  [
    "markers in bookkeeping are a quotation",
    makeRepository,
    (r) => r.commit("note", { "docs/handoff.md": conflicted, x: "y" }),
    { commits: 1, codeChanged: true },
  ],
  [
    "markers resolved in the same window are gone",
    makeRepository,
    (r) => {
      r.commit("bad", { "a.txt": conflicted });
      r.commit("good", { "a.txt": "both\n" });
    },
    { commits: 2, codeChanged: true },
  ],
  [
    "one end of a conflict alone is text",
    makeRepository,
    (r) => r.commit("text", { "a.txt": "<<<<<<< shift left a lot\n=======\n" }),
    { commits: 1, codeChanged: true },
  ],
];

describe.each([
  ["read from the objects where they can be", true],
  ["asked of git", false],
])("a change %s", (_way, readsObjects) => {
  async function readChange(repository: Repository, base: string): Promise<TreeChange> {
    return openWorkspace(gitEnv, await locate(repository.path), { readsObjects }).changeSince(base, bookkeeping);
  }

  test.each(changes)("%s", async (_title, make, change, expected) => {
    const repository = make();
    const base = repository.git("rev-parse", "HEAD");
    change(repository);
    const before = hashTree(repository.path);
    const head = repository.git("rev-parse", "--verify", "--quiet", expected.head === "" ? "main" : "HEAD");
    expect(await readChange(repository, base)).toEqual({ ...nothing, head, branch: "main", ...expected });
    expect(hashTree(repository.path), "not a byte and not a time is changed").toBe(before);
  });

  test("markers that were there before the window are not its doing", async () => {
    const repository = makeRepository();
    const base = repository.commit("bad already", { "a.txt": conflicted });
    repository.commit("elsewhere", { "a.txt": `${conflicted}more\n` });
    expect((await readChange(repository, base)).conflictMarkers).toEqual([]);
  });

  test("a window that removed old markers left none", async () => {
    const repository = makeRepository();
    const base = repository.commit("bad already", { "a.txt": conflicted });
    repository.commit("mended", { "a.txt": "mended\n", "b.txt": "+<<<<<<< is no marker\n" });
    expect((await readChange(repository, base)).conflictMarkers).toEqual([]);
  });

  test("at most 20 files with markers are named", async () => {
    const repository = makeRepository();
    const base = repository.git("rev-parse", "HEAD");
    repository.commit("bad", Object.fromEntries(Array.from({ length: 25 }, (_none, number) => [`f${number}`, conflicted])));
    expect((await readChange(repository, base)).conflictMarkers).toHaveLength(20);
  });

  test("from an unborn branch everything is new", async () => {
    const repository = makeUnbornRepository();
    expect(await readChange(repository, "")).toEqual({ ...nothing, head: "", branch: "main" });
    const head = repository.commit("first", { "a.txt": conflicted });
    expect(await readChange(repository, "")).toEqual({
      ...nothing,
      head,
      branch: "main",
      commits: 1,
      codeChanged: true,
      conflictMarkers: ["a.txt"],
    });
  });

  test("from an unborn branch a commit of bookkeeping alone is none", async () => {
    const repository = makeUnbornRepository();
    const head = repository.commit("first", { "docs/handoff.md": "x" });
    expect(await readChange(repository, "")).toEqual({ ...nothing, head, branch: "main", commits: 1 });
  });

  test("a base that is no longer an object is a lost base", async () => {
    const repository = makeRepository();
    const head = repository.git("rev-parse", "HEAD");
    expect(await readChange(repository, "1".repeat(40))).toEqual({ ...nothing, head, branch: "main", baseLost: true });
  });
});

test("a HEAD that leads nowhere is git's failure", async () => {
  const repository = makeRepository();
  const workspace = openWorkspace(gitEnv, await locate(repository.path));
  const base = repository.git("rev-parse", "HEAD");
  writeFileSync(join(repository.path, ".git/HEAD"), "nonsense\n");
  const change = await workspace.changeSince(base, []);
  expect({ ...change, failure: "" }).toEqual({ ...nothing, head: "", branch: null, failure: "" });
  expect(change.failure).not.toBe("");
});

test("that HEAD did not move is known without starting git", async () => {
  const repository = makeRepository();
  const withoutGit = openWorkspace({ ...gitEnv, PATH: makeFolder() }, await locate(repository.path));
  const head = repository.git("rev-parse", "HEAD");
  expect(await withoutGit.changeSince(head, bookkeeping)).toEqual({ ...nothing, head, branch: "main" });
});
