/** How a call ends, what it costs and what it goes on holding: the table of docs/spec/ledger.md, over a file and in memory. */
import { describe, expect, test } from "vitest";
import type { CallFailure, CallResult } from "../../src/core/money/call.ts";
import { begin, bodies, closing, intent, newFolder, openFile, owner, run, scopes, sumOf, whole, window } from "./ledger-kit.ts";
import { closing as windowClosing } from "./store-samples.ts";

/** cost -> spent, held, unknown; the estimate is 200,000. */
const ends: readonly [
  what: string,
  end: CallResult["end"],
  failure: CallFailure | null,
  cost: number | null,
  spent: number,
  held: number,
  unknown: number,
][] = [
  ["a whole answer with its usage holds nothing", "done", null, 16_400, 16_400, 0, 0],
  ["a whole answer without usage holds its estimate", "done", "unreadable", null, 0, 200_000, 1],
  ["an answer cut by the provider holds what may be missing", "cut", "cut-by-provider", 50_000, 50_000, 150_000, 1],
  ["an answer cut by the agent holds what may be missing", "cut", "cut-by-client", 50_000, 50_000, 150_000, 1],
  ["an error in a stream holds what may be missing", "cut", "error-in-stream", 50_000, 50_000, 150_000, 1],
  ["a cut answer that told nothing holds its estimate", "cut", "cut-by-provider", null, 0, 200_000, 1],
  ["a cut answer dearer than its estimate holds nothing", "cut", "cut-by-provider", 300_000, 300_000, 0, 1],
  ["a provider that was not reached costs and holds nothing", "failed", "unreachable", null, 0, 0, 0],
  ["a lost connection holds the estimate", "unknown", "lost", null, 0, 200_000, 1],
  ["a limit costs and holds nothing", "failed", "limited", null, 0, 0, 0],
  ["an overloaded provider costs and holds nothing", "failed", "overloaded", null, 0, 0, 0],
  ["a refusal costs and holds nothing", "failed", "refused", null, 0, 0, 0],
  ["an error of the server holds nothing and stands among the unknown", "failed", "server-error", null, 0, 0, 1],
];

describe.each(bodies)("%s", (_name, make) => {
  test.each(ends)("%s", async (_what, end, failure, cost, spent, held, unknown) => {
    const { ledger } = await begin(make);
    expect(await ledger.open([intent("c1")])).toEqual([
      { kind: "opened", key: { key: `window:${window}`, seq: 1, try: 1 }, earlierUnknown: false },
    ]);
    for (const scope of scopes) expect(await sumOf(ledger, scope)).toEqual([0, 200_000, 1, 0]);
    const spend = { spentMicroUsd: spent, heldMicroUsd: held, calls: 1, unknown };
    const closed = await ledger.close([closing("c1", { end, failure }, { costMicroUsd: cost })]);
    expect(closed).toEqual([{ kind: "closed", spends: scopes.map((scope) => ({ scope, spend })) }]);
    expect(await ledger.calls({ run, limit: 9 })).toMatchObject([
      { state: end, costMicroUsd: cost, result: { end, failure }, late: false },
    ]);
  });

  test("a call is listed as it was asked for and as it ended", async () => {
    const { ledger } = await begin(make);
    const asked = intent("c1");
    await ledger.open([asked]);
    const { request, price, upperMicroUsd, sentAt } = asked;
    const row = {
      id: "c1",
      number: 1,
      source: "gateway",
      owner,
      key: { key: `window:${window}`, seq: 1, try: 1 },
      request,
      price,
      upperMicroUsd,
      sentAt,
    };
    const open = { ...row, state: "open", late: false, subagent: null, costMicroUsd: null, endedAt: null, result: null };
    expect(await ledger.calls({ limit: 9 })).toEqual([open]);
    await ledger.close([closing("c1")]);
    const { answer: _answer, ...result } = whole;
    expect(await ledger.calls({ limit: 9 })).toEqual([{ ...open, state: "done", costMicroUsd: 16_400, endedAt: 8000, result }]);
  });

  test("closing a call twice changes nothing, in one list or in two", async () => {
    const { ledger } = await begin(make);
    await ledger.open([intent("c1")]);
    const kinds = async (list: Parameters<typeof ledger.close>[0]) => (await ledger.close(list)).map(({ kind }) => kind);
    expect(await kinds([closing("c1"), closing("c1", {}, { costMicroUsd: 1_000_000 })])).toEqual(["closed", "was-closed"]);
    expect(await kinds([closing("c1", { end: "failed", failure: "limited" })])).toEqual(["was-closed"]);
    expect(await sumOf(ledger)).toEqual([16_400, 0, 1, 0]);
  });

  test("a call that is not there is said to be absent, and takes no other with it", async () => {
    const { ledger } = await begin(make);
    await ledger.open([intent("c1")]);
    expect(await ledger.close([closing("nobody"), closing("c1")])).toMatchObject([{ kind: "absent", spends: [] }, { kind: "closed" }]);
  });

  test("a call whose window is over is refused, and one that was open is booked as late", async () => {
    const { store, ledger } = await begin(make);
    await ledger.open([intent("c1")]);
    await store.endWindow(windowClosing(), 4000);
    expect(await ledger.open([intent("c2")])).toEqual([{ kind: "gone" }]);
    expect(await ledger.close([closing("c1")])).toMatchObject([{ kind: "late" }]);
    expect(await ledger.calls({ limit: 9 })).toMatchObject([{ id: "c1", state: "done", late: true }]);
    expect(await sumOf(ledger)).toEqual([16_400, 0, 1, 0]);
  });

  test("a call of another run's window, or of no window, is refused", async () => {
    const { ledger } = await begin(make);
    const other = { ...owner, run: "run-2" } as typeof owner;
    const nowhere = { ...owner, window: "window-9" } as typeof owner;
    expect(await ledger.open([intent("c1", { owner: other }), intent("c2", { owner: nowhere })])).toEqual([
      { kind: "gone" },
      { kind: "gone" },
    ]);
    expect(await ledger.calls({ limit: 9 })).toEqual([]);
  });

  test("open calls of a dead process are given up as unknown, once, and an answer that comes after all is booked", async () => {
    const { ledger } = await begin(make);
    await ledger.open([intent("c1"), intent("c2"), intent("c3")]);
    await ledger.close([closing("c3")]);
    expect(await ledger.giveUp({ run }, 5000)).toBe(2);
    expect(await ledger.giveUp({ run }, 5001)).toBe(0);
    expect(await sumOf(ledger)).toEqual([16_400, 400_000, 3, 2]);
    expect(await ledger.calls({ states: ["unknown"], limit: 9 })).toMatchObject([
      { id: "c1", endedAt: 5000, result: { end: "unknown", failure: "died", usage: null } },
      { id: "c2" },
    ]);
    const lost = { end: "unknown", failure: "lost" } as const;
    expect((await ledger.close([closing("c1", lost), closing("c1"), closing("c1")])).map(({ kind }) => kind)).toEqual([
      "was-closed",
      "late",
      "was-closed",
    ]);
    expect(await sumOf(ledger)).toEqual([32_800, 200_000, 3, 1]);
  });

  test("sums saturate, and no number is too large or too odd to be booked", async () => {
    const { ledger } = await begin(make);
    const huge = intent("c1", { upperMicroUsd: Number.POSITIVE_INFINITY });
    await ledger.open([
      huge,
      intent("c2", { upperMicroUsd: 1e300 }),
      intent("c3", { upperMicroUsd: Number.NaN }),
      intent("c4", { upperMicroUsd: 0.4 }),
    ]);
    expect(await sumOf(ledger)).toEqual([0, Number.MAX_SAFE_INTEGER, 4, 0]);
    const costs = [1e300, Number.MAX_SAFE_INTEGER, Number.NaN, -5];
    const usage = { ...whole.usage, input: 1e21, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0, searches: 0 };
    await ledger.close(costs.map((costMicroUsd, at) => closing(`c${at + 1}`, { usage }, { costMicroUsd })));
    expect((await ledger.calls({ limit: 9 })).map(({ costMicroUsd }) => costMicroUsd)).toEqual([
      Number.MAX_SAFE_INTEGER,
      Number.MAX_SAFE_INTEGER,
      null,
      0,
    ]);
    expect((await sumOf(ledger))[0]).toBe(Number.MAX_SAFE_INTEGER);
    expect((await ledger.calls({ limit: 1 }))[0]?.result?.usage).toEqual(usage);
  });
});

test("another process's writes are seen: a window that it ended, a call that it gave up, what it spent", async () => {
  const folder = newFolder();
  const { ledger } = await begin(() => openFile(folder));
  const other = await openFile(folder);
  await ledger.open([intent("c1")]);
  await other.ledger.open([intent("c2")]);
  const cap = { kind: "run", id: run, microUsd: 500_000 } as const;
  expect(await ledger.open([intent("c3", { caps: [cap] })])).toMatchObject([{ kind: "capped", spend: { heldMicroUsd: 400_000 } }]);
  expect(await other.ledger.giveUp({ run }, 5000)).toBe(2);
  expect(await ledger.close([closing("c1"), closing("c2")])).toMatchObject([{ kind: "late" }, { kind: "late" }]);
  await other.endWindow(windowClosing(), 6000);
  expect(await ledger.open([intent("c4")])).toEqual([{ kind: "gone" }]);
  expect(await sumOf(other.ledger)).toEqual([32_800, 0, 2, 0]);
});
