/** Boards over a real store: what is put, moved and claimed, by one process and by several. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import type { Moment } from "../../src/core/batch/lease.ts";
import { runId, type TaskKey, taskKey } from "../../src/core/ids.ts";
import { claimable } from "../../src/core/plan-order.ts";
import type { PlannedTask } from "../../src/core/task.ts";
import { addToBoard, chooseBoard, editOnBoard, importList, lookAtBoard, moveOnBoard } from "../../src/engine/board.ts";
import { claim, leaseMs, memberRun, moment } from "./board-kit.ts";
import { startChild } from "./store-child.ts";
import { change, draft, newRun, newWindow, planned } from "./store-samples.ts";

const root = mkdtempSync(join(tmpdir(), "midwatch-board-"));
const store = await openStore({ folder: join(root, "state") });
afterAll(async () => {
  await store.close();
  rmSync(root, { recursive: true, force: true });
});

let boards = 0;

/** A repository of its own with these tasks, and a run of its board for each name. */
async function makeBoard(tasks: readonly PlannedTask[], ...runs: readonly string[]) {
  boards += 1;
  const repository = `/repositories/${boards}/.git`;
  const { board } = await store.boards.put(repository, tasks, { by: "person", changes: [] }, 1000);
  const ids = runs.map((name) => `${name}-${boards}`);
  for (const id of ids) await store.createRun(memberRun(id, repository), 1000);
  return { repository, board, ids, tasks: () => store.boards.tasks(board.id), history: () => store.boards.history(board.id) };
}

const keys = (tasks: readonly { readonly key: TaskKey }[]) => tasks.map(({ key }) => key);

test("what is put is there once, in its place, and its history says who and when", async () => {
  const { repository, tasks, history } = await makeBoard([planned("T1"), planned("T2", { dependsOn: [taskKey("T1")] })]);
  const how = {
    by: "person",
    why: "from a.md",
    changes: [change("T3", "block", { reason: "later" }), change("T1", "block", { reason: "no" })],
  };
  const put = await store.boards.put(
    repository,
    [planned("T3"), planned("T1", { title: "Another" }), planned("T2", { dependsOn: [taskKey("T1")] })],
    how,
    2000,
  );
  expect([put.added, put.edited]).toEqual([["T3"], ["T1"]]);
  expect((await tasks()).map(({ key, title, state, position }) => [key, title, state, position])).toEqual([
    ["T1", "Another", "pending", 0],
    ["T2", "Task T2", "pending", 1],
    ["T3", "Task T3", "blocked", 2],
  ]);
  expect((await history()).map(({ task, move, from, to, why, by, at }) => [task, move, from, to, why, by, at])).toEqual([
    ["T1", "add", null, "pending", "", "person", 1000],
    ["T2", "add", null, "pending", "", "person", 1000],
    ["T3", "add", null, "pending", "from a.md", "person", 2000],
    ["T1", "edit", "pending", "pending", "title", "person", 2000],
    ["T3", "block", "pending", "blocked", "later", "harness", 2000],
  ]);
});

test("moves are all or nothing, and an illegal one is refused", async () => {
  const { board, tasks } = await makeBoard([planned("T1"), planned("T2")]);
  const moves = [change("T1", "block", { reason: "r" }), change("T2", "retry")];
  await expect(store.boards.move(board.id, moves, 2000)).rejects.toMatchObject({ code: "E_ILLEGAL_MOVE" });
  expect((await tasks()).map(({ state }) => state)).toEqual(["pending", "pending"]);
});

test("what a decision throws leaves no board behind", async () => {
  const edit = editOnBoard(store, "/repositories/none/.git", "T1", { title: "x" }, 1000);
  await expect(edit).rejects.toMatchObject({ kind: "usage", message: "there is no task T1 on the board" });
  expect(await store.boards.ofRepository("/repositories/none/.git")).toBeNull();
});

const row = fc.record({ needs: fc.array(fc.nat(11), { maxLength: 3 }), priority: fc.constantFrom(0, 1, 1000) });
const script = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 10 }),
  ends: fc.array(fc.constantFrom("close", "fail", "block", "release"), { maxLength: 14 }),
});

test("a claim takes what `claimable` has first, whatever the board", async () => {
  await fc.assert(
    fc.asyncProperty(script, async ({ rows, ends }) => {
      // Some needs are of the task itself, of later ones, and of none at all.
      const list = rows.map(({ needs, priority }, n) =>
        planned(`T${n}`, { priority, dependsOn: needs.map((need) => taskKey(`T${need}`)) }),
      );
      const { board, ids, tasks } = await makeBoard(list, "run");
      for (const end of ends) {
        const [first] = claimable(await tasks());
        const task = await claim(store, ids[0] ?? "");
        expect(task?.key ?? null).toBe(first?.key ?? null);
        if (task === null) break;
        const extra = end === "close" ? { doneBy: "claimed" as const } : { reason: end };
        await store.boards.move(board.id, [change(task.key, end, extra)], 2000);
        // One that was given back would come again and again.
        if (end === "release") await store.boards.move(board.id, [change(task.key, "block", { reason: "seen" })], 2000);
      }
    }),
    { numRuns: 25 },
  );
});

test("two processes that claim 200 tasks never get the same one, and each claim is a start in the history", async () => {
  const folder = join(root, "two");
  const own = await openStore({ folder });
  onTestFinished(() => own.close());
  const { repository } = newRun();
  const list = Array.from({ length: 200 }, (_, n) => planned(`T${n}`, { priority: n % 3 }));
  const { board } = await own.boards.put(repository, list, { by: "person", changes: [] }, 1000);
  const probes = ["a", "b"].map(() => startChild("store-probe.ts", [folder]));
  onTestFinished(() => Promise.all(probes.map((probe) => probe.end())).then(() => undefined));
  await Promise.all(probes.map((probe) => probe.hear()));
  await Promise.all(probes.map((probe, n) => probe.ask(`member r${n}`)));
  const taken = (await Promise.all(probes.map((probe, n) => probe.ask(`claim r${n}`)))) as readonly (readonly string[])[];
  expect(taken.flat().sort()).toEqual(list.map(({ key }) => key as string).sort());
  const starts = (await own.boards.history(board.id)).filter(({ move }) => move === "start");
  expect(starts.map(({ task, by }) => `${by} ${task}`).sort()).toEqual(
    taken.flatMap((some, n) => some.map((key) => `r${n} ${key}`)).sort(),
  );
  // B114: keys that two draw at the same time.
  const added = (await Promise.all(probes.map((probe) => probe.ask("add x 8")))) as readonly (readonly string[])[];
  expect(new Set(added.flat()).size).toBe(16);
});

const later = (ms: number, extra: Partial<Moment> = {}): Moment => ({
  ...moment,
  wallMs: moment.wallMs + ms,
  bootMs: moment.bootMs + ms,
  ...extra,
});

test.each<[string, Moment, string]>([
  ["within its lease a task stays", later(leaseMs - 1), "T2"],
  ["after its lease a task is taken by another", later(leaseMs), "T1"],
  ["a wall clock that jumped ends no lease", later(1000, { wallMs: moment.wallMs + 10 * leaseMs }), "T2"],
  ["a wall clock that was set back holds none up", later(leaseMs, { wallMs: 0 }), "T1"],
  ["after another boot whoever had it is gone", later(1, { bootMs: 1, bootId: "boot-2" }), "T1"],
  ["without a boot id the wall clock tells that it holds", later(leaseMs - 1, { bootMs: 0, bootId: "" }), "T2"],
  ["without a boot id the wall clock tells that it is over", later(leaseMs, { bootMs: 0, bootId: "" }), "T1"],
])("%s", async (_name, at, key) => {
  const { ids, history } = await makeBoard([planned("T1"), planned("T2")], "one", "two");
  const [one = "", two = ""] = ids;
  expect((await claim(store, one))?.key).toBe("T1");
  expect((await claim(store, two, at))?.key).toBe(key);
  const released = (await history()).filter(({ move }) => move === "release").map(({ task, why, by }) => [task, why, by]);
  expect(released).toEqual(key === "T1" ? [["T1", "its lease ended", "harness"]] : []);
});

test("a lease that is renewed goes on, and gives nothing back that is gone", async () => {
  const { ids, board } = await makeBoard([planned("T1")], "one", "two");
  const [one = "", two = ""] = ids;
  await claim(store, one);
  const at = later(leaseMs - 1);
  const renewed = { untilWallMs: at.wallMs + leaseMs, untilBootMs: at.bootMs + leaseMs, bootId: "boot-1" };
  await store.renewTasks(runId(one), renewed);
  expect(await claim(store, two, later(leaseMs + 5))).toBeNull();
  await store.boards.move(board.id, [change("T1", "block", { reason: "r" })], 3000);
  await store.renewTasks(runId(one), renewed);
  expect((await store.boards.tasks(board.id))[0]).toMatchObject({ state: "blocked", owner: null });
});

test("what a dead supervisor had is open again at its next start", async () => {
  const { ids, tasks } = await makeBoard([planned("T1"), planned("T2"), planned("T3")], "one", "two");
  const [one = "", two = ""] = ids;
  await claim(store, one);
  await claim(store, two);
  await claim(store, one);
  await store.releaseTasks(runId(one), "its supervisor died", 3000);
  expect((await tasks()).map(({ state, owner }) => [state, owner])).toEqual([
    ["pending", null],
    ["in-progress", two],
    ["pending", null],
  ]);
});

test("a window that is open knows of the task that it is given", async () => {
  const { ids } = await makeBoard([planned("T1"), planned("T2")], "one");
  const [one = ""] = ids;
  const window = await store.openWindow({ ...newWindow(`window-${one}`, one), tasks: [] }, 2000);
  await store.claimTask(
    { run: runId(one), window: window.id, by: "alice", lease: { untilWallMs: 1, untilBootMs: 1, bootId: "b" } },
    moment,
  );
  expect((await store.openWindowOf(runId(one)))?.tasks).toEqual(["T1"]);
});

test("the board with tasks stands before a plan, and a plan before none", async () => {
  const place = { repository: "/repositories/choice/.git", worktree: "/home/ana/choice" };
  const chosen = async (kind: "any" | "board") => {
    const choice = await chooseBoard(store, place, { kind });
    return choice.kind === "plan" ? choice.path : choice.kind === "board" && choice.board !== null ? "board" : null;
  };
  expect(await chosen("any")).toBeNull();
  await store.createRun(newRun("choice", place), 1000);
  expect(await chosen("any")).toBe("TASKS.md");
  expect(await chosen("board")).toBeNull();
  expect(await chooseBoard(store, place, { kind: "plan", path: "other.md" })).toEqual({ kind: "no-run", path: "other.md" });
  await addToBoard(store, place.repository, { key: null, words: { title: "a" }, yes: true }, 2000);
  expect(await chosen("any")).toBe("board");
  expect(await chooseBoard(store, place, { kind: "plan", path: "TASKS.md" })).toMatchObject({ kind: "plan", path: "TASKS.md" });
});

test("a person's moves name what can be worked now, and a question comes before them", async () => {
  const { board, ids } = await makeBoard([planned("T1"), planned("T2", { dependsOn: [taskKey("T1")] }), planned("T3")], "one");
  const [one = ""] = ids;
  const done = (...wanted: readonly string[]) => moveOnBoard(store, board, { wish: "done", keys: wanted, why: "by hand" }, 3000);
  await claim(store, one);
  expect(await done("t1", "T1")).toEqual({ moved: [{ key: "T1", from: "in-progress", to: "done", owner: one }], claimable: ["T2"] });
  const question = await store.ask(runId(one), null, draft({ task: taskKey("T3") }), 3001);
  expect([...(await lookAtBoard(store, board)).questions]).toEqual([["T3", question.id]]);
  await expect(done("T2", "T3")).rejects.toMatchObject({
    message: `T3 waits for the answer to ${question.id}: Red or blue?`,
    hint: expect.stringContaining(`midwatch answer ${question.id}`),
  });
  expect(keys(claimable(await store.boards.tasks(board.id)))).toEqual(["T2"]);
});

test("a list that is imported twice is no news; what it lost stays and is named", async () => {
  const { repository, tasks, history } = await makeBoard([planned("T-9")]);
  const list = [planned("T1", { ticked: true }), planned("T2", { criteria: [] }), planned("T3")];
  const read = (some: readonly PlannedTask[], dryRun = false) =>
    importList(store, repository, { name: "a.md", tasks: some, yes: false, dryRun }, 2000);
  expect(await read(list, true)).toMatchObject({ added: [{ key: "T1" }, { key: "T2" }, { key: "T3" }], gone: [] });
  expect(await tasks()).toHaveLength(1);
  await read(list);
  expect((await tasks()).map(({ key, state }) => `${key} ${state}`)).toEqual(["T-9 pending", "T1 done", "T2 blocked", "T3 pending"]);
  const before = (await history()).length;
  expect(await read(list)).toMatchObject({ added: [], edited: [], gone: [], ticked: [] });
  expect(await history()).toHaveLength(before);
  expect(await read(list.slice(0, 2))).toMatchObject({ gone: ["T3"] });
  expect(await tasks()).toHaveLength(4);
});
