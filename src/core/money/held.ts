/** What a call goes on holding under the caps once it has ended, beyond what it was charged for certain: the table of ends in docs/spec/ledger.md. */
import type { CallFailure, CallState } from "./call.ts";
import { mayHaveBeenCharged } from "./call.ts";

export interface CallEnd {
  readonly state: CallState;
  readonly failure: CallFailure | null;
  /** Null = no price was known. */
  readonly upperMicroUsd: number | null;
  /** Null = not known. */
  readonly costMicroUsd: number | null;
}

export function heldMicroUsd({ state, failure, upperMicroUsd, costMicroUsd }: CallEnd): number {
  const upper = upperMicroUsd ?? 0;
  switch (state) {
    case "open":
      return upper;
    case "unknown":
    case "cut":
      return Math.max(0, upper - (costMicroUsd ?? 0));
    case "failed":
      return 0;
    case "done":
      return failure === "unreadable" || costMicroUsd === null ? upper : 0;
  }
}

/** An open call is held and not yet unknown: that it becomes when it is given up. */
export function countsAsUnknown(state: CallState, failure: CallFailure | null): boolean {
  return state !== "open" && mayHaveBeenCharged(state, failure);
}
