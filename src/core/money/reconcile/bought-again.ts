/**
 * Requests that the witness charged more than once because their answer was lost: the first try was charged, nothing of it came, and it was asked again. Each such charge
 * belongs to a row that says of itself that it may have been charged, so the books hold; that money was spent twice is said all the same.
 */
import { isSettled } from "../call.ts";
import { amountOf } from "./amount.ts";
import type { BookedCall } from "./booked.ts";
import type { Charge } from "./charge.ts";
import type { JoinedRow } from "./joining.ts";

export interface BoughtAgain {
  /** The try whose answer was lost. */
  readonly call: BookedCall;
  readonly charge: Charge;
  /** What the lost answer cost. */
  readonly atLeastMicroUsd: number;
  /** Null = without a bound, since the call has no price. */
  readonly atMostMicroUsd: number | null;
}

/** @param rows  in the order in which they were sent */
export function boughtAgain(rows: readonly JoinedRow[]): readonly BoughtAgain[] {
  const tries = new Map<string, JoinedRow[]>();
  for (const row of rows.filter(({ charges }) => charges.length > 0)) {
    const { place } = row.row;
    const others = tries.get(place);
    if (others === undefined) tries.set(place, [row]);
    else others.push(row);
  }
  return [...tries.values()].flatMap((charged) => lostOf(charged).flatMap(toBoughtAgain));
}

/** One of the charges is what the request is worth: that of the answer that came, else the last one. */
function lostOf(charged: readonly JoinedRow[]): readonly JoinedRow[] {
  const lost = charged.filter(({ row, standing }) => standing === "unknown" || isSettled(row));
  return lost.length < charged.length ? lost : lost.slice(0, -1);
}

function toBoughtAgain({ row, charges }: JoinedRow): readonly BoughtAgain[] {
  const [charge] = charges;
  if (charge === undefined) return [];
  const known = amountOf(charge, row)?.microUsd ?? null;
  const atLeast = known ?? row.costMicroUsd ?? 0;
  return [{ call: row, charge, atLeastMicroUsd: atLeast, atMostMicroUsd: known ?? row.upperMicroUsd }];
}
