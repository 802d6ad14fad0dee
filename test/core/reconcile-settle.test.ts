/** What a per-call log says beyond agreement: what was bought again, what its charges come to, and which unknown calls it settles. */
import { describe, expect, test } from "vitest";
import type { BookedCall } from "../../src/core/money/reconcile/booked.ts";
import type { Charge } from "../../src/core/money/reconcile/charge.ts";
import { comparePerCall, type PerCallResult } from "../../src/core/money/reconcile/per-call.ts";
import { settlementsOf } from "../../src/core/money/reconcile/settlement.ts";
import { at, booked, charge, unknown } from "./reconcile-kit.ts";

function compare(calls: readonly BookedCall[], charges: readonly Charge[]): PerCallResult {
  const comparison = comparePerCall(calls, { from: null, to: null });
  for (const one of charges) comparison.add(one);
  return comparison.finish();
}

const price = {
  table: "a table",
  tiers: [{ above: -1, prices: { input: 10_000_000, output: 50_000_000, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0, searches: 0 } }],
};
const settled = { state: "failed", failure: "died" } as const;
const same = { place: "b:1:v#1", bodyHash: "same" };

describe("bought again", () => {
  test.each<readonly [title: string, calls: readonly BookedCall[], charges: readonly Charge[], ids: readonly string[]]>([
    ["nothing of an undisturbed night", [booked(1), booked(2)], [charge(1), charge(2)], []],
    ["nothing where the lost try was not charged", [unknown(1, same), booked(2, same)], [charge(2)], []],
    ["nothing where the lost try was not made again", [unknown(1), booked(2)], [charge(1), charge(2)], []],
    [
      "the lost try, when a later one was charged too",
      [unknown(1, same), booked(2, same)],
      [charge(1, { bodyHash: "same" }), charge(2)],
      ["call-1"],
    ],
    [
      "each of two lost tries before the one that came",
      [unknown(1, same), unknown(2, same), booked(3, same)],
      [charge(1, { bodyHash: "same" }), charge(2, { bodyHash: "same" }), charge(3)],
      ["call-1", "call-2"],
    ],
    [
      "all but the last, when no answer came at all",
      [unknown(1, same), unknown(2, same)],
      [charge(1, { bodyHash: "same" }), charge(2, { bodyHash: "same" })],
      ["call-1"],
    ],
    ["also one that was settled since", [booked(1, { ...same, ...settled }), booked(2, same)], [charge(1), charge(2)], ["call-1"]],
  ])("is %s", (_title, calls, charges, ids) => {
    const result = compare(calls, charges);
    expect(result.boughtAgain.map(({ call }) => call.id)).toEqual(ids);
    expect(result.agrees).toBe(true);
  });

  test.each<readonly [title: string, change: Partial<Charge>, calls: Partial<BookedCall>, bounds: readonly [number, number | null]]>([
    ["the witness's amount", { microUsd: 1_200 }, {}, [1_200, 1_200]],
    ["its tokens at the row's prices", { microUsd: null }, { price }, [2_000, 2_000]],
    ["nothing to the estimate, without either", { microUsd: null, tokens: null }, {}, [0, 5_000]],
    ["no bound, without a price", { microUsd: null }, { upperMicroUsd: null }, [0, null]],
  ])("costs %s", (_title, change, call, [atLeastMicroUsd, atMostMicroUsd]) => {
    const result = compare([unknown(1, { ...same, ...call }), booked(2, same)], [charge(1, { bodyHash: "same", ...change }), charge(2)]);
    expect(result.boughtAgain).toMatchObject([{ atLeastMicroUsd, atMostMicroUsd }]);
  });
});

test("charges without an amount are counted, and priced by their tokens where a price is known", () => {
  const charges = [charge(1), charge(2, { microUsd: null }), charge(3, { microUsd: null })];
  expect(compare([booked(1), booked(2, { price }), booked(3)], charges)).toMatchObject({
    chargedMicroUsd: 1_000,
    untold: { charges: 2, byTokens: 1, byTokensMicroUsd: 2_000 },
  });
});

test("charges of others without an amount are no amount of nothing", () => {
  expect(compare([booked(1, { isAsked: false })], [charge(1, { microUsd: null })]).aside).toEqual({ charges: 1, microUsd: null });
});

describe("settling", () => {
  const around = [booked(1), booked(9)];
  const charges = [charge(1), charge(9)];
  const lost = unknown(2);
  const told = (calls: readonly BookedCall[], more: readonly Charge[], isWhole = true) => {
    const { settled: closed, left } = settlementsOf(compare(calls, [...charges, ...more]), isWhole);
    return [
      ...closed.map((one) => `${one.kind} ${one.call.id}${one.kind === "charged" ? ` ${one.amount.microUsd}` : ""}`),
      ...left.map(({ call, reason }) => `${reason} ${call.id}`),
    ];
  };

  test.each<readonly [title: string, call: BookedCall, more: readonly Charge[], told: string]>([
    ["charged, at the witness's amount", lost, [charge(2, { microUsd: 1_300 })], "charged call-2 1300"],
    ["charged, by its tokens", unknown(2, { price }), [charge(2, { microUsd: null })], "charged call-2 2000"],
    ["left, when nothing tells what it cost", lost, [charge(2, { microUsd: null })], "no-amount call-2"],
    ["not charged, when the witness was looking before and after", lost, [], "not-charged call-2"],
    [
      "left, when a charge of that time is nobody's",
      lost,
      [charge(7, { ids: [], bodyHash: null, at: at(25), model: "other" })],
      "stranger call-2",
    ],
    ["not charged, when a stranger's body is another", lost, [charge(7, { ids: [], bodyHash: "other", at: at(25) })], "not-charged call-2"],
    ["left, when the witness shows nothing of after it", unknown(8), [], "outside call-8"],
    ["left, when the witness shows nothing of before it", unknown(0, { sentAt: at(5) }), [], "outside call-0"],
    ["left, when the witness is of another provider", unknown(2, { provider: "openai" }), [], "outside call-2"],
    ["left, when it cost more than was held for it", lost, [charge(2, { microUsd: 9_000 })], "differs call-2"],
    ["left, when its row is closed", unknown(2, { state: "cut", failure: "cut-by-client" }), [charge(2)], "closed call-2"],
    ["left, when it is under way", unknown(2, { state: "open", failure: null, endedAt: null }), [], "under-way call-2"],
  ])("an unknown call is %s", (_title, call, more, expected) => {
    expect(told([...around, call], more)).toEqual([expected]);
  });

  test("what is missing of the witness may be its charge", () => {
    expect(told([...around, lost], [], false)).toEqual(["not-whole call-2"]);
    expect(told([...around, lost], [charge(2)], false)).toEqual(["charged call-2 1000"]);
  });

  test("what was settled agrees with the same witness, and differs from one that charges what was not", () => {
    const paid = booked(2, { ...settled, ids: ["call-2", "req-2"] });
    expect(compare([...around, paid], [...charges, charge(2)])).toMatchObject({ agrees: true, explanations: [] });
    const free = booked(2, { ...settled, costMicroUsd: null, tokens: null, ids: ["call-2"] });
    expect(compare([...around, free], charges)).toMatchObject({ agrees: true, explanations: [] });
    expect(compare([...around, free], [...charges, charge(2)]).differences).toMatchObject([{ kind: "charged-though-refused" }]);
  });
});
