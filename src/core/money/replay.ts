/**
 * What to do with a job's request that may have been paid before. Sequential: the n-th request must be the n-th recorded one, else the program is not
 * deterministic and its recorded answers may not be served. Parallel: the k-th request with the same body is the k-th recorded one with that body. What was paid in an
 * earlier round of the job is on record and no answer any more: a person had the model asked anew.
 */
import type { CallState } from "./call.ts";

/** A try at the place that was asked for. */
export interface EarlierCall {
  readonly state: CallState;
  readonly hash: string;
  readonly try: number;
  /** Of its job. */
  readonly round: number;
}

export type ReplayDecision<C, A> =
  | { readonly kind: "call"; readonly try: number }
  | { readonly kind: "replay"; readonly call: C; readonly answer: A }
  /** Under `on_divergence: stop` nothing is spent; under `pay` the caller makes it a new try. */
  | { readonly kind: "diverged"; readonly expected: string };

export interface ReplayQuestion<C, A> {
  /** The newest first, those of earlier rounds included. */
  readonly earlier: readonly C[];
  readonly hash: string;
  /** In which it is asked now. */
  readonly round: number;
  readonly onDivergence: "stop" | "pay";
  /** The recorded answer; null = none was kept. Asked only of calls that may be served again. */
  readonly answerOf: (call: C) => A | null;
}

/**
 * Any recorded answer to this very request counts, not only that of the newest try: an answer may have come after its call was given up, and a later try may have
 * failed.
 */
export function decideReplay<C extends EarlierCall, A>({
  earlier,
  hash,
  round,
  onDivergence,
  answerOf,
}: ReplayQuestion<C, A>): ReplayDecision<C, A> {
  const ofRound = earlier.filter((one) => one.round === round);
  for (const call of ofRound.filter((one) => one.hash === hash && one.state === "done")) {
    const answer = answerOf(call);
    if (answer !== null) return { kind: "replay", call, answer };
  }
  const [newest] = ofRound;
  if (newest !== undefined && newest.hash !== hash && onDivergence === "stop") return { kind: "diverged", expected: newest.hash };
  return { kind: "call", try: (earlier[0]?.try ?? 0) + 1 };
}
