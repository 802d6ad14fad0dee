/** The ledger beside a per-call log: what is agreement, what is an explanation, and what is a difference. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BookedCall } from "../../src/core/money/reconcile/booked.ts";
import type { Charge } from "../../src/core/money/reconcile/charge.ts";
import { comparePerCall, type PerCallResult, type Range } from "../../src/core/money/reconcile/per-call.ts";
import { at, booked, charge, unknown } from "./reconcile-kit.ts";

const always: Range = { from: null, to: null };

function compare(calls: readonly BookedCall[], charges: readonly Charge[], range: Range = always): PerCallResult {
  const comparison = comparePerCall(calls, range);
  for (const one of charges) comparison.add(one);
  return comparison.finish();
}

/** Which row or line, and what about it. */
function told({ differences, explanations }: PerCallResult): readonly string[] {
  const ofDifference = differences.map(
    (one) => `${one.kind} ${one.kind === "charged-not-booked" ? `line ${one.charge.line}` : one.call.id}`,
  );
  return [...ofDifference, ...explanations.map((one) => `${one.kind} ${one.call.id}${one.kind === "was-charged" ? ` by ${one.by}` : ""}`)];
}

const refused = (number: number) => booked(number, { state: "failed", failure: "limited", costMicroUsd: null, tokens: null });
const cut = (number: number, known = 400) =>
  booked(number, { state: "cut", failure: "cut-by-client", costMicroUsd: known, tokens: { input: 100, output: 3 } });
const failed = (number: number) => unknown(number, { state: "failed", failure: "server-error" });

describe("agrees", () => {
  test.each<readonly [title: string, calls: readonly BookedCall[], charges: readonly Charge[], told: readonly string[]]>([
    ["nothing beside nothing", [], [], []],
    ["each call has its charge", [booked(1), booked(2)], [charge(1), charge(2)], []],
    ["the log is in another order", [booked(1), booked(2)], [charge(2), charge(1)], []],
    ["the log knows the answer's name only", [booked(1)], [charge(1, { ids: ["msg-1"], bodyHash: null })], []],
    ["the log knows our own name only", [booked(1)], [charge(1, { ids: ["call-1"], bodyHash: null })], []],
    ["a refused call without a charge", [refused(1)], [], []],
    ["two programs round one micro-dollar apart", [booked(1)], [charge(1, { microUsd: 1_001 })], []],
    ["the log tells tokens and no amount", [booked(1)], [charge(1, { microUsd: null })], []],
    ["we had no price, and the tokens are the same", [booked(1, { costMicroUsd: null })], [charge(1)], []],
    ["an unknown call that was charged, found by its label", [unknown(1)], [charge(1, { ids: ["call-1"] })], ["was-charged call-1 by id"]],
    ["an unknown call that was charged, found by its body", [unknown(1)], [charge(1)], ["was-charged call-1 by body"]],
    ["an unknown call that was charged, found by its time", [unknown(1)], [charge(1, { bodyHash: null })], ["was-charged call-1 by time"]],
    ["an unknown call without a charge never got there", [unknown(1)], [], ["never-charged call-1"]],
    [
      "an open call is unknown too",
      [unknown(1, { state: "open", failure: null, endedAt: null })],
      [charge(1)],
      ["was-charged call-1 by body"],
    ],
    ["a cut call cost more than was seen of it", [cut(1)], [charge(1)], ["was-charged call-1 by id"]],
    ["a cut answer that told nothing, without a charge", [cut(1, 0)], [], ["never-charged call-1"]],
    ["an error of the provider that was charged", [failed(1)], [charge(1)], ["was-charged call-1 by body"]],
    ["an error of the provider that was not", [failed(1)], [], ["never-charged call-1"]],
    [
      "of two equal requests the one that is known takes the charge",
      [unknown(1, { bodyHash: "same" }), booked(2, { bodyHash: "same", ids: ["call-2"] })],
      [charge(1, { ids: [], bodyHash: "same" })],
      ["never-charged call-1"],
    ],
    [
      "of two charges of one body the unknown one gets what is left",
      [unknown(1, { bodyHash: "same" }), booked(2, { bodyHash: "same" })],
      [charge(1, { bodyHash: "same" }), charge(2, { bodyHash: "same" })],
      ["was-charged call-1 by body"],
    ],
    [
      "a provider that names two calls the same is no trouble",
      [booked(1, { ids: ["call-1", "req"] }), booked(2, { ids: ["call-2", "req"] })],
      [charge(1, { ids: ["req"] }), charge(2, { ids: ["req"] })],
      [],
    ],
    [
      "nor one that names a refusal like the answer that came after it",
      [
        booked(1, { state: "failed", failure: "overloaded", costMicroUsd: null, ids: ["call-1", "req"] }),
        booked(2, { ids: ["call-2", "req"] }),
      ],
      [charge(2, { ids: ["req"] })],
      [],
    ],
  ])("when %s", (_title, calls, charges, expected) => {
    const result = compare(calls, charges);
    expect(told(result)).toEqual(expected);
    expect(result).toMatchObject({ agrees: true, calls: calls.length, charges: charges.length });
  });
});

describe("does not agree", () => {
  test.each<readonly [title: string, calls: readonly BookedCall[], charges: readonly Charge[], told: readonly string[]]>([
    ["a charge that nobody booked", [], [charge(1)], ["charged-not-booked line 1"]],
    ["one that tells no time", [], [charge(1, { at: null })], ["charged-not-booked line 1"]],
    ["a call without a charge", [booked(1)], [], ["only-in-ledger call-1"]],
    ["a cut answer that began, without a charge", [cut(1)], [], ["only-in-ledger call-1"]],
    ["the same request charged twice", [booked(1)], [charge(1), charge(1, { line: 2 })], ["charged-twice call-1"]],
    [
      "an unknown call charged twice",
      [unknown(1)],
      [charge(1, { ids: ["call-1"] }), charge(2, { ids: ["call-1"] })],
      ["charged-twice call-1", "was-charged call-1 by id"],
    ],
    [
      "a second charge of a body that was sent once",
      [unknown(1)],
      [charge(1), charge(2, { bodyHash: "body-1" })],
      ["charged-not-booked line 2", "was-charged call-1 by body"],
    ],
    ["another amount", [booked(1)], [charge(1, { microUsd: 1_002 })], ["amount-differs call-1"]],
    ["other tokens", [booked(1)], [charge(1, { tokens: { input: 100, output: 21 } })], ["tokens-differ call-1"]],
    ["a call that was refused and charged", [refused(1)], [charge(1)], ["charged-though-refused call-1"]],
    [
      "an unknown call that cost more than was held for it",
      [unknown(1)],
      [charge(1, { microUsd: 5_002 })],
      ["outside-estimate call-1", "was-charged call-1 by body"],
    ],
    [
      "a cut call that cost less than was seen of it",
      [cut(1)],
      [charge(1, { microUsd: 300 })],
      ["outside-estimate call-1", "was-charged call-1 by id"],
    ],
    [
      "an unknown call of another time",
      [unknown(1)],
      [charge(1, { bodyHash: null, at: at(9_000) })],
      ["charged-not-booked line 1", "never-charged call-1"],
    ],
    [
      "an unknown call of another model",
      [unknown(1)],
      [charge(1, { bodyHash: null, model: "gpt-5.2" })],
      ["charged-not-booked line 1", "never-charged call-1"],
    ],
    [
      "a charge whose body is another's",
      [unknown(1)],
      [charge(1, { bodyHash: "other" })],
      ["charged-not-booked line 1", "never-charged call-1"],
    ],
  ])("%s", (_title, calls, charges, expected) => {
    const result = compare(calls, charges);
    expect(told(result)).toEqual(expected);
    expect(result.agrees).toBe(false);
  });
});

test.each<readonly [title: string, charges: readonly Charge[], microUsd: number | null]>([
  ["nothing was charged", [], 0],
  ["the log tells amounts of some", [charge(1), charge(2, { microUsd: null })], 1_000],
  ["the log tells no amounts", [charge(1, { microUsd: null })], null],
])("the witness's sum when %s", (_title, charges, microUsd) => {
  expect(compare([booked(1), booked(2)], charges).chargedMicroUsd).toBe(microUsd);
});

describe("mixed runs", () => {
  const other = booked(7, { isAsked: false });

  test("charges of another run are set aside and told", () => {
    expect(compare([booked(1), other], [charge(1), charge(7)])).toMatchObject({
      agrees: true,
      charges: 1,
      ledgerMicroUsd: 1_000,
      aside: { charges: 1, microUsd: 1_000 },
    });
  });

  test("another run's missing charge is not this one's difference", () => {
    expect(compare([booked(1), other], [charge(1)]).agrees).toBe(true);
  });

  test.each([
    ["within the time that was asked for is a difference", 50, 1],
    ["before it is set aside", -1, 0],
    ["at its end is set aside", 100, 0],
  ])("a charge that nobody booked %s", (_title, second, differences) => {
    const result = compare([booked(1)], [charge(1), charge(9, { ids: ["stranger"], bodyHash: "stranger", at: at(second) })], {
      from: at(0),
      to: at(100),
    });
    expect(result.differences).toHaveLength(differences);
    expect(result.aside.charges).toBe(1 - differences);
  });

  test("a clock that is hours off does not matter where names are known", () => {
    expect(compare([booked(1)], [charge(1, { at: at(-9_000) })], { from: at(0), to: at(100) })).toMatchObject({ agrees: true, charges: 1 });
  });
});

/** A provider that charges and a client that dies: the truth is known, and each of its parts must be told rightly. */
test("whatever was lost, doubled or cut, each unbooked charge and each missing one is told, and nothing else", () => {
  const fate = fc.constantFrom("paid", "refused", "died-charged", "died-free", "doubled", "unbooked", "uncharged");
  fc.assert(
    fc.property(fc.array(fate, { maxLength: 40 }), fc.boolean(), (fates, isReversed) => {
      const calls = fates.flatMap((one, number) => {
        if (one === "unbooked") return [];
        if (one === "refused") return [refused(number)];
        return [one === "died-charged" || one === "died-free" ? unknown(number) : booked(number)];
      });
      const charges = fates.flatMap((one, number) => {
        if (one === "refused" || one === "died-free" || one === "uncharged") return [];
        return one === "doubled" ? [charge(number), charge(number)] : [charge(number)];
      });
      const result = compare(calls, isReversed ? charges.toReversed() : charges);
      const count = (...kinds: readonly string[]) => fates.filter((one) => kinds.includes(one)).length;
      const kinds = (list: readonly { readonly kind: string }[], kind: string) => list.filter((one) => one.kind === kind).length;
      expect(kinds(result.differences, "charged-not-booked")).toBe(count("unbooked"));
      expect(kinds(result.differences, "only-in-ledger")).toBe(count("uncharged"));
      expect(kinds(result.differences, "charged-twice")).toBe(count("doubled"));
      expect(result.differences).toHaveLength(count("unbooked", "uncharged", "doubled"));
      expect(kinds(result.explanations, "was-charged")).toBe(count("died-charged"));
      expect(kinds(result.explanations, "never-charged")).toBe(count("died-free"));
    }),
  );
});
