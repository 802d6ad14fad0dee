/** F23: each state git can be in, met by a workspace that was open already and by one opened just now. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWorkspace } from "../../src/adapters/git/workspace.ts";
import { type GroundState, groundProblems } from "../../src/core/ground.ts";
import type { Workspace } from "../../src/ports/workspace.ts";
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

const bookkeeping = [".midwatch", "docs/handoff.md", "notes/[x]"];

async function open(path: string): Promise<Workspace> {
  return openWorkspace(gitEnv, await locate(path), { lockPatienceMs: 60 });
}

/** Problem kinds, then the paths that are dirty, each with the class it is in. */
function summarize(state: GroundState): string[] {
  const kinds = groundProblems(state, { branch: "main" }).map((problem) => (problem.kind === "in-progress" ? problem.what : problem.kind));
  const paths = (["staged", "changed", "untracked", "conflicted"] as const).flatMap((name) =>
    state[name].paths.map((path) => `${name} ${path}`),
  );
  return [...kinds, ...paths];
}

function lieLock(repository: Repository, path: string): void {
  writeFileSync(join(repository.path, ".git", path), "");
  const tenMinutesAgo = Date.now() / 1000 - 600;
  utimesSync(join(repository.path, ".git", path), tenMinutesAgo, tenMinutesAgo);
}

type State = readonly [title: string, make: () => Repository, change: (repository: Repository) => void, summary: readonly string[]];

const plain: readonly State[] = [
  ["a clean tree has no problem", makeRepository, () => {}, []],
  ["a changed file is dirt", makeRepository, (r) => r.write("a.txt", "changed\n"), ["dirty", "changed a.txt"]],
  ["a file touched but not changed is clean", makeRepository, (r) => r.write("a.txt", "a\n"), []],
  [
    "a staged file is dirt",
    makeRepository,
    (r) => {
      r.write("a.txt", "changed\n");
      r.git("add", "a.txt");
    },
    ["dirty", "staged a.txt"],
  ],
  [
    "a file staged and changed again is both",
    makeRepository,
    (r) => {
      r.write("a.txt", "once\n");
      r.git("add", "a.txt");
      r.write("a.txt", "twice\n");
    },
    ["dirty", "staged a.txt", "changed a.txt"],
  ],
  ["a deleted file is dirt", makeRepository, (r) => rmSync(join(r.path, "a.txt")), ["dirty", "changed a.txt"]],
  [
    "a renamed file is two staged paths",
    makeRepository,
    (r) => {
      r.git("mv", "a.txt", "c.txt");
    },
    ["dirty", "staged a.txt", "staged c.txt"],
  ],
  ["an untracked file is dirt", makeRepository, (r) => r.write("new.txt", "x"), ["dirty", "untracked new.txt"]],
  [
    "an untracked folder is one entry",
    makeRepository,
    (r) => {
      r.write("new/a", "x");
      r.write("new/b", "x");
    },
    ["dirty", "untracked new/"],
  ],
  [
    "odd names are told as they are",
    makeRepository,
    (r) => {
      for (const name of [" lead", "-dash", 'quote"', "new\nline", "é 🌙", "# branch.head x"]) r.write(name, "x");
    },
    ["dirty", ...[" lead", "# branch.head x", "-dash", "new\nline", 'quote"', "é 🌙"].map((name) => `untracked ${name}`)],
  ],
  [
    "ignored files alone are clean",
    makeRepository,
    (r) => {
      writeFileSync(join(r.path, ".git/info/exclude"), "*.log\n");
      r.write("build.log", "x");
    },
    [],
  ],
  ["bookkeeping alone is clean", makeRepository, (r) => r.write(".midwatch/handoff.md", "x"), []],
  ["an untracked folder with nothing but bookkeeping is clean", makeRepository, (r) => r.write("docs/handoff.md", "x"), []],
  [
    "an untracked folder with bookkeeping and ignored files is clean",
    makeRepository,
    (r) => {
      writeFileSync(join(r.path, ".git/info/exclude"), "*.log\n");
      r.write("docs/handoff.md", "x");
      r.write("docs/build.log", "x");
    },
    [],
  ],
  [
    "an untracked folder with bookkeeping and more is dirt",
    makeRepository,
    (r) => {
      r.write("docs/handoff.md", "x");
      r.write("docs/more.md", "x");
    },
    ["dirty", "untracked docs/"],
  ],
  [
    "a changed, tracked bookkeeping file is clean, its neighbour is dirt",
    () => {
      const repository = makeRepository();
      repository.commit("docs", { "docs/handoff.md": "1\n", "docs/handoff.md.bak": "1\n" });
      return repository;
    },
    (r) => {
      r.write("docs/handoff.md", "22\n");
      r.write("docs/handoff.md.bak", "22\n");
    },
    ["dirty", "changed docs/handoff.md.bak"],
  ],
  [
    "glob characters in a bookkeeping path are meant literally",
    makeRepository,
    (r) => {
      r.write("notes/[x]", "x");
      r.write("notes/x", "x");
    },
    ["dirty", "untracked notes/"],
  ],
];

const heads: readonly State[] = [
  ["a detached HEAD is a problem", makeRepository, (r) => r.git("switch", "--quiet", "--detach"), ["detached"]],
  ["another branch is a problem", makeRepository, (r) => r.git("switch", "--quiet", "-c", "other"), ["wrong-branch"]],
  ["a branch named (detached) is a branch", makeRepository, (r) => r.git("switch", "--quiet", "-c", "(detached)"), ["wrong-branch"]],
  ["no commit yet is a problem", makeUnbornRepository, () => {}, ["unborn"]],
  ["a branch in packed-refs is read", makeRepository, (r) => r.git("pack-refs", "--all"), []],
  ["a broken HEAD is git's failure", makeRepository, (r) => writeFileSync(join(r.path, ".git/HEAD"), "nonsense\n"), ["git-failed"]],
  ["a broken index is git's failure", makeRepository, (r) => writeFileSync(join(r.path, ".git/index"), "nonsense"), ["git-failed"]],
  ["a repository that is gone is git's failure", makeRepository, (r) => rmSync(join(r.path, ".git"), { recursive: true }), ["git-failed"]],
];

const operations: readonly State[] = [
  [
    "a rebase in progress is told of, its detached HEAD is not",
    makeDivergedRepository,
    (r) => r.gitFailing("rebase", "other"),
    ["rebase", "conflicted", "conflicted a.txt"],
  ],
  [
    "a rebase by patches is a rebase",
    makeDivergedRepository,
    (r) => r.gitFailing("rebase", "--apply", "other"),
    ["rebase", "conflicted", "conflicted a.txt"],
  ],
  [
    "a merge with a conflict is told of",
    makeDivergedRepository,
    (r) => r.gitFailing("merge", "other"),
    ["merge", "conflicted", "conflicted a.txt"],
  ],
  [
    "a merge resolved and not committed is told of",
    makeDivergedRepository,
    (r) => {
      r.gitFailing("merge", "other");
      r.write("a.txt", "both\n");
      r.git("add", "a.txt");
    },
    ["merge", "dirty", "staged a.txt"],
  ],
  [
    "a cherry-pick is told of",
    makeDivergedRepository,
    (r) => r.gitFailing("cherry-pick", "other"),
    ["cherry-pick", "conflicted", "conflicted a.txt"],
  ],
  [
    "a cherry-pick between two commits is told of",
    makeDivergedRepository,
    (r) => {
      mkdirSync(join(r.path, ".git/sequencer"));
      writeFileSync(join(r.path, ".git/sequencer/todo"), "pick 1234567 second\n");
    },
    ["cherry-pick"],
  ],
  [
    "a revert is told of",
    () => {
      const repository = makeDivergedRepository();
      repository.commit("more", { "a.txt": "more\n" });
      return repository;
    },
    (r) => r.gitFailing("revert", "HEAD~1"),
    ["revert", "conflicted", "conflicted a.txt"],
  ],
  [
    "a bisect is told of, its detached HEAD is not",
    () => {
      const repository = makeRepository();
      for (const name of ["2", "3", "4", "5"]) repository.commit(name);
      return repository;
    },
    (r) => r.git("bisect", "start", "HEAD", "HEAD~4"),
    ["bisect"],
  ],
  [
    "a stopped `git am` is told of",
    makeDivergedRepository,
    (r) => {
      const mail = join(mkdtempSync(join(r.path, "..", "mail-")), "patch");
      writeFileSync(mail, `${r.git("format-patch", "--stdout", "main..other")}\n\n`);
      r.gitFailing("am", mail);
    },
    ["am"],
  ],
  ["a stash pop with a conflict leaves conflicted files", makeRepository, stashConflict, ["conflicted", "conflicted a.txt"]],
  [
    "conflict markers that were committed are history, not dirt",
    makeDivergedRepository,
    (r) => {
      r.gitFailing("merge", "other");
      r.commit("merged badly");
    },
    [],
  ],
];

function stashConflict(r: Repository): void {
  r.write("a.txt", "stashed\n");
  r.git("stash", "--quiet");
  r.commit("newer", { "a.txt": "newer\n" });
  r.gitFailing("stash", "pop");
}

const locks: readonly State[] = [
  ["an index.lock lying there is told of", makeRepository, (r) => lieLock(r, "index.lock"), ["locked"]],
  ["a HEAD.lock lying there is told of", makeRepository, (r) => lieLock(r, "HEAD.lock"), ["locked"]],
  ["a config.lock lying there is told of", makeRepository, (r) => lieLock(r, "config.lock"), ["locked"]],
  ["a packed-refs.lock lying there is told of", makeRepository, (r) => lieLock(r, "packed-refs.lock"), ["locked"]],
  ["the lock of the checked out branch is told of", makeRepository, (r) => lieLock(r, "refs/heads/main.lock"), ["locked"]],
  ["the lock of another branch is in nobody's way", makeRepository, (r) => lieLock(r, "refs/heads/other.lock"), []],
];

const shapes: readonly State[] = [
  [
    "a shallow clone is clean",
    () => {
      const origin = makeDivergedRepository();
      const path = join(makeFolder(), "clone");
      origin.git("clone", "--quiet", "--depth", "1", `file://${origin.path}`, path);
      return repositoryAt(path);
    },
    () => {},
    [],
  ],
  [
    "a sparse checkout is clean",
    () => {
      const repository = makeRepository();
      repository.commit("folders", { "one/x": "1", "two/x": "2" });
      return repository;
    },
    (r) => r.git("sparse-checkout", "set", "one"),
    [],
  ],
  ["a clean submodule is clean", makeSuperproject, () => {}, []],
  ["a submodule with a changed file is dirt", makeSuperproject, (r) => r.write("lib/a.txt", "changed\n"), ["dirty", "changed lib"]],
  ["a submodule with a new file is dirt", makeSuperproject, (r) => r.write("lib/new.txt", "x"), ["dirty", "changed lib"]],
  [
    "a submodule whose project ignores its dirt is clean",
    () => {
      const repository = makeSuperproject();
      repository.git("config", "--file", ".gitmodules", "submodule.lib.ignore", "dirty");
      repository.commit("ignore its dirt");
      return repository;
    },
    (r) => r.write("lib/a.txt", "changed\n"),
    [],
  ],
  [
    "a submodule at another commit, and dirty, is one entry",
    makeSuperproject,
    (r) => {
      repositoryAt(join(r.path, "lib")).commit("ahead");
      r.write("lib/new.txt", "x");
    },
    ["dirty", "changed lib"],
  ],
  ["a submodule that is not checked out is clean", makeSuperproject, (r) => r.git("submodule", "--quiet", "deinit", "--force", "lib"), []],
  [
    "a submodule whose folder is missing is dirt",
    makeSuperproject,
    (r) => rmSync(join(r.path, "lib"), { recursive: true }),
    ["dirty", "changed lib"],
  ],
  [
    "a submodule in a submodule is looked into",
    () => {
      const outer = makeRepository();
      outer.git("submodule", "--quiet", "add", makeSuperproject().path, "mid");
      outer.git("submodule", "--quiet", "update", "--init", "--recursive");
      outer.commit("add mid");
      return outer;
    },
    (r) => r.write("mid/lib/a.txt", "changed\n"),
    ["dirty", "changed mid"],
  ],
  [
    "a linked worktree has an index and operations of its own",
    () => {
      const repository = makeDivergedRepository();
      const path = join(makeFolder(), "linked");
      repository.git("worktree", "add", "--quiet", "-b", "linked", path);
      repository.gitFailing("merge", "other");
      return repositoryAt(path);
    },
    (r) => r.write("new.txt", "x"),
    ["wrong-branch", "dirty", "untracked new.txt"],
  ],
];

test.each([...plain, ...heads, ...operations, ...locks, ...shapes])("%s", async (_title, make, change, summary) => {
  const repository = make();
  const opened = await open(repository.path);
  change(repository);
  const before = hashTree(repository.path);
  expect(summarize(await opened.inspect(bookkeeping)), "mid-run").toEqual(summary);
  // A repository broken beyond finding is refused at the start by findWorkspace.
  const atStart = await open(repository.path).catch(() => null);
  if (!summary.includes("git-failed")) expect(summarize(await atStart!.inspect(bookkeeping)), "at the start").toEqual(summary);
  expect(hashTree(repository.path), "not a byte and not a time is changed").toBe(before);
});

test("without git on the PATH the look fails with a reason", async () => {
  const { location } = await open(makeRepository().path);
  const state = await openWorkspace({ ...gitEnv, PATH: makeFolder() }, location).inspect([]);
  expect(state.failure).toBe("git is not on the PATH: install it, or add its folder to PATH");
});

test("a look that gets no answer fails after its deadline", async () => {
  const repository = makeRepository();
  const { location } = await open(repository.path);
  const bin = makeFolder();
  writeFileSync(join(bin, "git"), "#!/bin/sh\nsleep 30\n", { mode: 0o755 });
  const state = await openWorkspace({ ...gitEnv, PATH: `${bin}:${gitEnv["PATH"]}` }, location, { timeoutMs: 200 }).inspect([]);
  expect(state.failure).toBe("git config gave no answer in 0.2 s");
});

test("a lock that a git at work gives back is waited for", async () => {
  const repository = makeRepository();
  const { location } = await open(repository.path);
  const lock = join(repository.path, ".git/index.lock");
  writeFileSync(lock, "");
  const looking = openWorkspace(gitEnv, location, { lockPatienceMs: 5000 }).inspect([]);
  setTimeout(() => rmSync(lock), 50);
  expect((await looking).locks).toEqual([]);
});

test("a lock tells its place and age", async () => {
  const repository = makeRepository();
  lieLock(repository, "index.lock");
  const [lock] = (await (await open(repository.path)).inspect([])).locks;
  expect(lock?.path).toBe(join(repository.path, ".git/index.lock"));
  expect(Math.round((lock?.ageMs ?? 0) / 60_000)).toBe(10);
});

test("of many dirty files all are counted and 20 of each class are named, in little time", async () => {
  const count = Number(process.env["MIDWATCH_MANY_FILES"] ?? 2000);
  const repository = makeRepository();
  for (let number = 0; number < count; number += 1) repository.write(`d${number % 50}/${number}`, "1\n");
  repository.commit("many");
  const workspace = await open(repository.path);
  const startedAt = performance.now();
  expect((await workspace.inspect(bookkeeping)).failure).toBe("");
  const elapsedMs = performance.now() - startedAt;
  for (let number = 0; number < count; number += 1) repository.write(`d${number % 50}/${number}`, "22\n");
  const state = await workspace.inspect(bookkeeping);
  expect([state.changed.count, state.changed.paths.length]).toEqual([count, 20]);
  expect(elapsedMs).toBeLessThan(2000);
});

test("a displaced git folder is a failure, not another repository", async () => {
  const repository = makeRepository();
  const other = makeRepository();
  const path = join(makeFolder(), "linked");
  repository.git("worktree", "add", "--quiet", "-b", "linked", path);
  const workspace = await open(path);
  writeFileSync(join(path, ".git"), `gitdir: ${other.path}/.git\n`);
  expect((await workspace.inspect([])).failure).toBe(`${path}/.git now leads to ${other.path}/.git`);
});
