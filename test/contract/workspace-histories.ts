/** Random small histories: as values, and as commits in a repository. One git process makes a whole history, its objects loose as a window leaves them. */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { gitEnv, type Repository } from "../fixtures/repositories.ts";

export interface Step {
  /** How far back each parent lies; none = a root. Those before the beginning count as the first. */
  readonly parents: readonly number[];
  /** Seconds since the step before: clocks stand still, and go backwards. */
  readonly afterS: number;
  /** Tree of an earlier step taken as a whole, as a revert does; 0 = the first parent's. */
  readonly treeOf: number;
  readonly edits: readonly Edit[];
}

interface Edit {
  readonly path: string;
  /** null = deleted. */
  readonly text: string | null;
  readonly mode: string;
}

type Files = ReadonlyMap<string, Edit>;

/** Some stand where others need a folder. */
const paths = [
  ...["a.txt", "b.txt", "d", "d-e", "d.x", "d/a.txt", "d/e", "d/e/f.txt", "d/e/g/h.txt", "é/ñ [x]*", "-"],
  ...[".midwatch", ".midwatch/log", ".midwatcher", "docs/handoff.md", "docs/handoff.md/x", "docs/other.md", "lib"],
];
const plainTexts = ["one\n", "two\n", "", "three\nfour\n", "no end", "a <<<<<<< in a line\n", " <<<<<<< HEAD\n>>>>>>> x\n", "\0binary\n"];
const markers = ["a\n<<<<<<< HEAD\n=======\n>>>>>>> x\n", "<<<<<<< x\n", "<<<<<<<<<<\n>>>>>>>\n", "\0\n<<<<<<< x\n>>>>>>> y\n"];

function edits(texts: readonly string[]): fc.Arbitrary<Edit> {
  return fc.record({
    path: fc.constantFrom(...paths),
    text: fc.option(fc.constantFrom(...texts), { freq: 5 }),
    mode: fc.oneof(
      { weight: 4, arbitrary: fc.constant("100644") },
      { weight: 1, arbitrary: fc.constantFrom("100755", "120000", "160000") },
    ),
  });
}

const parents = fc.oneof(
  { weight: 6, arbitrary: fc.constant([1]) },
  { weight: 3, arbitrary: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant([]) },
);

function steps(texts: readonly string[]): fc.Arbitrary<readonly Step[]> {
  const step = fc.record({
    parents,
    afterS: fc.oneof({ weight: 4, arbitrary: fc.nat(3) }, { weight: 1, arbitrary: fc.integer({ min: -9, max: 9 }) }),
    treeOf: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 }) }),
    edits: fc.array(edits(texts), { maxLength: 4 }),
  });
  return fc.array(step, { minLength: 2, maxLength: 12 });
}

export const plainHistories = steps(plainTexts);
export const markedHistories = steps([...plainTexts, ...markers]);
export const bookkeepings = fc.subarray([".midwatch", "docs//handoff.md", "d", "d/e/", "./a.txt", "é", "lib", "../out"]);

/** Makes the commits, and gives their ids in order. */
export function makeHistory(repository: Repository, history: readonly Step[]): readonly string[] {
  const marks = join(repository.path, ".git/midwatch-marks");
  const args = ["-c", "fastimport.unpackLimit=10000", "fast-import", "--quiet", "--force", `--export-marks=${marks}`];
  execFileSync("git", args, { cwd: repository.path, env: gitEnv, input: writeStream(history) });
  const lines = readFileSync(marks, "utf8").trimEnd().split("\n");
  rmSync(marks);
  const ids = new Map(lines.map((line) => [line.split(" ")[0], line.split(" ")[1] ?? ""]));
  return history.map((_step, place) => ids.get(`:${place + 1}`) ?? "");
}

function writeStream(history: readonly Step[]): Buffer {
  const trees: Files[] = [];
  let at = 1_700_000_000;
  const commits = history.map(({ parents, afterS, treeOf, edits }, place) => {
    at += afterS;
    const places = [...new Set(place === 0 ? [] : parents.map((back) => Math.max(0, place - back)))];
    const files = applyEdits(trees[place - treeOf] ?? trees[places[0] ?? -1] ?? new Map(), edits);
    trees.push(files);
    const who = `committer Ada <ada@example.org> ${at} +0000\ndata 1\nm\n`;
    const from = places.map((parent, number) => `${number === 0 ? "from" : "merge"} :${parent + 1}\n`).join("");
    return `reset refs/heads/made\n\ncommit refs/heads/made\nmark :${place + 1}\n${who}${from}deleteall\n${[...files.values()].map(writeFile).join("")}\n`;
  });
  return Buffer.from(commits.join(""));
}

function applyEdits(before: Files, edits: readonly Edit[]): Files {
  const files = new Map(before);
  for (const one of edits) {
    const isInTheWay = (path: string): boolean => path === one.path || path.startsWith(`${one.path}/`) || one.path.startsWith(`${path}/`);
    for (const path of [...files.keys()].filter(isInTheWay)) files.delete(path);
    if (one.text !== null) files.set(one.path, one);
  }
  return files;
}

function writeFile({ path, text, mode }: Edit): string {
  const content = text ?? "";
  if (mode === "160000") return `M 160000 ${content.length.toString().padStart(40, "1")} ${path}\n`;
  return `M ${mode} inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`;
}
