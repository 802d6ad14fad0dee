/** What a run adds to measuring: the ledger's sum of the task, the base, and the person's stop. */
import { expect, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store/memory/open.ts";
import { createClock } from "../../src/adapters/system/clock.ts";
import { parseCriterion } from "../../src/core/criteria/parse.ts";
import { runId, taskKey } from "../../src/core/ids.ts";
import { treeTaskScope } from "../../src/core/money/cap.ts";
import type { RunContext } from "../../src/engine/context.ts";
import { createRunControl } from "../../src/engine/control.ts";
import { checkCriteria } from "../../src/engine/criteria/check.ts";
import { measuringFor } from "../../src/engine/criteria/in-run.ts";
import { openBench } from "./criteria-kit.ts";
import { begin, closing, intent } from "./ledger-samples.ts";
import { settings } from "./store-samples.ts";

async function measured(line: string, task = "T1") {
  const { store } = await begin(async () => openMemoryStore());
  const scopes = [treeTaskScope("/tree/TASKS.md", "T1")];
  await store.ledger.open([intent("c1", { scopes }), intent("c2", { scopes })]);
  await store.ledger.close([closing("c1", {}, { costMicroUsd: 90_000 })]);
  const clock = createClock();
  const control = createRunControl(store, runId("run-1"), clock);
  const context = {
    ports: { store, clock, workspace: { location: { top: "/tree" } } },
    run: runId("run-1"),
    settings,
    control,
    beginning: { base: null, held: new Map() },
  } as unknown as RunContext;
  const criterion = parseCriterion(line);
  if (criterion.kind === "malformed") throw new Error(criterion.reason);
  const measuring = measuringFor(context, taskKey(task));
  const [evidence] = await checkCriteria(measuring, [criterion], { commit: "c", window: 1 });
  const base = await measuring.base();
  await control.close();
  await store.close();
  return { evidence, base };
}

test.each([
  // One call of 0.09 is closed, one of at most 0.20 is open.
  ["cost: at most 0.29", "T1", "holds", "$0.09 for 2 calls"],
  ["cost: at most 0.28", "T1", "cannot-tell", "it may be $0.29"],
  ["cost: at most 0.08", "T1", "fails", "at most $0.08 are allowed"],
  ["cost: at most 9", "T2", "cannot-tell", "there is no ledger of this task"],
])("%s of %s: %s", async (line, task, verdict, detail) => {
  expect((await measured(line, task)).evidence).toMatchObject({ verdict, detail: expect.stringContaining(detail) });
});

test.each<[string, number | null, number | undefined]>([
  ["file: never", 0, undefined],
  ["file: never", 1, undefined],
  ["from 1: file: never", 0, 1],
  ["from 2: file: never", 1, 2],
  ["from 2: file: never", 2, undefined],
  ["from 2: file: never", null, undefined],
])("%s in window %j counts from %j", async (line, window, countsFrom) => {
  const { measuring } = await openBench();
  const criterion = parseCriterion(line);
  const [evidence] = criterion.kind === "malformed" ? [] : await checkCriteria(measuring, [criterion], { commit: "c", window });
  expect([evidence?.verdict, evidence?.countsFrom]).toEqual(["fails", countsFrom]);
});

test("the base is where the run's first window began", async () => {
  expect((await measured("cost: at most 1")).base).toMatch(/^[0-9a-z]+$/);
});
