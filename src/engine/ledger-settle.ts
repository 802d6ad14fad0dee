/**
 * Closes unknown calls with what a per-call witness says of them, so that their estimates hold no caps any longer. What is closed says so for good: the row is `failed`, and
 * has the witness's amount, or none where nothing was charged.
 */
import { type Settlement, type Settlements, settlementsOf } from "../core/money/reconcile/settlement.ts";
import { noUsage } from "../core/money/usage.ts";
import type { CallClosing, Ledger } from "../ports/ledger.ts";
import type { Reconciliation } from "./ledger-reconcile.ts";

/** Null = sums explain no single call. */
export function settlementsIn(reconciliation: Reconciliation): Settlements | null {
  if (reconciliation.kind !== "calls") return null;
  return settlementsOf(reconciliation.result, reconciliation.log.unreadable === 0 && !reconciliation.log.hasMore);
}

/** @returns those that it closed; one whose answer came after all meanwhile is not among them */
export async function settle(ledger: Ledger, settlements: Settlements, now: number): Promise<readonly Settlement[]> {
  const closed = await ledger.close(settlements.settled.map((one) => closingOf(one, now)));
  return settlements.settled.filter((_, index) => closed[index]?.kind === "late" || closed[index]?.kind === "closed");
}

function closingOf(one: Settlement, now: number): CallClosing {
  const { call } = one;
  const charge = one.kind === "charged" ? one.charge : null;
  const tokens = charge?.tokens ?? null;
  return {
    id: call.id,
    costMicroUsd: one.kind === "charged" ? one.amount.microUsd : null,
    at: call.endedAt ?? now,
    result: {
      ...{ end: "failed", failure: "died", status: null, messageId: null, firstByteMs: null, durationMs: 0, answer: null },
      usage: tokens === null ? null : { ...noUsage, ...tokens },
      answeredModel: charge?.model ?? null,
      // The name by which the same charge is found again.
      providerRequestId: charge?.ids[0] ?? null,
    },
  };
}
