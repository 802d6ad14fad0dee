/** Which unknown calls may be closed by what a per-call witness says of them, and why the others may not. */
import { amountOf, type ChargeAmount } from "./amount.ts";
import type { BookedCall } from "./booked.ts";
import type { Charge } from "./charge.ts";
import type { Explanation, PerCallResult } from "./per-call.ts";

export type Settlement =
  | { readonly kind: "charged"; readonly call: BookedCall; readonly charge: Charge; readonly amount: ChargeAmount }
  | { readonly kind: "not-charged"; readonly call: BookedCall };

export type LeftReason =
  /** Its row was closed with what is known of it, and is never changed again. */
  | "closed"
  | "under-way"
  /** Neither an amount nor tokens that can be priced. */
  | "no-amount"
  /** The witness says something of it that does not fit: to be looked at first. */
  | "differs"
  /** Records could not be read, or more of them follow: its charge may be among those. */
  | "not-whole"
  | "stranger"
  | "outside";

export interface Settlements {
  readonly settled: readonly Settlement[];
  readonly left: readonly { readonly call: BookedCall; readonly reason: LeftReason }[];
}

/** @param isWhole  each record of the witness was read, and no more follow */
export function settlementsOf({ explanations, differences }: PerCallResult, isWhole: boolean): Settlements {
  const differing = new Set(differences.flatMap((one) => ("call" in one ? [one.call.id] : [])));
  const read = explanations.map((one) => ({ call: one.call, verdict: verdictOf(one, { isWhole, differs: differing.has(one.call.id) }) }));
  return {
    settled: read.flatMap(({ verdict }) => (typeof verdict === "string" ? [] : [verdict])),
    left: read.flatMap(({ call, verdict }) => (typeof verdict === "string" ? [{ call, reason: verdict }] : [])),
  };
}

function verdictOf(
  one: Explanation,
  { isWhole, differs }: { readonly isWhole: boolean; readonly differs: boolean },
): Settlement | LeftReason {
  const { call } = one;
  if (call.state === "open") return "under-way";
  if (call.state !== "unknown") return "closed";
  if (differs) return "differs";
  if (one.kind === "was-charged") {
    const amount = amountOf(one.charge, call);
    return amount === null ? "no-amount" : { kind: "charged", call, charge: one.charge, amount };
  }
  if (!isWhole) return "not-whole";
  return one.certainty === "certain" ? { kind: "not-charged", call } : one.certainty;
}
