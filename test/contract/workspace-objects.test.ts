/** What a window committed, read from the objects themselves: always what git would say, mostly without git, and git's to say when anything is odd. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openWorkspace } from "../../src/adapters/git/workspace.ts";
import type { TreeChange } from "../../src/core/ground.ts";
import {
  gitEnv,
  makeDivergedRepository,
  makeFolder,
  makeRepository,
  makeSuperproject,
  makeUnbornRepository,
  type Repository,
  repositoryAt,
} from "../fixtures/repositories.ts";
import { bookkeepings, makeHistory, markedHistories, plainHistories, type Step } from "./workspace-histories.ts";
import { locate } from "./workspace-kit.ts";

const withoutGit = { ...gitEnv, PATH: makeFolder() };

interface Ways {
  /** null = git had to be asked, and was not there. */
  fromObjects(base: string, bookkeeping?: readonly string[]): Promise<TreeChange | null>;
  fromGit(base: string, bookkeeping?: readonly string[]): Promise<TreeChange>;
  /** The usual way: from the objects, or else from git. */
  given(base: string, bookkeeping?: readonly string[]): Promise<TreeChange>;
}

async function openWays({ path }: Repository): Promise<Ways> {
  const location = await locate(path);
  return {
    fromObjects: async (base, bookkeeping = []) => {
      const change = await openWorkspace(withoutGit, location).changeSince(base, bookkeeping);
      return change.failure === undefined ? change : null;
    },
    fromGit: (base, bookkeeping = []) => openWorkspace(gitEnv, location, { readsObjects: false }).changeSince(base, bookkeeping),
    given: (base, bookkeeping = []) => openWorkspace(gitEnv, location).changeSince(base, bookkeeping),
  };
}

/** Which two of them are compared; the first also with the beginning of time. */
const pairs = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 4 });

test.each([
  ["in random histories the objects say what git says, without git", plainHistories, true],
  ["with markers in some files, what they say and what git is asked for come to the same", markedHistories, false],
])(
  "%s",
  async (_title, histories, isAlone) => {
    const repository = makeUnbornRepository();
    const ways = await openWays(repository);
    const check = async (history: readonly Step[], ends: readonly (readonly [number, number])[], bookkeeping: readonly string[]) => {
      const commits = makeHistory(repository, history);
      for (const [from, to] of ends) {
        const base = ["", ...commits][from % (commits.length + 1)] ?? "";
        writeFileSync(join(repository.path, ".git/HEAD"), `${commits[to % commits.length]}\n`);
        const expected = await ways.fromGit(base, bookkeeping);
        expect(await (isAlone ? ways.fromObjects : ways.given)(base, bookkeeping)).toEqual(expected);
      }
    };
    await fc.assert(fc.asyncProperty(histories, pairs, bookkeepings, check), { numRuns: 40 });
  },
  120_000,
);

const text = (number: number): Readonly<Record<string, string>> => ({ [`f${number}`]: `${number}\n` });
const files = (count: number, content = "x\n") =>
  Object.fromEntries(Array.from({ length: count }, (_none, number) => [`d/${number}`, content]));
const chain = (count: number): readonly Step[] =>
  Array.from({ length: count }, (_none, place) => ({
    ...{ parents: [1], afterS: 0, treeOf: 0 },
    edits: [{ path: "a", text: `${place}`, mode: "100644" }],
  }));

/** The base is HEAD at the first step, and what the second does is the window. */
type Window = readonly [title: string, make: () => Repository, work: (repository: Repository) => void];

const ordinary: readonly Window[] = [
  ["a commit", makeRepository, (r) => r.commit("1", text(1))],
  ["several commits", makeRepository, (r) => [1, 2, 3].map((number) => r.commit("more", text(number)))],
  ["a commit of bookkeeping", makeRepository, (r) => r.commit("note", { "docs/handoff.md": "x" })],
  [
    "a commit taken back",
    makeRepository,
    (r) => {
      r.commit("1", text(1));
      r.git("revert", "--no-edit", "HEAD");
    },
  ],
  [
    "a file renamed, one deleted, one made a program, one made a link",
    () => {
      const repository = makeRepository();
      repository.commit("more", files(4));
      return repository;
    },
    (r) => {
      r.git("mv", "d/0", "moved");
      for (const name of ["d/1", "d/3"]) rmSync(join(r.path, name));
      chmodSync(join(r.path, "d/2"), 0o755);
      symlinkSync("nowhere", join(r.path, "d/3"));
      r.commit("all sorts");
    },
  ],
  ["a merge", makeDivergedRepository, (r) => r.git("merge", "--quiet", "-X", "ours", "other")],
  ["an amended base", makeDivergedRepository, (r) => r.git("commit", "--quiet", "--amend", "-m", "again")],
  ["another branch", makeDivergedRepository, (r) => r.git("switch", "--quiet", "other")],
  ["a reset to before the base", makeDivergedRepository, (r) => r.git("reset", "--quiet", "--hard", "HEAD~1")],
  ["a first commit", makeUnbornRepository, (r) => r.commit("1", text(1))],
  ["a submodule at another commit", makeSuperproject, (r) => bumpSubmodule(r)],
  ["a commit in a linked tree", makeLinkedTree, (r) => r.commit("1", text(1))],
  ["a packed ref", makeRepository, (r) => [r.commit("1", text(1)), r.git("pack-refs", "--all")]],
  ["200 commits", makeUnbornRepository, (r) => checkOut(r, makeHistory(r, chain(200)))],
  ["200 files", makeRepository, (r) => r.commit("many", files(200))],
  ["a file just under 1 MB", makeRepository, (r) => r.commit("large", files(1, "x".repeat((1 << 20) - 100)))],
];

function bumpSubmodule(repository: Repository): void {
  repositoryAt(join(repository.path, "lib")).commit("ahead");
  repository.commit("bump");
}

function makeLinkedTree(): Repository {
  const path = join(makeFolder(), "linked");
  makeRepository().git("worktree", "add", "--quiet", path);
  return repositoryAt(path);
}

function checkOut(repository: Repository, commits: readonly string[]): void {
  writeFileSync(join(repository.path, ".git/HEAD"), `${commits.at(-1)}\n`);
}

/** The commit at HEAD; "" when there is none. */
function readBase(repository: Repository): string {
  return repository.git("for-each-ref", "--format=%(objectname)", "refs/heads/") === "" ? "" : repository.git("rev-parse", "HEAD");
}

test.each(ordinary)("%s is read without git", async (_title, make, work) => {
  const repository = make();
  const base = readBase(repository);
  work(repository);
  const ways = await openWays(repository);
  expect(await ways.fromObjects(base, ["docs/handoff.md"])).toEqual(await ways.fromGit(base, ["docs/handoff.md"]));
});

/** Where the object of that name lies. */
function placeOf(repository: Repository, name: string): string {
  const oid = repository.git("rev-parse", name);
  return join(repository.path, ".git/objects", oid.slice(0, 2), oid.slice(2));
}

function replaceObject(repository: Repository, name: string, bytes: Buffer): void {
  const place = placeOf(repository, name);
  rmSync(place);
  writeFileSync(place, bytes);
}

/** Writes an object that git itself would not, and gives its id. */
function writeObject(repository: Repository, kind: string, content: Buffer): string {
  const object = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
  const oid = createHash("sha1").update(object).digest("hex");
  mkdirSync(join(repository.path, ".git/objects", oid.slice(0, 2)), { recursive: true });
  writeFileSync(join(repository.path, ".git/objects", oid.slice(0, 2), oid.slice(2)), deflateSync(object));
  return oid;
}

type Row = readonly [mode: string, name: string, oid: string];

function writeTree(repository: Repository, rows: readonly Row[]): string {
  return writeObject(
    repository,
    "tree",
    Buffer.concat(rows.flatMap(([mode, name, oid]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, "hex")])),
  );
}

/** A commit of that tree on top of HEAD, checked out. */
function commitTree(repository: Repository, rows: (blob: string) => readonly Row[]): void {
  const tree = writeTree(repository, rows(repository.git("rev-parse", "HEAD:a.txt")));
  const who = "Ada <ada@example.org> 1700000000 +0000";
  const lines = [`tree ${tree}`, `parent ${repository.git("rev-parse", "HEAD")}`, `author ${who}`, `committer ${who}`, "", "odd"];
  checkOut(repository, [writeObject(repository, "commit", Buffer.from(lines.join("\n")))]);
}

function makeSha256Repository(): Repository {
  const repository = repositoryAt(makeFolder());
  repository.git("init", "--quiet", "--object-format=sha256", "--initial-branch", "main", ".");
  repository.commit("first", { "a.txt": "a\n" });
  return repository;
}

const anyCommit = (r: Repository): string => r.commit("1", { "a.txt": "changed\n", "d/b.txt": "b\n" });

const odd: readonly Window[] = [
  ["packed objects", makeRepository, (r) => [anyCommit(r), r.git("repack", "--quiet", "-a", "-d")]],
  ["objects lent by another repository", makeBorrower, anyCommit],
  ["a missing object", makeRepository, (r) => [anyCommit(r), rmSync(placeOf(r, "HEAD:d/b.txt"))]],
  ["a history that is cut off", makeRepository, (r) => writeFileSync(join(r.path, ".git/shallow"), `${anyCommit(r)}\n`)],
  ["a grafted history", makeRepository, (r) => writeFileSync(join(r.path, ".git/info/grafts"), `${anyCommit(r)}\n`)],
  ["a replaced commit", makeRepository, (r) => [anyCommit(r), r.git("replace", "HEAD", "HEAD~1")]],
  [
    "a replaced commit whose ref is packed",
    makeRepository,
    (r) => {
      anyCommit(r);
      r.git("replace", "HEAD", "HEAD~1");
      r.git("pack-refs", "--all");
      rmSync(join(r.path, ".git/refs/replace"), { recursive: true, force: true });
    },
  ],
  ["a repository with longer names", makeSha256Repository, anyCommit],
  ["a line that could be a marker", makeRepository, (r) => r.commit("text", { "a.txt": "a\n<<<<<<< x\n" })],
  ["a first line that could be a marker", makeRepository, (r) => r.commit("text", { "a.txt": "<<<<<<< x\n>>>>>>> x\n" })],
  ["a large file", makeRepository, (r) => r.commit("large", files(1, "x".repeat(1 << 20)))],
  [
    "many rather large files",
    makeRepository,
    (r) => r.commit("large", Object.fromEntries(Array.from({ length: 9 }, (_none, n) => [`f${n}`, `${n}`.repeat(1_000_000)]))),
  ],
  ["201 files", makeRepository, (r) => r.commit("many", files(201))],
  ["201 commits", makeUnbornRepository, (r) => checkOut(r, makeHistory(r, chain(201)))],
  ["a damaged file", makeRepository, (r) => [anyCommit(r), replaceObject(r, "HEAD:d/b.txt", Buffer.from("no object"))]],
  [
    "a file with another's content",
    makeRepository,
    (r) => [anyCommit(r), replaceObject(r, "HEAD:d/b.txt", readFileSync(placeOf(r, "HEAD:a.txt")))],
  ],
  ["an empty commit object", makeRepository, (r) => [anyCommit(r), replaceObject(r, "HEAD", Buffer.alloc(0))]],
  ["a tree that is cut short", makeRepository, (r) => [anyCommit(r), cutObject(placeOf(r, "HEAD^{tree}"))]],
  [
    "a file as a commit's tree",
    makeRepository,
    (r) => commitHeader(r, (h) => h.replace(/^tree .*/, `tree ${r.git("rev-parse", "HEAD:a.txt")}`)),
  ],
  [
    "a tree as a commit's parent",
    makeRepository,
    (r) => commitHeader(r, (h) => `${h.slice(0, 46)}parent ${h.slice(5, 45)}\n${h.slice(46)}`),
  ],
  ["a commit without a time", makeRepository, (r) => commitHeader(r, (h) => h.replace(/\d+ \+0000/g, "now"))],
  [
    "a tree with its entries out of order",
    makeRepository,
    (r) =>
      commitTree(r, (oid) => [
        ["100644", "b", oid],
        ["100644", "a", oid],
      ]),
  ],
  [
    "a tree with a name twice",
    makeRepository,
    (r) =>
      commitTree(r, (oid) => [
        ["100644", "a", oid],
        ["100755", "a", oid],
      ]),
  ],
  [
    "a tree with a file and a folder of one name",
    makeRepository,
    (r) =>
      commitTree(r, (oid) => [
        ["100644", "a", oid],
        ["100644", "a-b", oid],
        ["40000", "a", r.git("rev-parse", "HEAD^{tree}")],
      ]),
  ],
  ["a tree with an old mode", makeRepository, (r) => commitTree(r, (oid) => [["100664", "a.txt", oid]])],
  ["a tree with a path as a name", makeRepository, (r) => commitTree(r, (oid) => [["100644", "d/a", oid]])],
];

function makeBorrower(): Repository {
  const path = join(makeFolder(), "borrower");
  const lender = makeRepository();
  lender.git("clone", "--quiet", "--shared", lender.path, path);
  return repositoryAt(path);
}

function cutObject(place: string): void {
  chmodSync(place, 0o644);
  truncateSync(place, 20);
}

/** A commit on top of HEAD with a header that somebody wrote by hand, checked out. */
function commitHeader(repository: Repository, rewrite: (header: string) => string): void {
  anyCommit(repository);
  const header = repository.git("cat-file", "commit", "HEAD");
  checkOut(repository, [writeObject(repository, "commit", Buffer.from(rewrite(header)))]);
}

test("a commit that both ends reach is told from a new one, whatever the clocks said", async () => {
  const repository = makeUnbornRepository();
  const step = (afterS: number, ...parents: number[]): Step => ({ parents, afterS, treeOf: 0, edits: [] });
  // The third is the fourth's parent and much newer: both ends come upon it by other ways, and at other times.
  const commits = makeHistory(repository, [step(0), step(5, 1), step(95, 1), step(-90, 1), step(190, 1, 3), step(100, 2, 3)]);
  checkOut(repository, commits);
  const ways = await openWays(repository);
  const base = commits[4]!;
  expect(await ways.fromObjects(base)).toMatchObject({ commits: 1, baseLost: true });
  expect(await ways.fromGit(base)).toEqual(await ways.fromObjects(base));
});

test.each(odd)("%s: git is asked", async (_title, make, work) => {
  const repository = make();
  const base = readBase(repository);
  work(repository);
  const ways = await openWays(repository);
  expect(await ways.fromObjects(base)).toBeNull();
  expect(await ways.given(base)).toEqual(await ways.fromGit(base));
});

const bomb = deflateSync(Buffer.alloc(1 << 26));

test.each<[title: string, put: (place: string) => void]>([
  ["a pipe", (place) => execFileSync("mkfifo", [place])],
  ["a folder", (place) => mkdirSync(place)],
  ["a link to itself", (place) => symlinkSync(place, place)],
  ["64 MB of nothing in 64 KB", (place) => writeFileSync(place, bomb)],
])("%s in an object's place is given up at once", async (_title, put) => {
  const repository = makeRepository();
  const base = readBase(repository);
  anyCommit(repository);
  const ways = await openWays(repository);
  for (const name of ["HEAD:d/b.txt", "HEAD:d", "HEAD^{tree}", "HEAD"]) {
    const place = placeOf(repository, name);
    const before = readFileSync(place);
    rmSync(place);
    put(place);
    expect(await ways.fromObjects(base)).toBeNull();
    rmSync(place, { recursive: true });
    writeFileSync(place, before);
  }
});

test("a tree that holds another many times over is given up", async () => {
  const repository = makeRepository();
  const base = readBase(repository);
  commitTree(repository, (blob) => {
    let tree = writeTree(repository, []);
    for (let depth = 0; depth < 40; depth += 1)
      tree = writeTree(repository, [
        ["40000", "a", tree],
        ["40000", "b", tree],
      ]);
    return [
      ["100644", "c", blob],
      ["40000", "d", tree],
    ];
  });
  expect(await (await openWays(repository)).fromObjects(base)).toBeNull();
});
