/**
 * The ledger beside a per-call log. It agrees when every charge belongs to a row that knows its amount, or that says of itself that it does not; and when every row
 * that says it was charged has its charge. Each difference is listed, each explanation of an unknown row too.
 */
import { type Untold, untoldOf } from "./amount.ts";
import type { BookedCall } from "./booked.ts";
import { type BoughtAgain, boughtAgain } from "./bought-again.ts";
import type { Charge } from "./charge.ts";
import { createJoiner, type JoinedBy, type JoinedRow, mustBeCharged } from "./joining.ts";
import { type Certainty, createCertainty } from "./not-charged.ts";

export type Difference =
  /** Nobody wrote it down. */
  | { readonly kind: "charged-not-booked"; readonly charge: Charge }
  /** The row says that the provider refused, or was never reached. */
  | { readonly kind: "charged-though-refused"; readonly call: BookedCall; readonly charge: Charge }
  | { readonly kind: "charged-twice"; readonly call: BookedCall; readonly charges: readonly Charge[] }
  | { readonly kind: "only-in-ledger"; readonly call: BookedCall }
  | { readonly kind: "amount-differs"; readonly call: BookedCall; readonly charge: Charge; readonly ours: number; readonly theirs: number }
  | { readonly kind: "tokens-differ"; readonly call: BookedCall; readonly charge: Charge }
  /** An unknown row that cost more than the most we held for it, or less than what we saw of it. */
  | {
      readonly kind: "outside-estimate";
      readonly call: BookedCall;
      readonly charge: Charge;
      readonly atLeast: number;
      readonly atMost: number | null;
    };

/** What the log tells of a row that did not know. */
export type Explanation =
  | { readonly kind: "was-charged"; readonly call: BookedCall; readonly charge: Charge; readonly by: JoinedBy }
  | { readonly kind: "never-charged"; readonly call: BookedCall; readonly certainty: Certainty };

export interface PerCallResult {
  readonly agrees: boolean;
  /** Asked for and compared. */
  readonly calls: number;
  readonly charges: number;
  readonly ledgerMicroUsd: number;
  /** Null = the log tells no amounts. */
  readonly chargedMicroUsd: number | null;
  /** Charges that are in the sum above with nothing. */
  readonly untold: Untold;
  readonly differences: readonly Difference[];
  readonly explanations: readonly Explanation[];
  /** Charged, lost, and bought once more. */
  readonly boughtAgain: readonly BoughtAgain[];
  /** Charges of other runs, and ones outside of the time that was asked for: not compared. */
  readonly aside: { readonly charges: number; readonly microUsd: number | null };
}

export interface PerCallComparison {
  add(charge: Charge): void;
  finish(): PerCallResult;
}

export interface Range {
  readonly from: number | null;
  readonly to: number | null;
}

/** @param range  charges that belong to no row are compared when they are in it, or tell no time */
export function comparePerCall(calls: readonly BookedCall[], range: Range): PerCallComparison {
  const joiner = createJoiner(calls);
  return {
    add: joiner.add,
    finish() {
      const { rows, strangers } = joiner.finish();
      const asked = rows.filter(({ row }) => row.isAsked);
      const unbooked = strangers.filter(({ at }) => isIn(range, at));
      const others = [
        ...rows.filter(({ row }) => !row.isAsked).flatMap(({ charges }) => charges),
        ...strangers.filter(({ at }) => !isIn(range, at)),
      ];
      const differences = [
        ...unbooked.map((charge): Difference => ({ kind: "charged-not-booked", charge })),
        ...asked.flatMap(differencesOf),
      ];
      const compared = [
        ...asked.flatMap(({ row, charges }) => charges.map((charge) => ({ charge, call: row }))),
        ...unbooked.map((charge) => ({ charge, call: null })),
      ];
      const certaintyOf = createCertainty(rows, strangers);
      return {
        agrees: differences.length === 0,
        calls: asked.length,
        charges: compared.length,
        ledgerMicroUsd: asked.reduce((sum, { row }) => sum + (row.costMicroUsd ?? 0), 0),
        chargedMicroUsd: sumOf(compared.map(({ charge }) => charge)),
        untold: untoldOf(compared),
        differences,
        explanations: asked.flatMap((row) => explanationsOf(row, certaintyOf)),
        boughtAgain: boughtAgain(asked),
        aside: { charges: others.length, microUsd: sumOf(others) },
      };
    },
  };
}

function isIn({ from, to }: Range, at: number | null): boolean {
  return at === null || ((from === null || at >= from) && (to === null || at < to));
}

function differencesOf({ row, standing, charges }: JoinedRow): readonly Difference[] {
  const [charge, ...more] = charges;
  if (charge === undefined) return mustBeCharged({ row, standing }) ? [{ kind: "only-in-ledger", call: row }] : [];
  const twice: readonly Difference[] = more.length > 0 ? [{ kind: "charged-twice", call: row, charges }] : [];
  if (standing === "free") return [{ kind: "charged-though-refused", call: row, charge }, ...twice];
  return [...twice, ...(standing === "paid" ? amountsOf(row, charge) : boundsOf(row, charge))];
}

/** One micro-dollar apart is how two programs round. */
function amountsOf(call: BookedCall, charge: Charge): readonly Difference[] {
  const { microUsd, tokens } = charge;
  const ours = call.costMicroUsd;
  if (tokens !== null && call.tokens !== null && (tokens.input !== call.tokens.input || tokens.output !== call.tokens.output))
    return [{ kind: "tokens-differ", call, charge }];
  if (microUsd === null || ours === null || Math.abs(microUsd - ours) <= 1) return [];
  return [{ kind: "amount-differs", call, charge, ours, theirs: microUsd }];
}

function boundsOf(call: BookedCall, charge: Charge): readonly Difference[] {
  const atLeast = call.costMicroUsd ?? 0;
  const atMost = call.upperMicroUsd;
  const { microUsd } = charge;
  if (microUsd === null || (microUsd >= atLeast - 1 && (atMost === null || microUsd <= Math.max(atMost, atLeast) + 1))) return [];
  return [{ kind: "outside-estimate", call, charge, atLeast, atMost }];
}

function explanationsOf(
  { row, standing, charges, joinedBy }: JoinedRow,
  certaintyOf: (call: BookedCall) => Certainty,
): readonly Explanation[] {
  const [charge] = charges;
  if (standing !== "unknown") return [];
  if (charge === undefined || joinedBy === null)
    return mustBeCharged({ row, standing }) ? [] : [{ kind: "never-charged", call: row, certainty: certaintyOf(row) }];
  return [{ kind: "was-charged", call: row, charge, by: joinedBy }];
}

/** Null = no amount of any is told. */
function sumOf(charges: readonly Charge[]): number | null {
  if (charges.length > 0 && charges.every(({ microUsd }) => microUsd === null)) return null;
  return charges.reduce((sum, { microUsd }) => sum + (microUsd ?? 0), 0);
}
