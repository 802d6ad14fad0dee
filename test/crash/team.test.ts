/**
 * Teammates on one board, killed at random with their agents: every task is done once, by one owner, in the board's order, and no claim is without its move. A killed
 * member is started again at once; whoever it shares the board with goes on meanwhile. Kills that never hit prove nothing and fail.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { type TaskKey, taskKey } from "../../src/core/ids.ts";
import { claimable } from "../../src/core/plan-order.ts";
import type { PlannedTask, Task } from "../../src/core/task.ts";
import type { TaskHistory } from "../../src/ports/board.ts";
import { createRandom } from "../fixtures/random-numbers.ts";
import { type Repository, repositoryAt } from "../fixtures/repositories.ts";
import { endStrays, findStrays } from "../scenario/strays.ts";
import { environment, makePlace } from "./place.ts";
import { launch } from "./program.ts";

vi.setConfig({ testTimeout: 600_000 });

const agent = join(import.meta.dirname, "../fixtures/agents/work-board.mjs");
const names = ["alice", "bob", "carla", "dora", "emil"];

/** Every third waits for one or two earlier ones; a few are urgent. */
function sixty(random: () => number): readonly PlannedTask[] {
  return Array.from({ length: 60 }, (_, index) => {
    const earlier = () => taskKey(`T-${1 + Math.floor(random() * index)}`);
    const needs = index % 3 === 2 ? [earlier(), earlier()] : [];
    const key = `T-${index + 1}`;
    return {
      ...{ key: taskKey(key), keyGiven: true, title: `Write ${key}.txt`, objective: "", context: [], ticked: false },
      criteria: [{ kind: "file", text: `file: ${key}.txt exists`, path: `${key}.txt`, expect: { kind: "exists" } }],
      dependsOn: [...new Set(needs)],
      priority: random() < 0.1 ? 1 : 1000,
    };
  });
}

test.each([
  { members: 2, kills: 8, seed: 3 },
  { members: 5, kills: 12, seed: 7 },
])(
  "$members teammates, 60 tasks, $kills kills: each is done once, by one owner, in the board's order (seed $seed)",
  async ({ members, kills, seed }) => {
    const random = createRandom(seed);
    const scene = makeTeam(members, sixty(random));
    const hits = await work(await scene, { kills, random });
    const { store, board } = await scene;
    const [tasks, history] = await Promise.all([store.boards.tasks(board), store.boards.history(board)]);
    expect(tasks.filter(({ state }) => state !== "done")).toEqual([]);
    expect(complaints(tasks, history, claimsOf((await scene).state))).toEqual([]);
    expect(hits).toBe(kills);
    const owners = new Set(history.filter(({ move }) => move === "close").map(({ by }) => by));
    process.stdout.write(
      `crash: team of ${members}: ${hits} kills, ${history.filter(({ move }) => move === "release").length} tasks given back, closed by ${[...owners].join(", ")}\n`,
    );
    expect(owners.size).toBe(members);
  },
);

test("killed between its claim and its window, a run gives the task back at its next start and does it", async () => {
  const scene = await makeTeam(1, sixty(createRandom(1)).slice(0, 2));
  const [tree] = scene.trees;
  const start = (fault: object) =>
    launch(["run", "--board", "--", agent], tree?.repo.path ?? "", { ...environment(scene.folder), ...fault }).ended;
  expect(await start({ MIDWATCH_FAULT: "kill:task.taken" })).toMatchObject({ signal: "SIGKILL" });
  expect((await scene.store.boards.tasks(scene.board)).map(({ state }) => state).sort()).toEqual(["in-progress", "pending"]);
  expect(await start({})).toMatchObject({ code: 0 });
  const [tasks, history] = await Promise.all([scene.store.boards.tasks(scene.board), scene.store.boards.history(scene.board)]);
  expect(tasks.map(({ state }) => state)).toEqual(["done", "done"]);
  expect(history.filter(({ move }) => move === "release")).toMatchObject([{ why: "its supervisor died" }]);
  expect(complaints(tasks, history, claimsOf(scene.state))).toEqual([]);
});

async function makeTeam(members: number, tasks: readonly PlannedTask[]) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "midwatch-team-")));
  const repo = makePlace(folder, { plan: "- [ ] X\n", limits: { tasksPerWindow: 3 }, agentEnv: { SLOW: "0.05" } });
  const trees = names.slice(0, members).map((name) => ({ name, repo: addTree(repo, folder, name) }));
  mkdirSync(join(folder, "state/midwatch"), { recursive: true, mode: 0o700 });
  const store = await openStore({ folder: join(folder, "state/midwatch") });
  const { board } = await store.boards.put(join(repo.path, ".git"), tasks, { by: "person", changes: [] }, Date.now());
  onTestFinished(async () => {
    await store.close();
    await endStrays(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, state: join(folder, "state/midwatch/midwatch.db"), trees, store, board: board.id };
}

function addTree(repo: Repository, folder: string, name: string): Repository {
  repo.git("worktree", "add", "-q", join(folder, name), "-b", name);
  return repositoryAt(join(folder, name));
}

type Scene = Awaited<ReturnType<typeof makeTeam>>;

/** Until the board is done: kills somebody, starts it again. @returns kills that hit a member at work */
async function work(
  { folder, trees, store, board }: Scene,
  { kills, random }: { readonly kills: number; readonly random: () => number },
): Promise<number> {
  let hits = 0;
  let isOver = false;
  const living = new Map<string, number>();
  const keepAlive = async ({ name, repo }: Scene["trees"][number]) => {
    while (!isOver) {
      const words = ["run", "--board", "--member", `${name}:coder`, "--team", "crew", "--", agent];
      const { pid, ended } = launch(words, repo.path, environment(folder));
      living.set(name, pid);
      const end = await ended;
      living.delete(name);
      if (end.signal === null && end.code !== 0 && !isOver) throw new Error(`${name} ended with ${end.code}: ${end.stderr}`);
    }
  };
  const crew = trees.map(keepAlive);
  const open = async () => (await store.boards.tasks(board)).filter(({ state }) => state !== "done").length;
  const hunt = async () => {
    for (let left = await open(); left > 0; left = await open()) {
      await new Promise((resolve) => setTimeout(resolve, 100 + random() * 500));
      const busy = (await store.teams.members(board)).filter(({ activity, name }) => activity === "working" && living.has(name));
      const victim = busy[Math.floor(random() * busy.length)];
      // Not so late that nothing is left to be lost.
      if (victim === undefined || hits >= kills || left < 4) continue;
      hits += 1;
      killWith(living.get(victim.name) ?? 0, join(folder, victim.name));
    }
    isOver = true;
    for (const pid of living.values()) process.kill(pid, "SIGTERM");
  };
  await Promise.all([hunt(), ...crew]);
  return hits;
}

/** The supervisor, and sometimes its agent in the same moment: of both orders something must go on. */
function killWith(supervisor: number, tree: string): void {
  for (const pid of [supervisor, ...findStrays(tree).slice(0, 1)]) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It had ended a moment before.
    }
  }
}

function claimsOf(path: string): readonly { readonly task: string; readonly run: string; readonly at: number }[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const rows = db.prepare("SELECT task, run, at FROM claim ORDER BY id").all();
  db.close();
  return rows.map(({ task, run, at }) => ({ task: String(task), run: String(run), at: Number(at) }));
}

/** What the history does not bear out; the board is played again from its first move. */
function complaints(tasks: readonly Task[], history: readonly TaskHistory[], claims: ReturnType<typeof claimsOf>): readonly string[] {
  const found: string[] = [];
  const now = new Map<TaskKey, Task>(tasks.map((task) => [task.key, { ...task, state: "pending", owner: null }]));
  for (const { task: key, move, from, to, by, run } of history) {
    const task = now.get(key);
    if (move === "add" || task === undefined || to === null) continue;
    if (from !== task.state) found.push(`${key}: ${move} from ${from}, and it was ${task.state}`);
    if (move === "start" && claimable([...now.values()])[0]?.key !== key) found.push(`${key} was started by ${by} out of order`);
    if (task.owner !== null && run !== task.owner && move !== "release") found.push(`${key}: ${move} by ${by}, and another run had it`);
    now.set(key, { ...task, state: to, owner: to === "in-progress" || to === "checking" ? (task.owner ?? run) : null });
  }
  for (const { key } of tasks) {
    const closed = history.filter(({ task, move }) => task === key && move === "close");
    if (closed.length !== 1) found.push(`${key} was closed ${closed.length} times`);
  }
  const isBorneOut = ({ task, run, at }: (typeof claims)[number]) =>
    history.some((one) => one.task === task && one.run === run && one.move === "check" && one.at <= at);
  return [...found, ...claims.filter((claim) => !isBorneOut(claim)).map(({ task, run }) => `run ${run} claimed ${task} without a move`)];
}
