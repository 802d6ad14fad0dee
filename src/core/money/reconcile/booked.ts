/** A row of the ledger as a comparison needs it. */
import { type CallFailure, type CallState, mayHaveBeenCharged } from "../call.ts";
import type { TokenSums } from "./charge.ts";

export interface BookedCall {
  readonly id: string;
  /** `window:…#3.1`, for people. */
  readonly label: string;
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
  readonly tokens: TokenSums | null;
  /** The most that the request may have used. */
  readonly upperTokens: TokenSums;
  readonly bodyHash: string;
  /** Ours, and the provider's of request and answer. */
  readonly ids: readonly string[];
}

/** `paid`: charged, and we know how much. `unknown`: perhaps charged, or charged more than we know. `free`: never charged. */
export type Standing = "paid" | "unknown" | "free";

export function standingOf({ state, failure }: Pick<BookedCall, "state" | "failure">): Standing {
  if (mayHaveBeenCharged(state, failure)) return "unknown";
  return state === "done" ? "paid" : "free";
}
