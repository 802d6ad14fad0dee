/** Two commits side by side, and copies of one, from real repositories: what is read, what is written where, and that the person's repository stays as it was. */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openHistory } from "../../src/adapters/git/history.ts";
import type { ChangeReading, TreeCopy } from "../../src/ports/history.ts";
import {
  gitEnv,
  hashTree,
  makeFolder,
  makeRepository,
  makeSuperproject,
  makeTrap,
  makeUnbornRepository,
  type Repository,
} from "../fixtures/repositories.ts";
import { bookkeepings, makeHistory, plainHistories, type Step } from "./workspace-histories.ts";
import { locate } from "./workspace-kit.ts";

async function changes(repository: Repository, from: string, to: string, bookkeeping: readonly string[] = []): Promise<ChangeReading> {
  return openHistory(gitEnv, await locate(repository.path)).changes(from, to, bookkeeping);
}

async function copyOut(repository: Repository, commit: string, parent = makeFolder()): Promise<TreeCopy> {
  const copied = await openHistory(gitEnv, await locate(repository.path)).copyOut(commit, parent);
  if (copied.kind === "failed") throw new Error(copied.detail);
  return copied.copy;
}

const head = (repository: Repository) => repository.git("rev-parse", "HEAD");

describe("what differs", () => {
  test("added, changed and removed files come with their texts before and after", async () => {
    const r = makeRepository();
    const from = head(r);
    rmSync(join(r.path, "b.txt"));
    const to = r.commit("second", { "a.txt": "A\n", "new/ç é.txt": "new\n" });
    expect(await changes(r, from, to)).toEqual({
      kind: "read",
      left: 0,
      changes: [
        { path: "a.txt", kind: "changed", before: "a\n", after: "A\n" },
        { path: "b.txt", kind: "removed", before: "b\n", after: null },
        { path: "new/ç é.txt", kind: "added", before: null, after: "new\n" },
      ],
    });
  });

  test("from nothing, every file was added", async () => {
    const r = makeRepository();
    const seen = await changes(r, "", head(r));
    expect(seen.kind === "read" && seen.changes.map(({ path, kind }) => [path, kind])).toEqual([
      ["a.txt", "added"],
      ["b.txt", "added"],
    ]);
  });

  test("bookkeeping, and a commit with itself, are no change", async () => {
    const r = makeRepository();
    const from = head(r);
    const to = r.commit("notes", { ".midwatch/handoff.md": "x\n", "plan.md": "- [x] T1\n" });
    expect(await changes(r, from, to, [".midwatch", "plan.md"])).toEqual({ kind: "read", changes: [], left: 0 });
    expect(await changes(r, to, to)).toEqual({ kind: "read", changes: [], left: 0 });
  });

  test("what is no text has none: bytes, a link, a submodule, a file over 1 MB", async () => {
    const r = makeSuperproject();
    const from = head(r);
    writeFileSync(join(r.path, "bytes"), Buffer.from([1, 0, 2]));
    writeFileSync(join(r.path, "latin"), Buffer.from([0xe9, 0x0a]));
    writeFileSync(join(r.path, "large"), "x".repeat((1 << 20) + 1));
    symlinkSync("/etc/passwd", join(r.path, "link"));
    rmSync(join(r.path, "a.txt"));
    symlinkSync("b.txt", join(r.path, "a.txt"));
    const to = r.commit("odd");
    const seen = await changes(r, from, to);
    expect(seen.kind === "read" && seen.changes).toEqual([
      { path: "a.txt", kind: "changed", before: "a\n", after: null },
      ...["bytes", "large", "latin", "link"].map((path) => ({ path, kind: "added", before: null, after: null })),
    ]);
  });

  test("past 500 files the rest is counted", async () => {
    const r = makeRepository();
    const from = head(r);
    const to = r.commit("many", Object.fromEntries(Array.from({ length: 520 }, (_, n) => [`many/${n}.txt`, `${n}\n`])));
    const seen = await changes(r, from, to);
    expect(seen.kind === "read" && [seen.changes.length, seen.left]).toEqual([500, 20]);
  });

  test("a name with a newline, a quote or a dash in front is one name", async () => {
    const r = makeRepository();
    const from = head(r);
    const names = ["-rf", 'a"b', "line\nbreak"];
    const to = r.commit("names", Object.fromEntries(names.map((name) => [name, "x\n"])));
    const seen = await changes(r, from, to);
    expect(seen.kind === "read" && seen.changes.map(({ path }) => path)).toEqual(names);
  });

  test("a commit that is not there is told", async () => {
    const r = makeRepository();
    expect(await changes(r, "1".repeat(40), head(r))).toMatchObject({ kind: "failed" });
  });
});

describe("what a window has just committed", () => {
  test("is read without git", async () => {
    const r = makeRepository();
    const from = head(r);
    const to = r.commit("second", { "a.txt": "A\n", "d/new.txt": "new\n" });
    const withoutGit = openHistory({ ...gitEnv, PATH: makeFolder() }, await locate(r.path));
    expect(await withoutGit.changes(from, to, [])).toEqual(await changes(r, from, to));
  });

  test("in random histories its objects say what git says, without git", async () => {
    const r = makeUnbornRepository();
    const location = await locate(r.path);
    const withoutGit = openHistory({ ...gitEnv, PATH: makeFolder() }, location);
    const byGit = openHistory(gitEnv, location, { readsObjects: false });
    const check = async (history: readonly Step[], from: number, to: number, bookkeeping: readonly string[]) => {
      const commits = makeHistory(r, history);
      const ends = [["", ...commits][from % (commits.length + 1)] ?? "", commits[to % commits.length] ?? ""] as const;
      expect(await withoutGit.changes(...ends, bookkeeping)).toEqual(await byGit.changes(...ends, bookkeeping));
    };
    await fc.assert(fc.asyncProperty(plainHistories, fc.nat(), fc.nat(), bookkeepings, check), { numRuns: 15 });
  }, 60_000);

  test("is git's to tell where a text is larger than is read from here, or packed", async () => {
    const r = makeRepository();
    const from = head(r);
    r.commit("second", { "a.txt": "A\n" });
    r.git("repack", "-adq");
    const to = r.commit("third", { "b.txt": "x".repeat(1 << 20) });
    const seen = await changes(r, from, to);
    expect(seen.kind === "read" && seen.changes.map(({ path, after }) => [path, after?.length])).toEqual([
      ["a.txt", 2],
      ["b.txt", 1 << 20],
    ]);
  });
});

test("files whose changes git was told not to see are named", async () => {
  const r = makeRepository();
  const history = openHistory(gitEnv, await locate(r.path));
  expect(await history.hidden()).toEqual([]);
  r.git("update-index", "--skip-worktree", "a.txt");
  r.git("update-index", "--assume-unchanged", "b.txt");
  expect(await history.hidden()).toEqual(["a.txt", "b.txt"]);
});

describe("a copy", () => {
  test("holds the commit's files and nothing that was not committed, with their modes and links", async () => {
    const r = makeRepository();
    writeFileSync(join(r.path, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
    symlinkSync("a.txt", join(r.path, "link"));
    const commit = r.commit("second");
    r.write("a.txt", "not committed\n");
    r.write("stray.txt", "x\n");
    const { folder } = await copyOut(r, commit);
    expect(readdirSync(folder).sort()).toEqual(["a.txt", "b.txt", "link", "run.sh"]);
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("a\n");
    expect([lstatSync(join(folder, "link")).isSymbolicLink(), lstatSync(join(folder, "run.sh")).mode & 0o111]).toEqual([true, 0o111]);
  });

  test("leaves the repository and the tree byte for byte as they were, and nothing beside the copy", async () => {
    const r = makeRepository();
    r.write("a.txt", "staged\n");
    r.git("add", "a.txt");
    const before = hashTree(r.path);
    const parent = makeFolder();
    const copy = await copyOut(r, head(r), parent);
    await copy.put(head(r), ["a.txt"]);
    expect(hashTree(r.path)).toBe(before);
    expect(readdirSync(parent)).toEqual([basename(copy.folder)]);
  });

  test("runs no filter and no hook of the repository", async () => {
    const r = makeRepository();
    const { program, marker } = makeTrap(makeFolder());
    for (const key of ["smudge", "clean", "process"]) r.git("config", `filter.evil.${key}`, program);
    writeFileSync(join(r.path, ".git/info/attributes"), "* filter=evil\n");
    mkdirSync(join(r.path, ".git/hooks"), { recursive: true });
    writeFileSync(join(r.path, ".git/hooks/post-checkout"), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    const { folder } = await copyOut(r, head(r));
    expect([existsSync(marker), readFileSync(join(folder, "a.txt"), "utf8")]).toEqual([false, "a\n"]);
  });

  test("links what the tree's tools need, where the commit has the folder, and follows no link to do so", async () => {
    const r = makeRepository();
    const commit = r.commit("packages", { ".gitignore": "node_modules\n", "packages/one/index.js": "x\n", "other/index.js": "x\n" });
    r.write("node_modules/left/index.js", "x\n");
    r.write("packages/one/node_modules/right/index.js", "x\n");
    r.write("stray/node_modules/x.js", "x\n");
    rmSync(join(r.path, "other"), { recursive: true });
    const outside = makeFolder();
    mkdirSync(join(outside, "node_modules"));
    symlinkSync(outside, join(r.path, "other"));
    const { folder } = await copyOut(r, commit);
    expect(realpathSync(join(folder, "node_modules"))).toBe(join(r.path, "node_modules"));
    expect(realpathSync(join(folder, "packages/one/node_modules"))).toBe(join(r.path, "packages/one/node_modules"));
    expect([existsSync(join(folder, "stray")), existsSync(join(folder, "other/node_modules"))]).toEqual([false, false]);
  });

  test("links tools that are a link in the tree themselves, as trees that share them have it", async () => {
    const r = makeRepository();
    const commit = r.commit("one", { ".gitignore": "node_modules\n", "a.js": "x\n" });
    const shared = makeFolder();
    symlinkSync(shared, join(r.path, "node_modules"));
    expect(realpathSync(join((await copyOut(r, commit)).folder, "node_modules"))).toBe(realpathSync(shared));
  });

  test("has files put back as they were at another commit; one that was not there then is removed", async () => {
    const r = makeRepository();
    const first = r.commit("first", { "test/one.txt": "one\n", tool: "a file\n" });
    rmSync(join(r.path, "tool"));
    const second = r.commit("second", { "test/one.txt": "ONE\n", "test/two.txt": "two\n", "tool/part.txt": "a folder\n" });
    const copy = await copyOut(r, second);
    expect(await copy.put(first, ["test/one.txt", "test/two.txt", "tool"])).toBeNull();
    expect(readFileSync(join(copy.folder, "test/one.txt"), "utf8")).toBe("one\n");
    expect(readFileSync(join(copy.folder, "tool"), "utf8")).toBe("a file\n");
    expect(readdirSync(join(copy.folder, "test"))).toEqual(["one.txt"]);
    expect(await copy.put(second, ["tool/part.txt", "tool"])).toBeNull();
    expect(readFileSync(join(copy.folder, "tool/part.txt"), "utf8")).toBe("a folder\n");
  });

  test("puts nothing, and takes nothing away, through a link into the tree", async () => {
    const r = makeRepository();
    const first = r.commit("with venv", { "venv/own.txt": "own\n" });
    r.git("rm", "--quiet", "-r", "--cached", "venv");
    const second = r.commit("without", { ".gitignore": "venv\n" });
    const copy = await copyOut(r, second);
    expect(realpathSync(join(copy.folder, "venv"))).toBe(join(r.path, "venv"));
    r.write("venv/own.txt", "the person's\n");
    expect(await copy.put(first, ["venv/own.txt"])).toBeNull();
    expect(readFileSync(join(r.path, "venv/own.txt"), "utf8")).toBe("the person's\n");
    expect(readFileSync(join(copy.folder, "venv/own.txt"), "utf8")).toBe("own\n");
  });

  test("of a commit that is not there is told, and leaves nothing", async () => {
    const r = makeUnbornRepository();
    const parent = makeFolder();
    const copied = await openHistory(gitEnv, await locate(r.path)).copyOut("1".repeat(40), parent);
    expect(copied).toMatchObject({ kind: "failed" });
    expect(readdirSync(parent)).toEqual([]);
  });
});
