/**
 * What to do with a job's request that may have been paid before. Sequential: the n-th request must be the n-th recorded one, else the program is not
 * deterministic and its recorded answers may not be served. Parallel: the k-th request with the same body is the k-th recorded one with that body.
 */
import type { CallState } from "./call.ts";

/** The newest try at the place that was asked for. */
export interface EarlierCall {
  readonly id: number;
  readonly state: CallState;
  readonly hash: string;
  readonly try: number;
  readonly hasAnswer: boolean;
}

export type ReplayDecision =
  | { readonly kind: "call"; readonly try: number }
  | { readonly kind: "replay"; readonly id: number }
  /** Under `on_divergence: stop` nothing is spent; under `pay` the caller makes it a new try. */
  | { readonly kind: "diverged"; readonly expected: string };

/** @param matching  `parallel` looked the earlier call up by its body, so that it cannot differ */
export function decideReplay(earlier: EarlierCall | null, hash: string, onDivergence: "stop" | "pay"): ReplayDecision {
  if (earlier === null) return { kind: "call", try: 1 };
  if (earlier.hash !== hash)
    return onDivergence === "stop" ? { kind: "diverged", expected: earlier.hash } : { kind: "call", try: earlier.try + 1 };
  if (earlier.state === "done" && earlier.hasAnswer) return { kind: "replay", id: earlier.id };
  return { kind: "call", try: earlier.try + 1 };
}
