/** What every store promises of claims that measure, and of those that ask a person. */
import { expect, onTestFinished, test } from "vitest";
import { runId, taskKey, windowId } from "../../src/core/ids.ts";
import { acceptAsIs, goOn, setAside } from "../../src/core/question.ts";
import type { Store } from "../../src/ports/store.ts";
import type { MakeStore } from "./store-contract.ts";
import { close, closing, draft, log, newWindow, planned, result, startRun } from "./store-samples.ts";

const run = runId("run-1");
const window = windowId("window-1");
const task = taskKey("T1");
const fails = {
  criterion: "tests: npm test",
  kind: "tests",
  verdict: "fails",
  detail: "1 failed",
  durationMs: 8,
  commit: "d4e5f6",
} as const;

async function inWindow(make: MakeStore): Promise<Store> {
  const store = await make();
  onTestFinished(() => store.close());
  await startRun(store);
  await store.openWindow(newWindow(), 2000);
  return store;
}

const first = async (store: Store) => (await store.tasks(run))[0];
const refuse = (store: Store, at: number, evidence: readonly (typeof fails)[] = [fails]) =>
  store.recordClaim({ run, window, task, evidence, findings: [], commit: "", change: null, refusal: "no" }, at);
const returned = (store: Store, at: number) =>
  store.ask(run, window, draft({ source: "returns", task, options: [goOn, acceptAsIs, setAside] }), at);

export function claimContract(make: MakeStore): void {
  test("evidence keeps its kind, its figures, and from when on it counts", async () => {
    const store = await inWindow(make);
    const evidence = [
      { ...fails, figures: { passed: 12, failed: 1, skipped: 0 } },
      { ...fails, kind: "lint", criterion: "from 5: lint: l", countsFrom: 5 },
    ] as const;
    await store.recordClaim({ run, window, task, evidence, findings: [], commit: "", change: close("T1"), refusal: "" }, 2500);
    expect(await store.evidence(run)).toEqual(evidence.map((one) => ({ ...one, window, task, at: 2500 })));
  });

  test("a claim that waits for a person is no refusal, and leaves the last one standing", async () => {
    const store = await inWindow(make);
    await refuse(store, 2400);
    await store.recordClaim(
      { run, window, task: taskKey("T2"), evidence: [fails], findings: [], commit: "", change: null, refusal: "" },
      2500,
    );
    expect(await store.refusedIn(window)).toEqual(["T1"]);
    expect(await store.returnsOf(run, taskKey("T2"))).toBe(0);
    expect((await log(store)).at(-1)).toBe("claim.waiting T2");
    expect(await first(store)).toMatchObject({ state: "in-progress", lastEvidence: "no" });
  });

  test("returns are refused claims that were measured, of one task, since a person said go on", async () => {
    const store = await inWindow(make);
    await refuse(store, 2100);
    await refuse(store, 2200, []);
    await refuse(store, 2300);
    await store.recordClaim(
      { run, window, task: taskKey("T2"), evidence: [fails], findings: [], commit: "", change: null, refusal: "no" },
      2350,
    );
    expect(await store.returnsOf(run, task)).toBe(2);
    const question = await returned(store, 2400);
    await store.answer(question.id, goOn, "person", 2500);
    expect(await store.returnsOf(run, task)).toBe(0);
    await refuse(store, 2600);
    expect(await store.returnsOf(run, task)).toBe(1);
  });

  test("what a window claimed that a death cut short is no return", async () => {
    const store = await inWindow(make);
    await refuse(store, 2100);
    expect(await store.returnsOf(run, task)).toBe(1);
    await store.endWindow(closing({ result: { ...result, exit: { kind: "lost" } } }), 2200);
    expect(await store.returnsOf(run, task)).toBe(0);
  });

  test.each([
    [goOn, { state: "pending", doneBy: null, reason: "" }],
    [acceptAsIs, { state: "done", doneBy: "person", reason: "" }],
    [setAside, { state: "failed", doneBy: null, reason: "a person set it aside (Q1)" }],
  ])("the answer %j to a returned task moves it", async (answer, expected) => {
    const store = await inWindow(make);
    const question = await returned(store, 2400);
    expect(await first(store)).toMatchObject({ state: "waiting-person" });
    await store.answer(question.id, answer, "person", 2500);
    expect(await first(store)).toMatchObject(expected);
  });

  test("an answer about a task that is out of the plan moves nothing, and is taken all the same", async () => {
    const store = await inWindow(make);
    const question = await returned(store, 2400);
    await store.syncTasks(run, [planned("T2")], [], [], 2450);
    expect(await store.answer(question.id, acceptAsIs, "person", 2500)).toMatchObject({ kind: "answered" });
    await store.syncTasks(run, [planned("T1"), planned("T2")], [], [], 2600);
    expect(await first(store)).toMatchObject({ state: "pending" });
  });

  test("a question keeps the commit that its answer is about", async () => {
    const store = await inWindow(make);
    const question = await store.ask(run, window, draft({ source: "approval", task, about: "d4e5f6" }), 2400);
    expect(await store.question(question.id)).toMatchObject({ source: "approval", about: "d4e5f6" });
  });

  test("what an older version took for prose is a criterion once it has a label", async () => {
    const store = await inWindow(make);
    const criteria = ["tests: npm test", "tests: all pass", "It reads well"].map((text) => ({ kind: "prose", text }) as const);
    await store.syncTasks(run, [planned("T1", { criteria })], [], [], 2500);
    expect((await first(store))?.criteria).toMatchObject([{ kind: "tests", command: "npm test" }, { kind: "prose" }, { kind: "prose" }]);
  });
}
