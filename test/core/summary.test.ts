/** Many calls as a few lines: a lower bound, the number of unknowns, and what they may come to. */
import { expect, test } from "vitest";
import { runId, taskKey, windowId } from "../../src/core/ids.ts";
import { type Grouping, type SummedCall, sumCalls, sumOf } from "../../src/core/money/summary.ts";
import { noUsage } from "../../src/core/money/usage.ts";

const usage = { ...noUsage, input: 10, output: 2, cacheRead: 100 };
const call = (change: Partial<SummedCall> = {}): SummedCall => ({
  owner: { kind: "window", run: runId("r1"), window: windowId("w1"), task: taskKey("T-1") },
  request: { model: "asked" },
  state: "done",
  subagent: null,
  upperMicroUsd: 900,
  costMicroUsd: 100,
  sentAt: 0,
  result: { failure: null, usage, answeredModel: "answered" },
  ...change,
});
const job = (change: Partial<SummedCall> = {}) =>
  call({ owner: { kind: "job", batch: "b", job: "b:1:v", attempt: 1, fence: null, round: 0 }, ...change });
const unknown = (change: Partial<SummedCall> = {}) =>
  call({ state: "unknown", costMicroUsd: null, result: { failure: "died", usage: null, answeredModel: null }, ...change });

test.each<readonly [title: string, calls: readonly SummedCall[], sum: Partial<ReturnType<typeof sumOf>>]>([
  ["nothing", [], { calls: 0, costMicroUsd: 0, unknown: 0, unknownMicroUsd: 0, tokens: noUsage }],
  ["paid calls add up", [call(), call()], { calls: 2, costMicroUsd: 200, tokens: { ...noUsage, input: 20, output: 4, cacheRead: 200 } }],
  ["an unknown call is no zero", [call(), unknown()], { costMicroUsd: 100, unknown: 1, unknownMicroUsd: 900 }],
  ["an open call is unknown as long as it is open", [unknown({ state: "open", result: null })], { unknown: 1, unknownMicroUsd: 900 }],
  ["of a cut call only the rest is unknown", [call({ state: "cut" })], { costMicroUsd: 100, unknown: 1, unknownMicroUsd: 800 }],
  [
    "a cut call beyond its estimate has no rest",
    [call({ state: "cut", costMicroUsd: 950 })],
    { costMicroUsd: 950, unknown: 1, unknownMicroUsd: 0 },
  ],
  [
    "a refused call costs nothing",
    [call({ state: "failed", costMicroUsd: null, result: { failure: "limited", usage: null, answeredModel: null } })],
    { unknown: 0, unpriced: 0 },
  ],
  [
    "an error of the provider may have cost something",
    [unknown({ state: "failed", result: { failure: "server-error", usage: null, answeredModel: null } })],
    { unknown: 1 },
  ],
  ["a call without a price is told", [call({ upperMicroUsd: null, costMicroUsd: null })], { unpriced: 1, costMicroUsd: 0 }],
])("%s", (_title, calls, sum) => {
  expect(sumOf("x", calls)).toMatchObject(sum);
});

test.each<readonly [by: Grouping, names: readonly string[]]>([
  ["run", ["r1", "b"]],
  ["window", ["w1", "b:1:v"]],
  ["task", ["T-1", "no task", "b:1:v"]],
  ["model", ["answered", "asked"]],
  ["day", ["day 0", "day 1"]],
  ["state", ["done", "unknown"]],
  ["agent", ["not told", "subagent", "main"]],
])("by %s", (by, names) => {
  const noTask = call({ owner: { kind: "window", run: runId("r1"), window: windowId("w1"), task: null }, subagent: true });
  const calls = [call(), noTask, job({ sentAt: 1, subagent: false }), unknown()];
  expect(sumCalls(calls, by, (at) => `day ${at}`).map(({ name }) => name)).toEqual(names);
});
