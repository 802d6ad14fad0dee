/** What an evaluation will cost, said before it is paid: so many jobs, each at what one cost the last time, or may cost at most. */

export type PricePerJob =
  /** What a job of this set cost the last time, rounded up. */
  | { readonly kind: "last-run"; readonly version: string; readonly microUsd: number }
  /** The most that the dearest of its requests may cost. */
  | { readonly kind: "estimate"; readonly microUsd: number }
  | { readonly kind: "job-cap"; readonly microUsd: number }
  /** What a program asks is not known before it has asked it. */
  | { readonly kind: "unknown" };

export interface EvaluationPrice {
  /** Still to be answered. */
  readonly jobs: number;
  readonly each: PricePerJob;
  /** Of all; what the cap leaves where one's price is not known. */
  readonly totalMicroUsd: number;
  /** What the cap leaves. */
  readonly leftMicroUsd: number;
}

export function priceOf(jobs: number, each: PricePerJob, leftMicroUsd: number): EvaluationPrice {
  const totalMicroUsd = jobs === 0 ? 0 : each.kind === "unknown" ? leftMicroUsd : jobs * each.microUsd;
  return { jobs, each, totalMicroUsd, leftMicroUsd };
}
