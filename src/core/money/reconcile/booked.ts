/** A row of the ledger as a comparison needs it. */
import { type CallFailure, type CallState, isSettled, mayHaveBeenCharged } from "../call.ts";
import type { ModelPrice } from "../price.ts";
import type { TokenSums } from "./charge.ts";

export interface BookedCall {
  readonly id: string;
  /** `w1 T-01 #3.1`, for people. */
  readonly label: string;
  /** The same for every try of one request. */
  readonly place: string;
  /** Name of the upstream. */
  readonly provider: string;
  /** Whether it was asked for. The others are only known so that their charges are not taken for ones that nobody booked. */
  readonly isAsked: boolean;
  readonly state: CallState;
  readonly failure: CallFailure | null;
  readonly sentAt: number;
  readonly endedAt: number | null;
  readonly model: string;
  /** What was charged for certain; null = not known. */
  readonly costMicroUsd: number | null;
  readonly upperMicroUsd: number | null;
  /** What it is priced by; null = none is known. */
  readonly price: ModelPrice | null;
  readonly tokens: TokenSums | null;
  /** The most that the request may have used. */
  readonly upperTokens: TokenSums;
  readonly bodyHash: string;
  /** Ours, and the provider's of request and answer. */
  readonly ids: readonly string[];
}

/** `paid`: charged, and we know how much. `unknown`: perhaps charged, or charged more than we know. `free`: never charged. */
export type Standing = "paid" | "unknown" | "free";

export function standingOf(call: Pick<BookedCall, "state" | "failure" | "costMicroUsd">): Standing {
  if (mayHaveBeenCharged(call.state, call.failure)) return "unknown";
  return call.state === "done" || (isSettled(call) && call.costMicroUsd !== null) ? "paid" : "free";
}
