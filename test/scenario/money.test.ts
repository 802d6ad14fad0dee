/** Money in flight, with a scripted agent behind the gateway: the two lines of a window, refusals, and who is asked for what (D4). */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { billed, booked, readCalls, readInvoice, readSpend } from "./booked.ts";
import { handoff, makeSpendNight, ordinary, statuses } from "./money-kit.ts";
import type { Finished } from "./program.ts";

const half = { window: 0.5, reserve: 0.1 };
const refused = ({ events }: Finished) =>
  events.filter(({ kind }) => kind === "call.refused").map(({ data }) => data["cap"] ?? data["why"]);

test("two ordinary calls of 0.20 and a handoff of 0.05 fit under 0.50, and the window ends at 0.45", async () => {
  const night = await makeSpendNight({ limits: half, windows: { 1: [{ max: ordinary, times: 2 }, { max: handoff }] } });
  const { report } = await night.play();
  const calls = await readCalls(night);
  expect(calls.map(({ upperMicroUsd, costMicroUsd }) => [upperMicroUsd, costMicroUsd])).toEqual([
    [200_000, 200_000],
    [200_000, 200_000],
    [50_000, 50_000],
  ]);
  expect(calls.map(booked)).toEqual(readInvoice(night.invoicePath).map(billed));
  expect(report?.windows).toMatchObject([
    { exit: "completed-no-tools", costMicroUsd: 450_000, ledger: { heldMicroUsd: 0, calls: 3, unknown: 0 } },
  ]);
  expect(report?.spentMicroUsd).toBe(450_000);
});

test("a third ordinary call is refused before it leaves, in each format, streamed and not", async () => {
  const twice = { max: ordinary, times: 3 };
  const night = await makeSpendNight({
    limits: { ...half, windows: 4, attemptsPerTask: 9 },
    windows: {
      1: [{ ...twice, format: "anthropic" }],
      2: [{ ...twice, format: "anthropic", stream: true }],
      3: [{ ...twice, format: "openai" }],
      4: [{ ...twice, format: "openai", stream: true }],
    },
  });
  const ended = await night.play();
  for (const window of [1, 2, 3, 4]) {
    expect(statuses(night.answers(window))).toEqual([
      [200, null],
      [200, null],
      [400, "false"],
    ]);
    const { error } = JSON.parse(night.answers(window).at(-1)?.text ?? "") as { error: { message: string; type: string } };
    expect(error).toMatchObject({ message: expect.stringContaining("US$ 0.40 of the US$ 0.50"), type: expect.stringMatching(/_error$/) });
  }
  const calls = await readCalls(night);
  expect(readInvoice(night.invoicePath).map(billed)).toEqual(calls.map(booked));
  expect(calls.map(({ request: { format, stream } }) => `${format} ${stream}`)).toEqual(
    ["anthropic-messages false", "anthropic-messages true", "openai-chat false", "openai-chat true"].flatMap((one) => [one, one]),
  );
  expect(ended.report?.windows).toMatchObject(
    Array(4).fill({ exit: "capped", end: "good", costMicroUsd: 400_000, ledger: { calls: 2, heldMicroUsd: 0, unknown: 0 } }),
  );
  expect(refused(ended)).toEqual(Array(4).fill("window"));
});

test("an agent that asks on and on is ended after five refusals, and none of them left", async () => {
  const night = await makeSpendNight({ limits: half, windows: { 1: [{ max: ordinary, times: 100_000, heedless: true }] } });
  const ended = await night.play();
  expect(readInvoice(night.invoicePath)).toHaveLength(2);
  expect(refused(ended)).toEqual(Array(5).fill("window"));
  expect(ended.report?.windows).toMatchObject([{ exit: "capped", end: "good", costMicroUsd: 400_000 }]);
});

test("what an agent tries again is the same place and the next try, and what was refused by the provider cost nothing", async () => {
  const night = await makeSpendNight({
    windows: { 1: [{ max: 100, say: "again", times: 3, heedless: true }, { max: 100 }] },
    conversations: [
      { when: { prompt: "again" }, steps: [{ text: "At last.", usage: { output: 100 }, fault: { kind: "overloaded" }, times: 2 }] },
    ],
  });
  const { report } = await night.play();
  const calls = await readCalls(night);
  expect(calls.map(({ key, state, result, costMicroUsd }) => [key.seq, key.try, state, result?.failure, costMicroUsd])).toEqual([
    [1, 1, "failed", "overloaded", null],
    [1, 2, "failed", "overloaded", null],
    [1, 3, "done", null, 2000],
    [2, 1, "done", null, 2000],
  ]);
  expect(report?.windows).toMatchObject([{ ledger: { spentMicroUsd: 4000, heldMicroUsd: 0, calls: 4, unknown: 0 } }]);
});

test("a call that may cost more than a call may is refused, and a smaller one passes", async () => {
  const night = await makeSpendNight({ limits: { call: 0.1 }, windows: { 1: [{ max: ordinary, heedless: true }, { max: handoff }] } });
  const ended = await night.play();
  expect(statuses(night.answers(1))).toEqual([
    [400, "false"],
    [200, null],
  ]);
  expect([refused(ended), (await readCalls(night)).length]).toEqual([["call"], 1]);
});

test("a cap of the task holds over all windows, and the run does not stop for it", async () => {
  const night = await makeSpendNight({
    limits: { task: 0.5, windows: 3, attemptsPerTask: 9 },
    windows: { 1: [{ max: ordinary, times: 2 }], 2: [{ max: ordinary }], 3: [{ max: handoff }] },
  });
  const ended = await night.play();
  expect([1, 2, 3].map((window) => night.answers(window).map(({ status }) => status))).toEqual([[200, 200], [400], [200]]);
  expect([refused(ended), ended.report?.stopReason]).toEqual([["task"], "windows"]);
});

test.each([
  ["day", "that heeds a refusal", 3, false],
  ["month", "that heeds none", 1000, true],
] as const)("a cap of the %s stops the run of an agent %s, and the next run opens no window", async (kind, _agent, times, heedless) => {
  const night = await makeSpendNight({ limits: { [kind]: 0.5, windows: 5 }, windows: { 1: [{ max: ordinary, times, heedless }] } });
  const ended = await night.play();
  expect([ended.code, ended.report?.stopReason, ended.report?.windows.map(({ exit }) => exit)]).toEqual([4, "money", ["capped"]]);
  expect(new Set(refused(ended))).toEqual(new Set([kind]));
  const again = await night.play();
  expect([again.code, again.report?.stopReason, again.report?.windows]).toEqual([4, "money", []]);
  expect(readInvoice(night.invoicePath)).toHaveLength(2);
});

test.each([
  ["the run", { run: 0.1 }],
  ["a window", { window: 0.1 }],
  ["a call", { call: 0.1 }],
])(
  "where the money of %s does not fund one call the run stops for money, after one window, and no task is the worse for it",
  async (_whose, limits) => {
    const night = await makeSpendNight({ limits: { ...limits, windows: 5, attemptsPerTask: 1 }, windows: { 1: [{ max: ordinary }] } });
    const { code, report } = await night.play();
    expect([code, report?.stopReason, report?.windows.map(({ exit }) => exit)]).toEqual([4, "money", ["capped"]]);
    expect(report?.stopDetail).toMatch(/the next call may cost up to US\$ 0\.20.*raise the cap \(limits\./);
    expect(report?.tasks.list.map(({ state, attempts }) => [state, attempts])).toEqual(report?.tasks.list.map(() => ["pending", 0]));
    expect(readInvoice(night.invoicePath)).toEqual([]);
  },
);

test("two windows under a run's cap: when the rest does not fund a call the run stops for money, not for lack of progress", async () => {
  const night = await makeSpendNight({
    limits: { run: 0.5, window: 0.4, windows: 9, attemptsPerTask: 9, idleWindows: 9 },
    windows: { 1: [{ max: ordinary }], 2: [{ max: ordinary, times: 2 }] },
  });
  const { code, report } = await night.play();
  expect([code, report?.stopReason]).toEqual([4, "money"]);
  expect(report?.windows.map(({ exit }) => exit).at(-1)).toBe("capped");
});

test("two runs at once in two trees share the day's cap to the last call", async () => {
  // In the checkout, which both see: each has a /tmp of its own.
  const meeting = mkdtempSync(join(import.meta.dirname, "../../build/meet-"));
  onTestFinished(() => rmSync(meeting, { recursive: true }));
  const racing = [{ meet: meeting }, { max: handoff, times: 100, lanes: 4 }];
  const scene = { limits: { day: 1 }, windows: { 1: racing } };
  const [one, two] = await Promise.all([makeSpendNight(scene), makeSpendNight(scene)]);
  await Promise.all([one.play(), two.play({ env: { XDG_STATE_HOME: one.env["XDG_STATE_HOME"] } })]);
  const bills = [one, two].map((night) => readInvoice(night.invoicePath).length);
  expect((bills[0] ?? 0) + (bills[1] ?? 0)).toBe(20);
  expect(Math.min(...bills)).toBeGreaterThan(0);
  const calls = await readCalls(one);
  const day = new Date(calls[0]?.sentAt ?? 0).toISOString().slice(0, 10);
  expect(await readSpend(one, { kind: "day", id: day })).toEqual({ spentMicroUsd: 1_000_000, heldMicroUsd: 0, calls: 20, unknown: 0 });
});

test("without the gateway an agent reaches its provider itself, and what its stream reports is booked as that", async () => {
  const told = [
    { message: "m1", input_tokens: 10, output_tokens: 20 },
    { message: "m2", input_tokens: 30, output_tokens: 40, cache_read_input_tokens: 5, subagent: true },
    // The same answer, told once more: one row.
    { message: "m2", input_tokens: 30, output_tokens: 41, cache_read_input_tokens: 5, subagent: true },
  ];
  const night = await makeSpendNight({
    gateway: { mode: "auto" },
    windows: { 1: [{ max: ordinary }, ...told.map((tells) => ({ tells }))] },
  });
  const { report } = await night.play();
  expect(JSON.parse(readFileSync(join(night.folder, "urls-1"), "utf8")).anthropic).toBe(night.providerUrl);
  const calls = await readCalls(night);
  expect(calls.map(({ source, subagent, result }) => [source, subagent, result?.messageId, result?.usage?.output])).toEqual([
    ["reported", false, "m1", 20],
    ["reported", true, "m2", 41],
  ]);
  expect(report?.windows).toMatchObject([{ ledger: null }]);
});

test("without the gateway, too, what an agent says that it cost counts for the day", async () => {
  const night = await makeSpendNight({
    ...{ gateway: { mode: "off" }, limits: { day: 0.5, reserve: 0.1, windows: 9, attemptsPerTask: 9 } },
    windows: { 1: [{ costs: 0.2 }], 2: [{ costs: 0.25 }], 3: [{ costs: 0.2 }] },
  });
  const { code, report } = await night.play();
  expect([code, report?.stopReason, report?.windows.map(({ costMicroUsd }) => costMicroUsd)]).toEqual([4, "money", [200_000, 250_000]]);
  expect((await readCalls(night)).map(({ source, costMicroUsd, result }) => [source, costMicroUsd, result?.usage])).toEqual([
    ["reported", 200_000, null],
    ["reported", 250_000, null],
  ]);
});
