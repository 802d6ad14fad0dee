import { expect, test } from "vitest";
import {
  describeGroundProblem,
  type GroundProblem,
  type GroundState,
  groundProblems,
  type PathSample,
  quoteForShell,
  showPath,
} from "../../src/core/ground.ts";

const none: PathSample = { count: 0, paths: [] };
const clean: GroundState = {
  head: "0123456789abcdef",
  branch: "main",
  staged: none,
  changed: none,
  untracked: none,
  conflicted: none,
  inProgress: [],
  locks: [],
  failure: "",
};
const sample = (...paths: string[]): PathSample => ({ count: paths.length, paths });
const lock = { path: "/r/.git/index.lock", ageMs: 5000 };

type Judgement = readonly [title: string, change: Partial<GroundState>, expected: string | null, problems: readonly GroundProblem[]];

const judgements: readonly Judgement[] = [
  ["a clean tree on the run's branch lets the window start", {}, "main", []],
  ["while no branch is settled any will do", { branch: "other" }, null, []],
  ["another branch stops it", { branch: "other" }, "main", [{ kind: "wrong-branch", expected: "main", actual: "other" }]],
  ["a staged file is dirt", { staged: sample("a") }, "main", [{ kind: "dirty", staged: sample("a"), changed: none, untracked: none }]],
  ["a changed file is dirt", { changed: sample("a") }, "main", [{ kind: "dirty", staged: none, changed: sample("a"), untracked: none }]],
  [
    "an untracked file is dirt",
    { untracked: sample("a") },
    "main",
    [{ kind: "dirty", staged: none, changed: none, untracked: sample("a") }],
  ],
  [
    "a detached HEAD is told of with the branch it should be on",
    { branch: null },
    "main",
    [{ kind: "detached", head: clean.head, expected: "main" }],
  ],
  [
    "a detached HEAD is told of also when any branch will do",
    { branch: null },
    null,
    [{ kind: "detached", head: clean.head, expected: null }],
  ],
  ["a rebase explains its detached HEAD", { branch: null, inProgress: ["rebase"] }, "main", [{ kind: "in-progress", what: "rebase" }]],
  ["a bisect explains its detached HEAD", { branch: null, inProgress: ["bisect"] }, "main", [{ kind: "in-progress", what: "bisect" }]],
  [
    "a merge does not explain a detached HEAD",
    { branch: null, inProgress: ["merge"] },
    "main",
    [
      { kind: "in-progress", what: "merge" },
      { kind: "detached", head: clean.head, expected: "main" },
    ],
  ],
  [
    "no commit yet is told of, the branch's name is then of no matter",
    { head: "", branch: "other" },
    "main",
    [{ kind: "unborn", branch: "other" }],
  ],
  [
    "files in conflict are told of beside the merge",
    { inProgress: ["merge"], conflicted: sample("a") },
    "main",
    [
      { kind: "in-progress", what: "merge" },
      { kind: "conflicted", files: sample("a") },
    ],
  ],
  [
    "a lock is told of first",
    { locks: [lock], changed: sample("a") },
    "main",
    [
      { kind: "locked", locks: [lock] },
      { kind: "dirty", staged: none, changed: sample("a"), untracked: none },
    ],
  ],
  [
    "when git failed nothing else is believed",
    { failure: "bad index", head: "", branch: null },
    "main",
    [{ kind: "git-failed", detail: "bad index" }],
  ],
  [
    "a lock may be why git failed",
    { failure: "bad index", locks: [lock] },
    "main",
    [
      { kind: "git-failed", detail: "bad index" },
      { kind: "locked", locks: [lock] },
    ],
  ],
];

test.each(judgements)("%s", (_title, change, expected, problems) => {
  expect(groundProblems({ ...clean, ...change }, { branch: expected })).toEqual(problems);
});

const descriptions: readonly (readonly [line: string, problem: GroundProblem])[] = [
  [
    'git cannot read the working tree (bad index): run "git status" there and mend what it names',
    { kind: "git-failed", detail: "bad index" },
  ],
  [
    "git is locked (/r/.git/index.lock, 5 s old; /r/.git/HEAD.lock, 10 min old): when no git command is at work there, delete the file",
    { kind: "locked", locks: [lock, { path: "/r/.git/HEAD.lock", ageMs: 600_000 }] },
  ],
  [
    "git is locked (/r/x.lock, 30 h old): when no git command is at work there, delete the file",
    { kind: "locked", locks: [{ path: "/r/x.lock", ageMs: 108_000_000 }] },
  ],
  [
    'a rebase is in progress: go on with "git rebase --continue", or give it up with "git rebase --abort"',
    { kind: "in-progress", what: "rebase" },
  ],
  [
    'a merge is in progress: finish it with "git merge --continue", or give it up with "git merge --abort"',
    { kind: "in-progress", what: "merge" },
  ],
  ['a bisect is in progress: end it with "git bisect reset"', { kind: "in-progress", what: "bisect" }],
  ['1 file in conflict (a): resolve, then "git add" and commit', { kind: "conflicted", files: sample("a") }],
  ['30 files in conflict (a, b, …): resolve, then "git add" and commit', { kind: "conflicted", files: { count: 30, paths: ["a", "b"] } }],
  [
    'HEAD is on no branch (detached at 0123456789): check it out with "git switch main"',
    { kind: "detached", head: clean.head, expected: "main" },
  ],
  [
    'HEAD is on no branch (detached at 0123456789): check out a branch with "git switch NAME"',
    { kind: "detached", head: clean.head, expected: null },
  ],
  ['branch main has no commit yet: make the first one with "git add" and "git commit"', { kind: "unborn", branch: "main" }],
  ['the repository has no commit yet: make the first one with "git add" and "git commit"', { kind: "unborn", branch: null }],
  [
    "branch other is checked out, and the run works on \"it's\": check it out with \"git switch 'it'\\''s'\"",
    { kind: "wrong-branch", expected: "it's", actual: "other" },
  ],
  [
    'uncommitted: 1 changed (src/a.ts): commit, or put away with "git stash --include-untracked"',
    { kind: "dirty", staged: none, changed: sample("src/a.ts"), untracked: none },
  ],
  [
    'uncommitted: 1 staged, 2 changed, 100000 untracked (a, "b c", d/, e, f, …): commit, or put away with "git stash --include-untracked"',
    { kind: "dirty", staged: sample("a"), changed: sample("a", "b c"), untracked: { count: 100_000, paths: ["d/", "e", "f", "g"] } },
  ],
];

test.each(descriptions)("%s", (line, problem) => {
  expect(describeGroundProblem(problem)).toBe(line);
});

test("every operation in progress has its way out", () => {
  for (const what of ["rebase", "merge", "cherry-pick", "revert", "bisect", "am"] as const) {
    expect(describeGroundProblem({ kind: "in-progress", what })).toContain(`"git ${what} `);
  }
});

test.each([
  ["src/a.ts", "src/a.ts"],
  ["é/🌙", "é/🌙"],
  ["-dash", "-dash"],
  ["a b", '"a b"'],
  ["", '""'],
  ["a\nb", '"a\\nb"'],
  ["\u001b[31mred", '"\\u001b[31mred"'],
  ["a\u009bb", '"a\\u{9b}b"'],
  ["evil\u202etxt.exe", '"evil\\u{202e}txt.exe"'],
  ["line\u2028end", '"line\\u{2028}end"'],
  ['say "x"', '"say \\"x\\""'],
])("the path %j is shown as %s", (path, shown) => {
  expect(showPath(path)).toBe(shown);
});

test.each([
  ["main", "main"],
  ["feat/x-1.2", "feat/x-1.2"],
  ["-d", "'-d'"],
  ["a;b", "'a;b'"],
  ["$(x)", "'$(x)'"],
  ["it's", "'it'\\''s'"],
  ["", "''"],
])("the word %j is written %s for a shell", (word, quoted) => {
  expect(quoteForShell(word)).toBe(quoted);
});
