/** Tokens to money, tiers, caps, replay and the upper estimate, each as a table; and that no call costs more than its estimate. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CallFailure, type CallState, mayHaveBeenCharged } from "../../src/core/money/call.ts";
import { type Cap, capInTheWay, noSpend, type Spend } from "../../src/core/money/cap.ts";
import { type LastInput, upperEstimate, upperTokens } from "../../src/core/money/estimate.ts";
import { completePrices, costMicroUsd, type ModelPrice, pricesFor, type UnitPrices } from "../../src/core/money/price.ts";
import { decideReplay, type EarlierCall, type ReplayDecision } from "../../src/core/money/replay.ts";
import { inputTokens, noUsage, type Usage } from "../../src/core/money/usage.ts";

type EstimatedRequest = Parameters<typeof upperEstimate>[0];

const prices = (change: Partial<UnitPrices> = {}): UnitPrices => ({
  input: 3_000_000,
  output: 15_000_000,
  cacheRead: 300_000,
  cacheWrite: 3_750_000,
  cacheWriteLong: 6_000_000,
  searches: 10_000_000,
  ...change,
});
const flat: ModelPrice = { table: "t", tiers: [{ above: -1, prices: prices() }] };
const tiered: ModelPrice = {
  table: "t",
  tiers: [...flat.tiers, { above: 200_000, prices: prices({ input: 6_000_000, output: 22_500_000 }) }],
};
const usage = (change: Partial<Usage>): Usage => ({ ...noUsage, ...change });

test("the size of a conversation counts what came out of a cache and went into it", () => {
  expect(inputTokens(usage({ input: 1, cacheRead: 20, cacheWrite: 300, cacheWriteLong: 4_000, output: 50_000 }))).toBe(4_321);
});

test.each<readonly [title: string, usage: Usage, microUsd: number]>([
  ["nothing costs nothing", noUsage, 0],
  ["a million tokens of input cost their price", usage({ input: 1_000_000 }), 3_000_000],
  [
    "each kind has its own price",
    usage({ input: 100, output: 100, cacheRead: 100, cacheWrite: 100, cacheWriteLong: 100 }),
    300 + 1500 + 30 + 375 + 600,
  ],
  ["a search costs a thousandth of a thousand", usage({ searches: 3 }), 30_000],
  ["a part of a micro-dollar is a whole one", usage({ cacheRead: 1 }), 1],
  ["parts are added before they are rounded", usage({ cacheRead: 10 }), 3],
])("%s", (_title, one, microUsd) => {
  expect(costMicroUsd(flat, one)).toBe(microUsd);
});

test.each([
  ["below", 199_999, 3_000_000],
  ["at", 200_000, 3_000_000],
  ["above", 200_001, 6_000_000],
])("%s a tier's line the price is that of the whole call", (_title, tokens, input) => {
  expect(pricesFor(tiered, tokens).input).toBe(input);
});

test("cached tokens put a call into the dearer tier", () => {
  expect(costMicroUsd(tiered, usage({ input: 1, cacheRead: 200_000 }))).toBe(6 + 60_000);
});

describe("caps", () => {
  const cap = (kind: Cap["kind"], microUsd: number): Cap => ({ kind, id: kind === "call" ? "" : "1", microUsd });
  const spend = (spentMicroUsd: number, heldMicroUsd: number): Spend => ({ ...noSpend, spentMicroUsd, heldMicroUsd });

  test.each<readonly [title: string, caps: readonly Cap[], upper: number, inTheWay: Cap["kind"] | null]>([
    ["no cap is in no way", [], 1_000, null],
    ["what fills a cap to the last micro-dollar fits", [cap("run", 100)], 40, null],
    ["one micro-dollar more does not", [cap("run", 100)], 41, "run"],
    ["a call's own cap knows no past", [cap("call", 50)], 50, null],
    ["nor lets more through", [cap("call", 50)], 51, "call"],
    ["the first in the way is named", [cap("day", 1_000), cap("window", 99), cap("run", 10)], 40, "window"],
  ])("%s", (_title, caps, upper, inTheWay) => {
    expect(capInTheWay(caps, () => spend(20, 40), upper)?.kind ?? null).toBe(inTheWay);
  });
});

describe("replay", () => {
  interface Try extends EarlierCall {
    readonly answer: string | null;
  }
  const earlier = (change: Partial<Try>): Try => ({ state: "done", hash: "a", try: 2, round: 0, answer: "kept", ...change });
  const served = (call: Try): ReplayDecision<Try, string> => ({ kind: "replay", call, answer: call.answer ?? "" });
  const newest = (change: Partial<Try>) => earlier({ try: 3, ...change });

  test.each<readonly [title: string, earlier: readonly Try[], divergence: "stop" | "pay", decision: ReplayDecision<Try, string>]>([
    ["a place that was never asked is paid", [], "stop", { kind: "call", try: 1 }],
    ["a whole answer is served again", [earlier({})], "stop", served(earlier({}))],
    ["one whose bytes are gone is paid again", [earlier({ answer: null })], "stop", { kind: "call", try: 3 }],
    ["a cut one is paid again", [earlier({ state: "cut" })], "stop", { kind: "call", try: 3 }],
    ["an unknown one is paid again", [earlier({ state: "unknown", answer: null })], "stop", { kind: "call", try: 3 }],
    ["a failed one is asked again", [earlier({ state: "failed", answer: null })], "stop", { kind: "call", try: 3 }],
    ["another request in its place stops before money is spent", [earlier({ hash: "b" })], "stop", { kind: "diverged", expected: "b" }],
    ["or is paid as a new try", [earlier({ hash: "b" })], "pay", { kind: "call", try: 3 }],
    [
      "a failed one with another request diverges too",
      [earlier({ hash: "b", state: "failed" })],
      "stop",
      { kind: "diverged", expected: "b" },
    ],
    [
      "an older answer is served where a later try failed",
      [newest({ state: "failed", answer: null }), earlier({})],
      "stop",
      served(earlier({})),
    ],
    ["of two answers the newer one", [newest({}), earlier({})], "stop", served(newest({}))],
    ["an older one where the newest has lost its bytes", [newest({ answer: null }), earlier({})], "stop", served(earlier({}))],
    ["an older one where the newest try asked for something else", [newest({ hash: "b" }), earlier({})], "stop", served(earlier({}))],
    ["none of another request", [newest({ answer: null }), earlier({ hash: "b" })], "stop", { kind: "call", try: 4 }],
  ])("%s", (_title, tries, onDivergence, decision) => {
    expect(decideReplay({ earlier: tries, hash: "a", round: 0, onDivergence, answerOf: ({ answer }: Try) => answer })).toEqual(decision);
  });

  const first = earlier({ try: 1 });
  const inNext = (change: Partial<Try>) => newest({ round: 1, ...change });
  test.each<readonly [title: string, earlier: readonly Try[], decision: ReplayDecision<Try, string>]>([
    ["a person's word makes it a call again, though it was paid", [first], { kind: "call", try: 2 }],
    ["what was paid since that word is served", [inNext({}), first], served(inNext({}))],
    [
      "a failed one since that word is asked again, and the older answer is not served",
      [inNext({ state: "failed" }), first],
      { kind: "call", try: 4 },
    ],
    [
      "a late answer of the round before is not served",
      [inNext({ state: "unknown" }), earlier({ state: "done" })],
      { kind: "call", try: 4 },
    ],
    ["another request than the one of the round before is no other program", [earlier({ hash: "b" })], { kind: "call", try: 3 }],
    ["another one than this round's is", [inNext({ hash: "b" }), first], { kind: "diverged", expected: "b" }],
  ])("in the next round: %s", (_title, tries, decision) => {
    const question = { earlier: tries, hash: "a", round: 1, onDivergence: "stop" } as const;
    expect(decideReplay({ ...question, answerOf: ({ answer }: Try) => answer })).toEqual(decision);
  });
});

test.each<readonly [state: CallState, failure: CallFailure | null, may: boolean]>([
  ["open", null, true],
  ["done", null, false],
  ["done", "unreadable", true],
  ["cut", "cut-by-client", true],
  ["cut", "error-in-stream", true],
  ["unknown", "lost", true],
  ["unknown", "died", true],
  ["failed", "server-error", true],
  ["failed", "refused", false],
  ["failed", "limited", false],
  ["failed", "overloaded", false],
  ["failed", "unreachable", false],
])("a call that is %s (%s) may have been charged more than we know: %s", (state, failure, may) => {
  expect(mayHaveBeenCharged(state, failure)).toBe(may);
});

describe("the upper estimate", () => {
  const request: EstimatedRequest = { bodyBytes: 2_000, maxOutputTokens: 1_000, answers: 1, writesCache: false };

  test.each<readonly [title: string, change: Partial<EstimatedRequest>, last: LastInput | null, price: ModelPrice, microUsd: number]>([
    ["half the bytes are input, and the answer is as long as it may be", {}, null, flat, 3_000 + 15_000],
    ["an odd byte is a token", { bodyBytes: 2_001 }, null, flat, 3_003 + 15_000],
    ["a request that writes the cache is held at the dearest write", { writesCache: true }, null, flat, 6_000 + 15_000],
    ["three answers are three times as long", { answers: 3 }, null, flat, 3_000 + 45_000],
    ["without a maximum it is 32,000 tokens", { maxOutputTokens: null }, null, flat, 3_000 + 480_000],
    ["a conversation is never smaller than it was", {}, { tokens: 5_000, bodyBytes: 2_000 }, flat, 15_000 + 15_000],
    ["nor, once it shrank, held below what it was", {}, { tokens: 500, bodyBytes: 9_000 }, flat, 1_500 + 15_000],
    ["of a known conversation only what has come to it is guessed", {}, { tokens: 400, bodyBytes: 1_800 }, flat, 1_500 + 15_000],
    ["and the whole is never guessed larger than without that", {}, { tokens: 950, bodyBytes: 1_000 }, flat, 3_000 + 15_000],
    ["a large one is held at the dearer tier", { bodyBytes: 400_002 }, null, tiered, 200_001 * 6 + 22_500],
    ["one that cannot reach it is not", { bodyBytes: 400_000 }, null, tiered, 200_000 * 3 + 15_000],
    [
      "a model that is free holds nothing",
      {},
      null,
      { table: "t", tiers: [{ above: -1, prices: completePrices({ input: 0, output: 0 }) }] },
      0,
    ],
  ])("%s", (_title, change, last, price, microUsd) => {
    expect(upperEstimate({ ...request, ...change }, price, last)).toBe(microUsd);
  });

  const micro = fc.nat(60_000_000);
  const unit = fc.record({
    input: micro,
    output: micro,
    cacheRead: micro,
    cacheWrite: micro,
    cacheWriteLong: micro,
    searches: fc.constant(0),
  });
  const anyPrice = fc
    .tuple(unit, fc.array(fc.record({ above: fc.nat(300_000), prices: unit }), { maxLength: 3 }))
    .map(([first, more]): ModelPrice => ({ table: "t", tiers: [{ above: -1, prices: first }, ...more.sort((a, b) => a.above - b.above)] }));
  const anyRequest = fc.record({
    bodyBytes: fc.nat(2_000_000),
    maxOutputTokens: fc.option(fc.nat(100_000)),
    answers: fc.integer({ min: 1, max: 4 }),
    writesCache: fc.boolean(),
  });
  const share = fc.double({ min: 0, max: 1, noNaN: true });

  test("no usage within the request's bounds costs more", () => {
    fc.assert(
      fc.property(
        anyRequest,
        anyPrice,
        fc.option(fc.record({ tokens: fc.nat(2_000_000), bodyBytes: fc.nat(2_000_000) })),
        fc.tuple(share, share, share, share, share),
        (one, price, last, shares) => {
          const bounds = upperTokens(one, last);
          const [input, read, write, long, output] = shares;
          const total = input + read + write + long || 1;
          const part = (of: number) => Math.floor((bounds.input * of) / Math.max(1, total));
          const used = usage({
            input: part(input),
            cacheRead: part(read),
            cacheWrite: one.writesCache ? part(write) : 0,
            cacheWriteLong: one.writesCache ? part(long) : 0,
            output: Math.floor(bounds.output * output),
          });
          expect(costMicroUsd(price, used)).toBeLessThanOrEqual(upperEstimate(one, price, last));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
