/** What every store promises, whatever is under it. Each suite gets a way to make a fresh one. */
import { expect, onTestFinished, test } from "vitest";
import { questionId, runId, taskKey, windowId } from "../../src/core/ids.ts";
import { freshRunState, type RunPhase, type StopReason } from "../../src/core/run-state.ts";
import { type TaskMove, type TaskState, taskMoves } from "../../src/core/task.ts";
import type { Store } from "../../src/ports/store.ts";
import {
  change,
  close,
  closing,
  draft,
  launch,
  log,
  newRun,
  newWindow,
  planned,
  result,
  settings,
  startRun,
  supervisor,
} from "./store-samples.ts";

export type MakeStore = () => Promise<Store>;

const run = runId("run-1");
const window = windowId("window-1");

/** A store that is closed with its test. */
async function open(make: MakeStore): Promise<Store> {
  const store = await make();
  onTestFinished(() => store.close());
  return store;
}

const keys = (tasks: readonly { readonly key: string }[]) => tasks.map(({ key }) => key);
const states = async (store: Store, id = run) => Object.fromEntries((await store.tasks(id)).map(({ key, state }) => [key, state]));

export function runContract(make: MakeStore): void {
  test("a new run is read back whole", async () => {
    const store = await open(make);
    const made = await store.createRun(newRun(), 1000);
    expect(made).toEqual({
      ...newRun(),
      phase: "running",
      state: freshRunState,
      decision: null,
      stopReason: null,
      stopDetail: "",
      request: "none",
      startedAt: 1000,
      endedAt: null,
      waitedPersonMs: 0,
      waitedProviderMs: 0,
    });
    expect(await store.run(run)).toEqual(made);
    expect(await store.run(runId("other"))).toBeNull();
  });

  test("runs are listed newest first, of one tree or of all", async () => {
    const store = await open(make);
    await store.createRun(newRun("b"), 1000);
    await store.createRun(newRun("a"), 1000);
    await store.createRun(newRun("c", { worktree: "/home/ana/other" }), 3000);
    const ids = async (filter: Parameters<Store["runs"]>[0]) => (await store.runs(filter)).map(({ id }) => id);
    expect(await ids({ limit: 9 })).toEqual(["c", "a", "b"]);
    expect(await ids({ limit: 1 })).toEqual(["c"]);
    expect(await ids({ worktree: "/home/ana/shop", limit: 9 })).toEqual(["a", "b"]);
  });

  test.each<[string, readonly [RunPhase, number][], readonly [number, number]]>([
    [
      "time waited for a person is added up",
      [
        ["waiting-person", 2000],
        ["running", 2500],
        ["waiting-person", 3000],
        ["paused", 3250],
      ],
      [750, 0],
    ],
    [
      "time waited for a provider is added up apart",
      [
        ["waiting-provider", 2000],
        ["waiting-person", 2100],
        ["running", 2103],
      ],
      [3, 100],
    ],
    [
      "a pause counts as no waiting",
      [
        ["paused", 2000],
        ["running", 9000],
      ],
      [0, 0],
    ],
    [
      "a clock that was set back adds nothing",
      [
        ["waiting-person", 2000],
        ["running", 1000],
      ],
      [0, 0],
    ],
    [
      "the same phase again goes on with its wait",
      [
        ["waiting-person", 2000],
        ["waiting-person", 2400],
        ["running", 2500],
      ],
      [500, 0],
    ],
  ])("%s", async (_title, phases, [person, provider]) => {
    const store = await open(make);
    await store.createRun(newRun(), 1000);
    for (const [phase, now] of phases) await store.setPhase(run, phase, [], now);
    expect(await store.run(run)).toMatchObject({ phase: phases.at(-1)?.[0], waitedPersonMs: person, waitedProviderMs: provider });
  });

  test("a wait that a stop ends is counted", async () => {
    const store = await open(make);
    await store.createRun(newRun(), 1000);
    await store.setPhase(run, "waiting-provider", [], 2000);
    await store.endRun(run, { reason: "limit", detail: "resets at 3" }, 2600);
    expect(await store.run(run)).toMatchObject({ waitedProviderMs: 600, endedAt: 2600 });
  });

  test("the last decision is what a restart finds", async () => {
    const store = await open(make);
    await store.createRun(newRun(), 1000);
    const state = { ...freshRunState, idleInARow: 1 };
    await store.setDecision(run, state, { kind: "wait", why: "limit", untilAt: 5000, tell: [] }, 1100);
    expect(await store.run(run)).toMatchObject({ state, decision: { kind: "wait", why: "limit", untilAt: 5000, tell: [] } });
  });

  const reasons = {
    finished: true,
    "finished-with-failures": true,
    person: true,
    money: true,
    limit: true,
    failing: true,
    stalled: true,
    "no-task": true,
    windows: true,
    clock: true,
    stopped: true,
    refused: true,
    broken: true,
    idle: true,
  } satisfies Record<StopReason, true>;
  test.each(Object.keys(reasons) as StopReason[])("a run can end as %s, once", async (reason) => {
    const store = await open(make);
    await store.createRun(newRun(), 1000);
    await store.endRun(run, { reason, detail: "because" }, 2000);
    expect(await store.run(run)).toMatchObject({ phase: "ended", stopReason: reason, stopDetail: "because", endedAt: 2000 });
    await expect(store.endRun(run, { reason: "stopped", detail: "" }, 3000)).rejects.toMatchObject({ code: "E_RUN_ENDED" });
    expect(await store.run(run)).toMatchObject({ stopReason: reason, endedAt: 2000 });
  });

  test.each<[string, (store: Store) => Promise<unknown>]>([
    ["change its phase", (store) => store.setPhase(run, "running", [], 3000)],
    ["decide", (store) => store.setDecision(run, freshRunState, launch, 3000)],
    ["take a request", (store) => store.setRequest(run, "stop-now", 3000)],
    ["take other settings", (store) => store.setSettings(run, settings, 3000)],
    ["get a supervisor", (store) => store.setSupervisor(run, null, 3000)],
    ["open a window", (store) => store.openWindow(newWindow(), 3000)],
    ["change tasks", (store) => store.changeTasks(run, [close("T1")], [], 3000)],
    ["take over a plan", (store) => store.syncTasks(run, [], [], [], 3000)],
    ["ask", (store) => store.ask(run, null, draft(), 3000)],
  ])("an ended run does not %s", async (_what, act) => {
    const store = await open(make);
    await startRun(store);
    await store.endRun(run, { reason: "stopped", detail: "" }, 2000);
    const before = [await store.run(run), await store.tasks(run), await log(store)];
    await expect(act(store)).rejects.toMatchObject({ name: "MidwatchError", kind: "refused", code: "E_RUN_ENDED" });
    expect([await store.run(run), await store.tasks(run), await log(store)]).toEqual(before);
  });

  test("a run does not end without its reason", async () => {
    const store = await open(make);
    await store.createRun(newRun(), 1000);
    await expect(store.setPhase(run, "ended", [], 2000)).rejects.toMatchObject({ kind: "bug" });
  });

  test("a request is read back until it is changed", async () => {
    const store = await open(make);
    await store.createRun(newRun(), 1000);
    const seen = [await store.request(run)];
    for (const request of ["pause", "stop-after-window", "stop-after-window", "none"] as const) {
      await store.setRequest(run, request, 2000);
      seen.push(await store.request(run));
    }
    expect(seen).toEqual(["none", "pause", "stop-after-window", "stop-after-window", "none"]);
    expect(await log(store)).toEqual(["run.started", "request.made", "request.made", "request.cleared"]);
  });

  test("a run that changes hands is recovered, and the log says from whom", async () => {
    const store = await open(make);
    await store.createRun(newRun(), 1000);
    const next = { pid: 5, startTicks: 9, bootId: "boot-2" };
    await store.setSupervisor(run, supervisor, 1500);
    await store.setSupervisor(run, next, 2000);
    await store.setSupervisor(run, null, 3000);
    expect((await store.run(run))?.supervisor).toBeNull();
    const told = (await store.eventsAfter(run, 1, 9)).map(({ kind, data }) => [kind, data["before"]]);
    expect(told).toEqual([
      ["run.recovered", supervisor],
      ["run.released", next],
    ]);
  });

  test("a run that gets another plan has that plan's tasks", async () => {
    const store = await open(make);
    await startRun(store);
    const other = { ...settings, plan: { kind: "list", path: "other.md" } as const };
    await store.setSettings(run, other, 2000);
    expect(await store.tasks(run)).toEqual([]);
    expect((await store.run(run))?.settings).toEqual(other);
    await store.setSettings(run, settings, 3000);
    expect(keys(await store.tasks(run))).toEqual(["T1", "T2", "T3"]);
  });
}

export function windowContract(make: MakeStore): void {
  test("a window is read back whole, and is the open one until it ends", async () => {
    const store = await open(make);
    await startRun(store);
    const opened = await store.openWindow(newWindow(), 2000);
    expect(opened).toEqual({ ...newWindow(), number: 1, state: "open", endedAt: null, process: null, result: null });
    await store.startWindow(window, supervisor, 2100);
    expect(await store.openWindowOf(run)).toEqual({ ...opened, process: supervisor });
    await store.endWindow(closing(), 3000);
    expect(await store.openWindowOf(run)).toBeNull();
    expect(await store.windows(run)).toEqual([{ ...opened, process: supervisor, state: "ended", endedAt: 3000, result }]);
  });

  test("windows are numbered within their run, the uncounted ones too", async () => {
    const store = await open(make);
    await startRun(store);
    await startRun(store, "run-2");
    for (const id of ["w1", "w2"]) {
      await store.openWindow(newWindow(id), 2000);
      await store.endWindow(closing({ window: windowId(id), result: { ...result, counted: false } }), 3000);
    }
    await store.openWindow(newWindow("w3", "run-2"), 4000);
    expect((await store.windows(run)).map(({ number }) => number)).toEqual([1, 2]);
    expect((await store.windows(runId("run-2"))).map(({ number }) => number)).toEqual([1]);
  });

  test("a run has one open window", async () => {
    const store = await open(make);
    await startRun(store);
    await store.openWindow(newWindow(), 2000);
    await expect(store.openWindow(newWindow("w2"), 2001)).rejects.toMatchObject({ code: "E_WINDOW_OPEN" });
    expect(await store.windows(run)).toHaveLength(1);
  });

  test("a run with an open window does not end", async () => {
    const store = await open(make);
    await startRun(store);
    await store.openWindow(newWindow(), 2000);
    await expect(store.endRun(run, { reason: "stopped", detail: "" }, 3000)).rejects.toMatchObject({ code: "E_WINDOW_OPEN" });
    expect(await store.run(run)).toMatchObject({ phase: "running", stopReason: null });
  });

  test("a window's end is one step: outcome, state, decision, moves, attempts, plan text and log", async () => {
    const store = await open(make);
    await startRun(store);
    await store.openWindow(newWindow(), 2000);
    const changes = [close("T1"), change("T2", "fail", { reason: "3 attempts" })];
    const extra = [{ kind: "plan.change-ignored", window, data: { notes: ["T3 was reworded"] } }];
    const end = closing({ changes, attempts: [taskKey("T2"), taskKey("T2"), taskKey("T3")], events: extra });
    await store.endWindow(end, 3000);
    expect(await store.run(run)).toMatchObject({ state: end.state, decision: launch });
    expect((await store.tasks(run)).map(({ key, state, attempts, doneBy }) => [key, state, attempts, doneBy])).toEqual([
      ["T1", "done", 0, "verified"],
      ["T2", "failed", 1, null],
      ["T3", "pending", 1, null],
    ]);
    expect(await store.planText(run)).toBe("- [x] T1\n");
    expect((await log(store)).slice(-7)).toEqual([
      "window.ended",
      "task.attempted T2",
      "task.attempted T3",
      "task.closed T1",
      "task.failed T2",
      "run.decided",
      "plan.change-ignored",
    ]);
  });

  test("a window ends once (B054)", async () => {
    const store = await open(make);
    await startRun(store);
    await store.openWindow(newWindow(), 2000);
    await store.endWindow(closing({ attempts: [taskKey("T1")] }), 3000);
    const before = [await store.run(run), await store.windows(run), await store.tasks(run), await log(store)];
    await expect(store.endWindow(closing({ attempts: [taskKey("T1")] }), 4000)).rejects.toMatchObject({
      kind: "bug",
      code: "E_WINDOW_ENDED",
    });
    expect([await store.run(run), await store.windows(run), await store.tasks(run), await log(store)]).toEqual(before);
  });

  test("a window's end with one illegal move changes nothing (B097)", async () => {
    const store = await open(make);
    await startRun(store);
    await store.openWindow(newWindow(), 2000);
    const before = [await store.run(run), await store.windows(run), await store.tasks(run), await log(store)];
    const end = closing({ changes: [close("T1"), change("T2", "reopen")], attempts: [taskKey("T3")] });
    await expect(store.endWindow(end, 3000)).rejects.toMatchObject({ code: "E_ILLEGAL_MOVE" });
    expect([await store.run(run), await store.windows(run), await store.tasks(run), await log(store)]).toEqual(before);
  });

  test("a process that is told after its window's end changes nothing", async () => {
    const store = await open(make);
    await startRun(store);
    await store.openWindow(newWindow(), 2000);
    await store.endWindow(closing(), 3000);
    await store.startWindow(window, supervisor, 3100);
    expect((await store.windows(run))[0]?.process).toBeNull();
    expect(await log(store)).not.toContain("window.started");
    await expect(store.startWindow(windowId("nobody's"), supervisor, 3100)).rejects.toMatchObject({ code: "E_WINDOW_UNKNOWN" });
  });
}

export function taskContract(make: MakeStore): void {
  test("the plan's words, order and tick are the person's; states and attempts stay", async () => {
    const store = await open(make);
    await startRun(store);
    await store.changeTasks(run, [close("T1", { doneBy: "person", by: "person" })], [], 1100);
    const next = [
      planned("T3", { ticked: true }),
      planned("T1", { title: "First", dependsOn: [taskKey("T3")], priority: 0.5 }),
      planned("T4"),
    ];
    await store.syncTasks(run, next, [], [{ kind: "plan.edited", data: { by: "person" } }], 1200);
    const fresh = { state: "pending", attempts: 0, doneBy: null, reason: "", lastEvidence: "", owner: null };
    expect(await store.tasks(run)).toEqual([
      { ...next[0], ...fresh, position: 0 },
      { ...next[1], ...fresh, state: "done", doneBy: "person", position: 1 },
      { ...next[2], ...fresh, position: 2 },
    ]);
    expect((await log(store)).slice(5)).toEqual(["task.removed T2", "task.reworded T1", "task.added T4", "plan.edited"]);
  });

  test("the same plan again is no news", async () => {
    const store = await open(make);
    await startRun(store);
    const before = await log(store);
    await store.syncTasks(run, [planned("T1"), planned("T2"), planned("T3")], [], [], 2000);
    expect(await log(store)).toEqual(before);
  });

  test("a task that comes back has its history", async () => {
    const store = await open(make);
    await startRun(store);
    await store.changeTasks(run, [close("T2")], [], 1100);
    await store.syncTasks(run, [planned("T1")], [], [], 1200);
    expect(keys(await store.tasks(run))).toEqual(["T1"]);
    await expect(store.changeTasks(run, [change("T2", "reopen")], [], 1300)).rejects.toMatchObject({ code: "E_TASK_UNKNOWN" });
    await store.syncTasks(run, [planned("T1"), planned("T2")], [], [], 1400);
    expect(await states(store)).toEqual({ T1: "pending", T2: "done" });
  });

  test("a new task can be closed with the plan that brings it", async () => {
    const store = await open(make);
    await startRun(store);
    await store.syncTasks(run, [planned("T9", { ticked: true })], [close("T9", { doneBy: "person", by: "person" })], [], 2000);
    expect(await states(store)).toEqual({ T9: "done" });
    expect((await log(store)).slice(-2)).toEqual(["task.added T9", "task.closed T9"]);
  });

  test.each<[string, Parameters<typeof newRun>[1], readonly string[]]>([
    ["a later run on the same plan goes on with its tasks", {}, ["T1", "T2", "T3"]],
    ["the same plan in another working tree has tasks of its own", { worktree: "/home/ana/other" }, []],
    ["the same path in another repository has tasks of its own", { repository: "/home/ana/new/.git" }, []],
    ["another plan has tasks of its own", { settings: { ...settings, plan: { kind: "list", path: "b.md" } } }, []],
    [
      "a repeated prompt has no tasks",
      { settings: { ...settings, plan: { kind: "prompt", path: "TASKS.md", everyMs: 0, iterations: null, forMs: null } } },
      [],
    ],
  ])("%s", async (_title, other, expected) => {
    const store = await open(make);
    await startRun(store);
    await store.endRun(run, { reason: "stopped", detail: "" }, 2000);
    await store.createRun(newRun("run-2", other), 3000);
    expect(keys(await store.tasks(runId("run-2")))).toEqual(expected);
  });

  const paths: Record<TaskState, readonly TaskMove[]> = {
    pending: [],
    "in-progress": ["start"],
    checking: ["start", "check"],
    done: ["close"],
    failed: ["fail"],
    blocked: ["block"],
    "waiting-person": ["ask"],
  };
  const moves = [...new Set(Object.values(taskMoves).flatMap((from) => Object.keys(from) as TaskMove[]))];
  const cases = Object.keys(paths).flatMap((from) => moves.map((move): [TaskMove, TaskState] => [move, from as TaskState]));
  test.each(cases)("%s of a %s task ends as taskMoves says, or throws and changes nothing", async (move, from) => {
    const store = await open(make);
    await startRun(store);
    const full = (one: TaskMove) => (one === "close" ? close("T1") : change("T1", one, { reason: "because" }));
    await store.changeTasks(run, paths[from].map(full), [], 1100);
    const before = [await store.tasks(run), await log(store)];
    const allowed: Partial<Record<TaskMove, TaskState>> = taskMoves[from];
    const to = allowed[move];
    const moved = store.changeTasks(run, [full(move)], [], 1200);
    if (to === undefined) {
      await expect(moved).rejects.toMatchObject({ kind: "bug", code: "E_ILLEGAL_MOVE" });
      expect([await store.tasks(run), await log(store)]).toEqual(before);
    } else {
      await moved;
      expect((await states(store))["T1"]).toBe(to);
    }
  });

  test("a task tells why it failed or is blocked, and only then", async () => {
    const store = await open(make);
    await startRun(store);
    const reason = async () => (await store.tasks(run))[0]?.reason;
    await store.changeTasks(run, [change("T1", "block", { reason: "waits for T0" })], [], 1100);
    expect(await reason()).toBe("waits for T0");
    await store.changeTasks(run, [change("T1", "unblock", { reason: "T0 is done" })], [], 1200);
    expect(await reason()).toBe("");
  });

  test.each(["fail", "block"] as const)("no task can %s without a reason (V1)", async (move) => {
    const store = await open(make);
    await startRun(store);
    await expect(store.changeTasks(run, [change("T1", move)], [], 1100)).rejects.toMatchObject({ kind: "bug" });
  });

  test("a done task says how it came to be so", async () => {
    const store = await open(make);
    await startRun(store);
    await expect(store.changeTasks(run, [change("T1", "close")], [], 1100)).rejects.toMatchObject({ kind: "bug" });
    await store.changeTasks(run, [close("T1", { doneBy: "claimed" })], [], 1200);
    expect((await store.tasks(run))[0]).toMatchObject({ state: "done", doneBy: "claimed" });
  });

  test("a retried task starts over; a reopened one tells what it lacks", async () => {
    const store = await open(make);
    await startRun(store);
    await store.openWindow(newWindow(), 2000);
    await store.endWindow(
      closing({ attempts: [taskKey("T1"), taskKey("T2")], changes: [change("T1", "fail", { reason: "no" }), close("T2")] }),
      3000,
    );
    await store.changeTasks(
      run,
      [change("T1", "retry", { by: "person" }), change("T2", "reopen", { reason: "npm test: exit 1" })],
      [],
      3100,
    );
    expect((await store.tasks(run)).slice(0, 2)).toMatchObject([
      { state: "pending", attempts: 0, doneBy: null, lastEvidence: "" },
      { state: "pending", attempts: 1, doneBy: null, lastEvidence: "npm test: exit 1" },
    ]);
  });

  const evidence = [
    { criterion: "npm test", verdict: "fails", detail: "exit 1\n2 failed", durationMs: 812, commit: "d4e5f6" },
    { criterion: "notes.md says done", verdict: "cannot-tell", detail: "", durationMs: 0, commit: "d4e5f6" },
  ] as const;

  test("a refused claim leaves its evidence to the next window and counts nothing", async () => {
    const store = await open(make);
    await startRun(store);
    await store.openWindow(newWindow(), 2000);
    await store.recordClaim(
      { run, window, task: taskKey("T1"), evidence, findings: [], commit: "", change: null, refusal: "npm test: exit 1" },
      2500,
    );
    expect((await store.tasks(run))[0]).toMatchObject({ state: "in-progress", attempts: 0, lastEvidence: "npm test: exit 1" });
    expect(await store.evidence(run)).toEqual(evidence.map((one) => ({ ...one, window, task: "T1", at: 2500 })));
    expect((await log(store)).at(-1)).toBe("claim.refused T1");
  });

  test("a held claim closes its task with its evidence", async () => {
    const store = await open(make);
    await startRun(store);
    await store.openWindow(newWindow(), 2000);
    await store.recordClaim(
      { run, window, task: taskKey("T1"), evidence: [], findings: [], commit: "", change: null, refusal: "not yet" },
      2500,
    );
    await store.recordClaim(
      { run, window, task: taskKey("T1"), evidence, findings: [], commit: "", change: close("T1"), refusal: "" },
      2600,
    );
    expect((await store.tasks(run))[0]).toMatchObject({ state: "done", doneBy: "verified", lastEvidence: "" });
  });

  test("a claim of a task that a person has moved meanwhile is kept, and moves nothing", async () => {
    const store = await open(make);
    await startRun(store);
    await store.openWindow(newWindow(), 2000);
    expect(await store.startCheck(run, window, { key: taskKey("T1"), by: "window 1", lease: null }, 2400)).toEqual({ kind: "checking" });
    await store.changeTasks(run, [change("T1", "block", { reason: "not tonight", by: "person" })], [], 2500);
    const claim = { run, window, task: taskKey("T1"), evidence, findings: [], commit: "abc" };
    expect(await store.recordClaim({ ...claim, change: close("T1"), refusal: "" }, 2600)).toBe(false);
    expect(await store.recordClaim({ ...claim, change: null, refusal: "no" }, 2700)).toBe(false);
    expect((await store.tasks(run))[0]).toMatchObject({ state: "blocked", reason: "not tonight", lastEvidence: "" });
    expect(await store.lastAccepted(run)).toBeNull();
    expect(await store.evidence(run)).toHaveLength(4);
    expect((await log(store)).at(-1)).toBe("claim.lost T1");
    expect(await store.startCheck(run, window, { key: taskKey("T1"), by: "window 1", lease: null }, 2800)).toEqual({
      kind: "moved",
      state: "blocked",
      reason: "not tonight",
    });
  });

  test("what spoke against claims is kept, and the commit of the last one that was accepted", async () => {
    const store = await open(make);
    await startRun(store);
    await store.openWindow(newWindow(), 2000);
    const finding = { rule: "skip-added", weight: "refuses", path: "a.test.js", line: 3, text: "it leaves tests out: it.skip(" } as const;
    const remark = { rule: "worthless", weight: "remark", path: null, line: null, text: "it held before" } as const;
    const claim = { run, window, task: taskKey("T1"), evidence: [] };
    expect(await store.lastAccepted(run)).toBeNull();
    await store.recordClaim({ ...claim, findings: [finding, remark], commit: "aaa", change: null, refusal: "no" }, 2500);
    expect(await store.lastAccepted(run)).toBeNull();
    await store.recordClaim({ ...claim, findings: [], commit: "bbb", change: close("T1"), refusal: "" }, 2600);
    await store.recordClaim({ ...claim, task: taskKey("T2"), findings: [remark], commit: "ccc", change: null, refusal: "no" }, 2700);
    expect(await store.lastAccepted(run)).toBe("bbb");
    expect(await store.findings(run)).toEqual([
      { ...finding, task: "T1", window },
      { ...remark, task: "T1", window },
      { ...remark, task: "T2", window },
    ]);
  });

  test("a window's claims are counted where they still stand", async () => {
    const store = await open(make);
    await startRun(store);
    await store.openWindow(newWindow(), 2000);
    const claim = (task: string, held: boolean) =>
      store.recordClaim(
        {
          run,
          window,
          task: taskKey(task),
          evidence: [],
          findings: [],
          commit: "",
          change: held ? close(task) : null,
          refusal: held ? "" : "no",
        },
        2500,
      );
    for (const [task, held] of [
      ["T3", false],
      ["T1", true],
      ["T2", false],
      ["T2", true],
      ["T3", false],
    ] as const)
      await claim(task, held);
    expect([await store.closedIn(window), await store.refusedIn(window)]).toEqual([["T1", "T2"], ["T3"]]);
    await store.changeTasks(run, [change("T1", "reopen", { reason: "red again" }), close("T3", { doneBy: "person" })], [], 2600);
    expect([await store.closedIn(window), await store.refusedIn(window)]).toEqual([["T2"], []]);
    await store.changeTasks(run, [close("T1", { doneBy: "person" })], [], 2700);
    expect(await store.closedIn(window)).toEqual(["T2"]);
  });

  test("the plan's text is kept to the byte", async () => {
    const store = await open(make);
    await startRun(store);
    expect(await store.planText(run)).toBeNull();
    for (const text of ["\ufeff- [ ] T1\r\n\0\u2028 é 𝄞 \"'`\\", ""]) {
      await store.setPlanText(run, text, 2000);
      expect(await store.planText(run)).toBe(text);
    }
  });
}

export function questionContract(make: MakeStore): void {
  test("a question is read back whole and is open", async () => {
    const store = await open(make);
    await startRun(store);
    const asked = await store.ask(run, null, draft(), 2000);
    expect(asked).toEqual({
      ...draft(),
      id: "Q1",
      run,
      window: null,
      state: "open",
      askedAt: 2000,
      answer: null,
      answeredBy: null,
      answeredAt: null,
    });
    expect(await store.question(questionId("Q1"))).toEqual(asked);
    expect(await store.questions({ state: "open" })).toEqual([asked]);
  });

  test("questions are numbered over all runs and never twice (B114)", async () => {
    const store = await open(make);
    await startRun(store);
    await startRun(store, "run-2", { worktree: "/home/ana/other" });
    const ask = (id: string, text: string) => store.ask(runId(id), null, draft({ text }), 2000);
    const ids = [await ask("run-1", "one?"), await ask("run-2", "two?"), await ask("run-1", "three?")].map(({ id }) => id);
    expect(ids).toEqual(["Q1", "Q2", "Q3"]);
    expect((await store.questions({ run })).map(({ id }) => id)).toEqual(["Q1", "Q3"]);
  });

  test("the same text is one question while it is open, and a new one after", async () => {
    const store = await open(make);
    await startRun(store);
    await store.openWindow(newWindow(), 2000);
    const ask = async (from: typeof window | null, task: string | null = null) =>
      (await store.ask(run, from, draft({ task: task === null ? null : taskKey(task) }), 2500)).id;
    expect([
      await ask(window),
      await ask(window),
      await ask(null),
      await ask(window, "T1"),
      await ask(window, "T1"),
      await ask(window, "T2"),
    ]).toEqual(["Q1", "Q1", "Q1", "Q2", "Q2", "Q3"]);
    await store.answer(questionId("Q1"), "red", "person", 2600);
    expect(await ask(window)).toBe("Q4");
    expect((await log(store)).filter((line) => line.startsWith("question.asked"))).toHaveLength(4);
  });

  test("a question and the decision that waits for it are one step", async () => {
    const store = await open(make);
    await startRun(store);
    const state = { ...freshRunState, windows: 3 };
    await store.setDecision(run, state, { kind: "ask", question: draft(), tell: [] }, 1900);
    for (const now of [2000, 2001]) await store.ask(run, null, draft(), now, (id) => ({ kind: "pause", tell: [`waits for ${id}`] }));
    expect(await store.run(run)).toMatchObject({ state, decision: { kind: "pause", tell: ["waits for Q1"] } });
    expect(await store.questions({})).toHaveLength(1);
  });

  test("a task waits while a question about it is open", async () => {
    const store = await open(make);
    await startRun(store);
    await store.ask(run, null, draft({ task: taskKey("T1") }), 2000);
    await store.ask(run, null, draft({ task: taskKey("T1"), text: "And how big?" }), 2001);
    expect((await store.tasks(run))[0]).toMatchObject({ state: "waiting-person", reason: "Q1: Red or blue?" });
    await store.answer(questionId("Q1"), "red", "person", 2100);
    expect((await store.tasks(run))[0]).toMatchObject({ state: "waiting-person", reason: "Q2: And how big?" });
    await store.answer(questionId("Q2"), "big", "person", 2200);
    expect((await store.tasks(run))[0]).toMatchObject({ state: "pending", reason: "" });
    expect((await log(store)).slice(4)).toEqual([
      "question.asked T1",
      "task.waiting T1",
      "question.asked T1",
      "question.answered T1",
      "question.answered T1",
      "task.unblocked T1",
    ]);
  });

  test("a task that was out of the plan when its question was answered comes back unblocked", async () => {
    const store = await open(make);
    await startRun(store);
    await store.openWindow(newWindow(), 2000);
    await store.ask(run, window, draft({ task: taskKey("T1") }), 2100);
    await store.syncTasks(run, [planned("T2")], [], [], 2200);
    await store.answer(questionId("Q1"), "red", "person", 2300);
    await store.syncTasks(run, [planned("T1"), planned("T2")], [], [], 2400);
    expect(await states(store)).toEqual({ T1: "pending", T2: "pending" });
    const told = (await store.recentEvents(run, "task.waiting", 9)).map(({ data }) => data["by"]);
    expect(told).toEqual(["window 1"]);
  });

  test("a question about a task that is done holds nothing up", async () => {
    const store = await open(make);
    await startRun(store);
    await store.changeTasks(run, [close("T1")], [], 1100);
    await store.ask(run, null, draft({ task: taskKey("T1") }), 2000);
    await store.answer(questionId("Q1"), "red", "person", 2100);
    expect((await states(store))["T1"]).toBe("done");
  });

  test("a question about no task of the plan is refused", async () => {
    const store = await open(make);
    await startRun(store);
    await expect(store.ask(run, null, draft({ task: taskKey("T99") }), 2000)).rejects.toMatchObject({ code: "E_TASK_UNKNOWN" });
    expect(await store.questions({})).toEqual([]);
    expect((await store.ask(run, null, draft(), 2000)).id).toBe("Q1");
  });

  test("the first answer wins", async () => {
    const store = await open(make);
    await startRun(store);
    await store.ask(run, null, draft(), 2000);
    const first = await store.answer(questionId("Q1"), "blue", "person", 2100);
    const second = await store.answer(questionId("Q1"), "red", "default", 2200);
    const question = await store.question(questionId("Q1"));
    expect(question).toMatchObject({ state: "answered", answer: "blue", answeredBy: "person", answeredAt: 2100 });
    expect([first, second]).toEqual([
      { kind: "answered", question },
      { kind: "was-answered", question },
    ]);
    expect(await store.questions({ run, state: "open" })).toEqual([]);
  });

  test.each(["Q2", "Q0", "Q01", "q1", "1", "Q1 ", "Q99999999999999999999", ""])("%j is no question", async (id) => {
    const store = await open(make);
    await startRun(store);
    await store.ask(run, null, draft(), 2000);
    expect(await store.answer(questionId(id), "red", "person", 2100)).toEqual({ kind: "unknown" });
    expect(await store.question(questionId(id))).toBeNull();
  });

  test("an answer to a run that has ended is kept for the next", async () => {
    const store = await open(make);
    await startRun(store);
    await store.ask(run, null, draft({ task: taskKey("T1") }), 2000);
    await store.endRun(run, { reason: "stopped", detail: "" }, 2100);
    expect(await store.answer(questionId("Q1"), "red", "person", 2200)).toMatchObject({ kind: "answered" });
    expect((await states(store))["T1"]).toBe("pending");
  });
}

export function eventContract(make: MakeStore): void {
  test("events are numbered without gaps, over all runs, and a failed write leaves none", async () => {
    const store = await open(make);
    await startRun(store);
    await expect(store.changeTasks(run, [close("T1"), change("T1", "retry")], [], 1100)).rejects.toThrow();
    await startRun(store, "run-2", { worktree: "/home/ana/other" });
    await store.appendEvents(run, [{ kind: "agent.acted", data: { what: "Bash", deep: { n: [1, null] } } }], 1200);
    const all = [...(await store.eventsAfter(run, 0, 99)), ...(await store.eventsAfter(runId("run-2"), 0, 99))].map(({ id }) => id);
    expect(all.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect((await store.eventsAfter(run, 4, 99))[0]).toEqual({
      id: 9,
      at: 1200,
      run,
      kind: "agent.acted",
      data: { what: "Bash", deep: { n: [1, null] } },
    });
  });

  test("a reader goes on where it stopped", async () => {
    const store = await open(make);
    await store.createRun(newRun(), 1000);
    await store.appendEvents(
      run,
      Array.from({ length: 5 }, (_, n) => ({ kind: "agent.acted", data: { n } })),
      1100,
    );
    const page = async (after: number) => (await store.eventsAfter(run, after, 3)).map(({ id }) => id);
    expect([await page(0), await page(3), await page(6)]).toEqual([[1, 2, 3], [4, 5, 6], []]);
  });

  test("the last events of a kind come oldest first, with their window", async () => {
    const store = await open(make);
    await startRun(store);
    await store.openWindow(newWindow(), 2000);
    for (const n of [1, 2, 3])
      await store.appendEvents(
        run,
        [
          { kind: "journal.noted", window, data: { n } },
          { kind: "agent.acted", data: { n } },
        ],
        2000 + n,
      );
    expect((await store.recentEvents(run, "journal.noted", 2)).map(({ window: of, data }) => [of, data["n"]])).toEqual([
      [window, 2],
      [window, 3],
    ]);
  });

  test("no event is for a run that is not there", async () => {
    const store = await open(make);
    await expect(store.appendEvents(runId("nobody's"), [{ kind: "agent.acted", data: {} }], 1000)).rejects.toMatchObject({ kind: "bug" });
  });

  test("only what is old and of ended runs is pruned, and numbers go on", async () => {
    const store = await open(make);
    await startRun(store);
    await startRun(store, "run-2", { worktree: "/home/ana/other" });
    await store.openWindow(newWindow(), 2000);
    const evidence = [{ criterion: "c", verdict: "holds", detail: "", durationMs: 1, commit: "" }] as const;
    await store.recordClaim(
      { run, window, task: taskKey("T1"), evidence, findings: [], commit: "", change: close("T1"), refusal: "" },
      2500,
    );
    await store.ask(run, window, draft(), 2600);
    await store.endWindow(closing(), 3000);
    expect(await store.prune(9000)).toBe(0);
    await store.endRun(run, { reason: "stopped", detail: "" }, 5000);
    const last = (await store.eventsAfter(run, 0, 99)).at(-1)?.id ?? 0;
    expect(await store.prune(3000)).toBe(9);
    expect(await log(store)).toEqual(["window.ended", "run.decided", "run.ended"]);
    expect(await store.evidence(run)).toEqual([]);
    expect([(await store.tasks(run)).length, (await store.windows(run)).length, (await store.questions({ run })).length]).toEqual([
      3, 1, 1,
    ]);
    expect(await log(store, "run-2")).toHaveLength(4);
    await store.prune(9000);
    await store.appendEvents(run, [{ kind: "report.made", data: {} }], 9500);
    expect((await store.eventsAfter(run, 0, 9)).map(({ id }) => id)).toEqual([last + 1]);
  });
}
