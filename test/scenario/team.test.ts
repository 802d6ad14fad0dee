/** A team at the command line: two members in two worktrees, a word to one of them, and the ways to say it wrong. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { taskKey } from "../../src/core/ids.ts";
import type { MemberStatus } from "../../src/engine/team/status.ts";
import { agent, makeNight, type Night } from "./kit.ts";

const until = { timeout: 40_000, interval: 50 };

async function makeTeam(keys: readonly string[], limits: Readonly<Record<string, number>> = {}): Promise<Night> {
  const night = makeNight({ plan: null, agent: agent("work-board.mjs"), config: { limits } });
  for (const name of ["alice", "bob"]) night.repo.git("worktree", "add", "-q", join(night.folder, `repo-${name}`), "-b", name);
  const store = await openStore({ folder: join(night.folder, "state/midwatch") });
  onTestFinished(() => store.close());
  const tasks = keys.map((key, index) => ({
    ...{ key: taskKey(key), keyGiven: true, title: `Write ${key}.txt`, objective: "", context: [], ticked: false, priority: 1 },
    criteria: [{ kind: "command" as const, text: `run: test -s ${key}.txt`, command: `test -s ${key}.txt` }],
    dependsOn: keys.slice(0, index).slice(-1).map(taskKey),
  }));
  if (tasks.length > 0) await store.boards.put(join(night.repo.path, ".git"), tasks, { by: "person", changes: [] }, Date.now());
  return night;
}

const members = async (night: Night): Promise<readonly MemberStatus[]> =>
  JSON.parse((await night.run(["team", "status", "--json"])).stdout).members;
const prompt = (night: Night, member: string, window: number) => readFileSync(join(night.folder, `prompt-${member}-${window}`), "utf8");

test("two members work on one board; each knows who it is, what the other did and where; a message wakes one; stop ends both", async () => {
  const night = await makeTeam(["T-1", "T-2", "T-3"]);
  const team = night.start(["team", "run", "--member", "alice:coder", "--member", "bob:tester", "--team", "crew", "--json"]);
  await vi.waitFor(async () => expect((await members(night)).map(({ activity }) => activity)).toEqual(["idle", "idle"]), until);
  expect(await members(night)).toMatchObject([
    { name: "alice", role: "coder", team: "crew", worktree: join(night.folder, "repo-alice"), unread: 0 },
    { name: "bob", role: "tester" },
  ]);
  expect(await night.run(["tell", "bob", "look", "at T-2"])).toMatchObject({
    code: 0,
    stdout: "bob reads it when the next window opens\n",
  });
  await vi.waitFor(() => expect(allPrompts(night, "bob")).toContain("MESSAGES FROM THE PERSON\n- look at T-2\n"), until);
  expect(allPrompts(night, "bob")).toContain("You are 'bob', role: tester, team: crew.");
  const all = `${allPrompts(night, "alice")}${allPrompts(night, "bob")}`;
  expect(all).toMatch(/LIMIT OF THIS WINDOW: \d/);
  expect(await night.run(["team", "stop"])).toMatchObject({ code: 0 });
  const end = await team.ended;
  expect(JSON.parse(end.stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
    kind: "result",
    members: [
      { member: "alice", exitCode: 130 },
      { member: "bob", exitCode: 130 },
    ],
  });
});

function allPrompts(night: Night, member: string): string {
  const windows = [1, 2, 3, 4].filter((window) => existsSync(join(night.folder, `prompt-${member}-${window}`)));
  return windows.map((window) => prompt(night, member, window)).join("\n");
}

test("a task that waits for another's work is told where it lies", async () => {
  const night = await makeTeam(["T-1", "T-2", "T-3"], { tasksPerWindow: 1, windows: 1 });
  const work = (name: string) => night.run(["run", "--board", "--member", name], { cwd: join(night.folder, `repo-${name}`) });
  expect(await work("alice")).toMatchObject({ code: 8 });
  expect(await work("bob")).toMatchObject({ code: 8 });
  expect(prompt(night, "bob", 1)).toMatch(
    /WHAT YOUR TASKS COME AFTER\n- T-1 was done by .* on branch alice at [0-9a-f]{12}: bring it into your branch/,
  );
});

test.each<[string, readonly string[], number, string]>([
  ["a member without a name", ["team", "run", "--member", ":coder"], 2, '":coder" names no member'],
  ["a member called person", ["team", "run", "--member", "person:coder"], 2, "person is no member's name"],
  ["two of one name", ["team", "run", "--member", "alice", "--member", "alice@."], 2, "alice is named twice"],
  ["two in one tree", ["team", "run", "--member", "alice@../repo-bob", "--member", "bob"], 2, "alice and bob would work in the same tree"],
  ["a tree of another repository", ["team", "run", "--member", "alice@/"], 2, "/ is no working tree of this repository"],
  ["a member without a tree", ["team", "run", "--member", "alice", "--member", "carl"], 2, "no working tree is called like carl"],
  ["nobody", ["team", "run"], 2, "a team has members"],
  ["a list beside the board", ["run", "--board", "tasks.md"], 2, "tasks.md has no place beside it"],
  ["a member without a board", ["run", "--member", "alice"], 2, "--member goes with --board"],
  ["a word to nobody", ["tell", "carl", "hello"], 2, 'nobody called "carl" has worked on this board'],
  ["an empty word", ["tell", "alice", " "], 2, "there is nothing to tell"],
  ["a long word", ["tell", "alice", "x".repeat(5000)], 2, "at most 4000 characters"],
])("%s is refused in one line that names it", async (_title, args, code, line) => {
  const night = await makeTeam(["T-1"]);
  const end = await night.run(args);
  expect(end).toMatchObject({ code, stdout: "" });
  expect(end.stderr.split("\n")[0]).toContain(line);
  expect(end.stderr.trim().split("\n").length).toBeLessThanOrEqual(2);
});
