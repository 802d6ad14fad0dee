/** F23: a working tree that is not in order is refused before the first window and asked about between two; it is never touched. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hashTree } from "../fixtures/repositories.ts";
import { agent, makeNight, type Night } from "./kit.ts";

interface State {
  readonly state: string;
  /** What the person reads. */
  readonly line: RegExp;
  readonly mend: (night: Night) => void;
}

const git =
  (...commands: readonly string[]) =>
  ({ repo }: Night) => {
    for (const command of commands) repo.git(...command.split(" "));
  };

const states: readonly State[] = [
  {
    state: "untracked",
    line: /^uncommitted: 1 untracked \(left\.txt\): commit, or put away with "git stash --include-untracked"/,
    mend: git("add .", "commit -q -m mine"),
  },
  { state: "changed", line: /^uncommitted: 1 changed \(a\.txt\): commit/, mend: git("checkout a.txt") },
  { state: "staged", line: /^uncommitted: 1 staged \(left\.txt\): commit/, mend: git("commit -q -m mine") },
  { state: "detached", line: /^HEAD is on no branch \(detached at [0-9a-f]{10}\): check/, mend: git("switch -q main") },
  { state: "merge", line: /^a merge is in progress: finish it with "git merge --continue"/, mend: git("merge --abort") },
  { state: "rebase", line: /^a rebase is in progress: go on with "git rebase --continue"/, mend: git("rebase --abort") },
  {
    state: "cherry-pick",
    line: /^a cherry-pick is in progress: go on with "git cherry-pick --continue"/,
    mend: git("cherry-pick --abort"),
  },
  { state: "revert", line: /^a revert is in progress: go on with "git revert --continue"/, mend: git("revert --abort") },
  { state: "am", line: /^a am is in progress: go on with "git am --continue"|^an am is in progress/, mend: git("am --abort") },
  { state: "bisect", line: /^a bisect is in progress: end it with "git bisect reset"/, mend: git("bisect reset") },
  {
    state: "lock",
    line: /^git is locked \(\S*index\.lock, \d+ s old\): when no git command is at work there, delete the file/,
    mend: ({ repo }) => rmSync(join(repo.path, ".git/index.lock")),
  },
  {
    state: "index",
    line: /^git cannot read the working tree \(.*\): run "git status" there and mend what it names/,
    mend: makeIndex,
  },
];

function makeIndex(night: Night): void {
  rmSync(join(night.repo.path, ".git/index"));
  git("reset -q")(night);
}

/** The scripted agent that leaves the state, as a person's slip before the run. */
function leaveState(night: Night, state: string): void {
  const [program = "", ...args] = agent("leave-state.sh", state);
  const env = { ...night.env, MIDWATCH_WINDOW_NUMBER: "0", MIDWATCH_HANDOFF: join(night.folder, "notes/note") };
  execFileSync(program, args, { cwd: night.repo.path, env, input: "", stdio: ["pipe", "ignore", "ignore"] });
}

const oneLine = /^midwatch: ([^\n]+)\n( {2}next: [^\n]+\n)?$/;

test.for(states)("before window 1 the state $state is refused with one line, and nothing is written", async ({ state, line }) => {
  const night = makeNight();
  leaveState(night, state);
  const before = hashTree(night.repo.path);
  const end = await night.run(["run", "--json"]);
  expect(end).toMatchObject({ code: 6, stdout: "" });
  expect(oneLine.exec(end.stderr)?.[1]).toMatch(line);
  expect(hashTree(night.repo.path)).toBe(before);
  expect(await night.run(["status"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("there is no run in this working tree yet"),
  });
});

test.for(states)(
  "between two windows the state $state is a question, and the run goes on when it is mended",
  async ({ state, line, mend }) => {
    const night = makeNight({ agent: agent("by-turns.sh", `leave-state.sh ${state}`, "finish.sh") });
    const end = await night.run(["run", "--json"]);
    expect(end).toMatchObject({
      code: 3,
      report: { windows: [{ number: 1 }], questions: [{ text: expect.stringMatching(line), answer: null }] },
    });
    mend(night);
    expect(await night.run(["run", "--json"])).toMatchObject({
      code: 0,
      report: { tasks: { verified: 1 }, windows: [{ number: 1 }, { number: 2 }] },
    });
  },
);

test("a question about the tree that was not mended stands", async () => {
  const night = makeNight({ agent: agent("leave-state.sh", "untracked") });
  await night.run(["run", "--json"]);
  expect(await night.run(["run", "--json"])).toMatchObject({
    code: 3,
    report: { windows: [{ number: 1 }], questions: [{ id: "Q1", answer: null }] },
  });
});

test("another branch under the run's feet is asked about", async () => {
  const night = makeNight({ agent: agent("by-turns.sh", "leave-state.sh branch", "finish.sh") });
  expect(await night.run(["run", "--json"])).toMatchObject({ code: 3 });
  expect((await night.status()).questions).toMatchObject([
    { text: expect.stringContaining('branch elsewhere is checked out, and the run works on main: check it out with "git switch main"') },
  ]);
  night.repo.git("switch", "-q", "main");
  expect(await night.run(["run", "--json"])).toMatchObject({ code: 0 });
});

test("conflict markers that a window committed are asked about at once", async () => {
  const night = makeNight({ agent: agent("by-turns.sh", "leave-state.sh markers", "finish.sh") });
  expect(await night.run(["run", "--json"])).toMatchObject({ code: 3 });
  expect((await night.status()).questions).toMatchObject([
    { source: "conflict-markers", text: expect.stringContaining("committed conflict markers in a.txt") },
  ]);
  night.repo.commit("mended", { "a.txt": "a\n" });
  await night.run(["answer", "Q1", "go on"]);
  expect(await night.run(["run", "--json"])).toMatchObject({ code: 0 });
});

test("what a failed window left goes to the next one where the settings say so, and is asked about otherwise", async () => {
  const turns = ["crash-dirty.sh", "finish.sh"];
  const asked = makeNight({ agent: agent("by-turns.sh", ...turns) });
  expect(await asked.run(["run", "--json"])).toMatchObject({
    code: 3,
    report: { questions: [{ text: expect.stringContaining("left.txt") }] },
  });
  const handed = makeNight({ agent: agent("by-turns.sh", "crash-dirty.sh", "commit-leftovers.sh") });
  expect(await handed.run(["run", "--json", "--leftovers", "next-window"])).toMatchObject({ code: 0 });
  expect(handed.prompt(2)).toContain("The tree holds uncommitted changes of an earlier window (uncommitted: 1 untracked (left.txt)");
});

test("a person can hand leftovers to the next window", async () => {
  const night = makeNight({ agent: agent("by-turns.sh", "crash-dirty.sh", "commit-leftovers.sh") });
  expect(await night.run(["run", "--json"])).toMatchObject({ code: 3 });
  await night.run(["answer", "Q1", "next window"]);
  expect(await night.run(["resume", "--json"])).toMatchObject({ code: 0 });
});

test.for<readonly [string, (night: Night) => { readonly cwd: string; readonly env?: Record<string, string> }, number, RegExp]>([
  ["a bare repository", (night) => ({ cwd: makeBare(night) }), 2, /bare\.git is a bare repository, without files to work on/],
  [
    "a folder without a repository",
    (night) => ({ cwd: night.env["HOME"] ?? "" }),
    2,
    /home is in no git repository: start inside one, or run "git init"/,
  ],
  ["a git folder", (night) => ({ cwd: join(night.repo.path, ".git") }), 2, /lies inside a git folder/],
  [
    "a branch without a commit",
    (night) => ({ cwd: makeUnborn(night) }),
    6,
    /^branch main has no commit yet: make the first one with "git add" and "git commit"/,
  ],
  ["a machine without git", (night) => ({ cwd: night.repo.path, env: { PATH: night.env["HOME"] ?? "" } }), 1, /git/],
])("%s is refused with one line", async ([, place, code, line]) => {
  const night = makeNight({ config: null, personal: { agent: { command: agent("finish.sh") } } });
  const end = await night.run(["run", "--json"], place(night));
  expect(end).toMatchObject({ code, stdout: "" });
  expect(oneLine.exec(end.stderr)?.[1]).toMatch(line);
});

function makeBare({ folder, repo }: Night): string {
  repo.git("clone", "-q", "--bare", ".", "../bare.git");
  return join(folder, "bare.git");
}

function makeUnborn({ folder, repo }: Night): string {
  const path = join(folder, "unborn");
  mkdirSync(path);
  repo.git("init", "-q", "--initial-branch=main", path);
  execFileSync("cp", [join(repo.path, "tasks.md"), path]);
  return path;
}

test.skipIf(process.getuid?.() !== 0)("a repository of another user is refused with the command that trusts it", async () => {
  const night = makeNight();
  execFileSync("chown", ["-R", "12345", night.repo.path]);
  const end = await night.run(["run", "--json"]);
  expect(end).toMatchObject({ code: 2, stdout: "" });
  expect(oneLine.exec(end.stderr)?.[1]).toContain(`git config --global --add safe.directory ${night.repo.path}`);
});
