/** What a witness says: one charge of a per-call log, or the sums of a stretch of time. Read from outside, so every part may be missing. */

/** Clocks of two machines, and the time a charge takes to be written. */
export const chargeSkewMs = 5 * 60_000;

export interface Charge {
  /** Of the file, from 1; where it holds no lines, the line at which the record begins. */
  readonly line: number;
  /** By the witness's clock. */
  readonly at: number | null;
  /** All names that it has: the provider's of the request and of the answer, and ours where it came back as a label. */
  readonly ids: readonly string[];
  /** SHA-256 of the request's body. */
  readonly bodyHash: string | null;
  readonly model: string | null;
  readonly microUsd: number | null;
  readonly tokens: TokenSums | null;
}

/** `input` holds the cached ones too: witnesses do not agree on how they tell them apart. */
export interface TokenSums {
  readonly input: number;
  readonly output: number;
}

export interface Bucket {
  readonly from: number;
  readonly to: number;
  /** Null = it does not say. */
  readonly calls: number | null;
  readonly microUsd: number | null;
  readonly tokens: TokenSums | null;
}

/** `free`: it stands in the log and was not charged (an error, an answer out of the gateway's own cache). */
export type ReadCharge = { readonly kind: "charge"; readonly charge: Charge } | { readonly kind: "free" } | { readonly kind: "unreadable" };

export const callFormats = ["invoice", "litellm", "helicone"] as const;
export const bucketFormats = ["anthropic", "openai"] as const;
export type CallFormat = (typeof callFormats)[number];
export type BucketFormat = (typeof bucketFormats)[number];
export type LogFormat = CallFormat | BucketFormat;
