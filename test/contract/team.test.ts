/** Teammates over the real store, with a clock that jumps to whoever wakes first. */
import { expect, onTestFinished, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store/memory/open.ts";
import { leaseFrom } from "../../src/core/batch/lease.ts";
import { runId, type TaskKey, taskKey, type WindowId, windowId } from "../../src/core/ids.ts";
import type { PlannedTask } from "../../src/core/task.ts";
import { createRunControl } from "../../src/engine/control.ts";
import { seekWork } from "../../src/engine/team/seek-work.ts";
import type { Store } from "../../src/ports/store.ts";
import { BatchClock } from "./batch-clock.ts";
import { close, closing, newRun, newWindow, planned, result, settings } from "./store-samples.ts";

const repository = "/home/ana/shop/.git";
const [alice, bob] = ["alice", "bob"].map((name) => ({ name, role: "coder", team: "shop" }));

/** A board with tasks, and a run for each of two members. */
async function team(tasks: readonly PlannedTask[] = [planned("T1"), planned("T2", { dependsOn: [taskKey("T1")] })]) {
  const store = await openMemoryStore();
  onTestFinished(() => store.close());
  const { board } = await store.boards.put(repository, tasks, { by: "person", changes: [] }, 1000);
  for (const [index, member] of [alice, bob].entries()) {
    const id = `run-${index + 1}`;
    const plan = { kind: "board", path: "" } as const;
    await store.createRun(
      newRun(id, { worktree: `/home/ana/${member?.name}`, branch: member?.name ?? "", settings: { ...settings, plan } }),
      1000,
    );
    if (member !== undefined) await store.teams.join(runId(id), member, 1000);
  }
  return { store, board, clock: new BatchClock() };
}

const first = runId("run-1");
const second = runId("run-2");

function seeking(store: Store, clock: BatchClock, run = first, isMember = true) {
  const control = createRunControl(store, run, clock);
  const sought = seekWork({ ports: { store, clock }, run, settings: isMember && alice ? { member: alice } : {}, control });
  return { sought: sought.finally(() => control.close()), control };
}

const at = (wallMs: number, bootId = "boot-1") => ({ wallMs, bootMs: wallMs, bootId });
const take = (store: Store, run = first, now = 2000, window: WindowId | null = null) =>
  store.claimTask({ run, window, by: run === first ? "alice" : "bob", lease: leaseFrom(at(now), 120_000) }, at(now));

test("an idle member looks every five seconds, twelve times, and shuts down after a minute (K1)", async () => {
  const { store, clock } = await team();
  await take(store, second);
  const { sought } = seeking(store, clock);
  const startedAt = clock.now();
  await clock.drive(sought, 70_000);
  expect(clock.now() - startedAt).toBeGreaterThanOrEqual(60_000);
  expect(clock.now() - startedAt).toBeLessThan(60_500);
  expect(await sought).toMatchObject({ kind: "over", decision: { reason: "idle" } });
  const [member] = await store.teams.members(1);
  expect(member).toMatchObject({ name: "alice", activity: "idle", looks: 11, since: startedAt });
});

test.each<[string, (store: Store) => Promise<unknown>]>([
  ["a message", async (store) => store.teams.tell(1, { member: "alice", sender: "person", text: "look at T2" }, 1)],
  ["a task that comes free", async (store) => store.changeTasks(second, [close("T1", { by: "bob" })], [], 1)],
  ["a task that is added", async (store) => store.boards.put(repository, [planned("T9")], { by: "person", changes: [] }, 1)],
])("%s wakes an idle member within five seconds", async (_title, happen) => {
  const { store, clock } = await team();
  await take(store, second);
  const { sought } = seeking(store, clock);
  const since = clock.now();
  const happened = clock.sleep(32_000).then(() => happen(store));
  await clock.drive(Promise.all([sought, happened]), 70_000);
  expect(await sought).toEqual({ kind: "work" });
  expect(clock.now() - since).toBeLessThanOrEqual(37_000);
});

test("a person's stop ends the looking at once", async () => {
  const { store, clock } = await team();
  await take(store, second);
  const { sought, control } = seeking(store, clock);
  const since = clock.now();
  const said = clock.sleep(12_000).then(() => control.say("stop-now"));
  await clock.drive(Promise.all([sought, said]), 70_000);
  expect(await sought).toEqual({ kind: "interrupted" });
  expect(clock.now() - since).toBeLessThan(12_300);
});

test("the first claimable task goes to whoever claims first, and the next to the other; nothing else is to be had", async () => {
  const { store, board } = await team([planned("T1"), planned("T2", { dependsOn: [taskKey("T1")] }), planned("T3")]);
  expect((await take(store))?.key).toBe("T1");
  expect((await take(store, second))?.key).toBe("T3");
  expect(await take(store, second)).toBeNull();
  const starts = (await store.boards.history(board.id)).filter(({ move }) => move === "start");
  expect(starts.map(({ task, by, run }) => [task, by, run])).toEqual([
    ["T1", "alice", first],
    ["T3", "bob", second],
  ]);
});

test.each([
  ["is over", at(122_001)],
  ["was given before the machine started anew", at(2001, "boot-2")],
])("a task whose lease %s goes to another, and the first one's claim moves nothing", async (_title, moment) => {
  const { store } = await team([planned("T1")]);
  await take(store);
  await store.openWindow(newWindow("w1", "run-1"), 2000);
  expect(await store.startCheck(first, windowId("w1"), { key: taskKey("T1"), by: "alice", lease: null }, 2100)).toEqual({
    kind: "checking",
  });
  const taken = await store.claimTask({ run: second, window: null, by: "bob", lease: leaseFrom(moment, 120_000) }, moment);
  expect(taken).toMatchObject({ key: "T1", state: "in-progress", owner: second });
  const late = {
    run: first,
    window: windowId("w1"),
    task: taskKey("T1"),
    evidence: [],
    findings: [],
    commit: "abc",
    change: close("T1"),
    refusal: "",
  };
  expect(await store.recordClaim(late, 130_000)).toBe(false);
  expect(await store.startCheck(first, windowId("w1"), { key: taskKey("T1"), by: "alice", lease: null }, 130_001)).toEqual({
    kind: "held",
    by: "bob",
  });
  expect((await store.tasks(first))[0]).toMatchObject({ state: "in-progress", owner: second });
});

test("a claim of a task that nobody had holds it by a lease too", async () => {
  const { store } = await team([planned("T1")]);
  await store.openWindow({ ...newWindow("w1", "run-1"), tasks: [] }, 2000);
  const claim = { key: taskKey("T1"), by: "alice", lease: leaseFrom(at(2000), 120_000) };
  expect(await store.startCheck(first, windowId("w1"), claim, 2000)).toEqual({ kind: "checking" });
  expect(await take(store, second, 100_000)).toBeNull();
  expect((await take(store, second, 122_001))?.owner).toBe(second);
});

test("a lease that is renewed in time is kept", async () => {
  const { store } = await team([planned("T1")]);
  await take(store);
  await store.renewTasks(first, leaseFrom(at(100_000), 120_000));
  expect(await take(store, second, 200_000)).toBeNull();
  expect((await take(store, second, 220_001))?.key).toBe("T1");
});

test("a window that has closed its task is given the next, and its row says so", async () => {
  const { store } = await team();
  await take(store);
  await store.openWindow({ ...newWindow("w1", "run-1"), tasks: [taskKey("T1")] }, 2000);
  await store.changeTasks(first, [close("T1", { by: "alice" })], [], 2100);
  expect((await take(store, first, 2200, windowId("w1")))?.key).toBe("T2");
  expect((await store.windows(first))[0]?.tasks).toEqual(["T1", "T2"]);
});

test("a message is told to one window, and again where a death cut that one short", async () => {
  const { store } = await team();
  const texts = async (window: string) => (await store.teams.told(windowId(window))).map(({ sender, text }) => `${sender}: ${text}`);
  expect(await store.teams.tell(1, { member: "carl", sender: "person", text: "hello" }, 1500)).toBe(false);
  await store.teams.tell(1, { member: "alice", sender: "bob", text: "T1 needs the new router" }, 1500);
  await store.teams.tell(1, { member: "bob", sender: "person", text: "not for alice" }, 1501);
  expect(await store.teams.unread(first)).toBe(1);
  await store.openWindow({ ...newWindow("w1", "run-1"), tasks: [] }, 2000);
  expect([await store.teams.unread(first), await texts("w1")]).toEqual([0, ["bob: T1 needs the new router"]]);
  await store.endWindow(closing({ window: windowId("w1"), result: { ...result, exit: { kind: "lost" } } }), 3000);
  expect([await store.teams.unread(first), await texts("w1")]).toEqual([1, []]);
  await store.openWindow({ ...newWindow("w2", "run-1"), tasks: [] }, 4000);
  await store.endWindow(closing({ window: windowId("w2") }), 5000);
  expect([await store.teams.unread(first), await store.teams.unread(second), await texts("w2")]).toEqual([
    0,
    1,
    ["bob: T1 needs the new router"],
  ]);
});

test("where a done task's work lies is told: by whom, on which branch, at which commit", async () => {
  const { store, board } = await team();
  await take(store);
  await store.openWindow({ ...newWindow("w1", "run-1"), tasks: [taskKey("T1")] }, 2000);
  await store.recordClaim(
    {
      run: first,
      window: windowId("w1"),
      task: taskKey("T1"),
      evidence: [],
      findings: [],
      commit: "abc123",
      change: close("T1", { by: "alice" }),
      refusal: "",
    },
    2100,
  );
  const needs: readonly TaskKey[] = [taskKey("T1"), taskKey("T2")];
  expect(await store.teams.donePlaces(board.id, needs)).toEqual([
    { task: "T1", by: "alice", branch: "alice", worktree: "/home/ana/alice", commit: "abc123" },
  ]);
});
