/**
 * The ledger beside sums per stretch of time. In each stretch, and over all of them, the witness's sum less ours lies between 0 and the most that the unknown rows may
 * have cost. A call that was under way at the edge of a stretch may stand on either side of it.
 */
import { type BookedCall, standingOf } from "./booked.ts";
import type { Bucket } from "./charge.ts";

export const measures = ["microUsd", "calls", "inputTokens", "outputTokens"] as const;
export type Measure = (typeof measures)[number];

export interface BucketLine {
  readonly from: number;
  readonly to: number;
  readonly measure: Measure;
  readonly theirs: number;
  /** What we know for certain. */
  readonly atLeast: number;
  /** With every unknown call at its most, and every call at an edge; null = without a bound, since a call has no price. */
  readonly atMost: number | null;
  readonly agrees: boolean;
}

export interface PerBucketResult {
  readonly agrees: boolean;
  readonly calls: number;
  readonly unknown: number;
  /** All stretches together, one line a measure. */
  readonly totals: readonly BucketLine[];
  readonly lines: readonly BucketLine[];
  /** Rows that were asked for and lie outside of what the export covers. */
  readonly uncovered: number;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** @param calls  all of the ledger, not one run's: the witness knows no runs */
export function comparePerBucket(calls: readonly BookedCall[], buckets: readonly Bucket[]): PerBucketResult {
  const told = measures.filter((measure) => buckets.some((bucket) => sumOf(bucket, measure) !== null));
  const compare = (spans: readonly (Span & { readonly buckets: readonly Bucket[] })[]) =>
    spans.flatMap((span) => told.map((measure) => line(calls, span, measure)));
  const lines = compare(sameSpans(buckets));
  const covered = coverage(buckets);
  const totals = compare(covered);
  const isCovered = (call: BookedCall) => covered.some((span) => overlaps(call, span));
  const inside = calls.filter(isCovered);
  const uncovered = calls.filter((call) => call.isAsked && !isCovered(call)).length;
  return {
    agrees: told.length > 0 && uncovered === 0 && [...lines, ...totals].every((one) => one.agrees),
    calls: inside.length,
    unknown: inside.filter((call) => standingOf(call) === "unknown").length,
    totals,
    lines,
    uncovered,
  };
}

function line(
  calls: readonly BookedCall[],
  { from, to, buckets }: Span & { readonly buckets: readonly Bucket[] },
  measure: Measure,
): BucketLine {
  const here = calls.filter((call) => overlaps(call, { from, to }));
  const bounds = here.map((call) => boundsOf(call, measure));
  const atLeast = here.reduce((sum, call, at) => sum + (isInside(call, { from, to }) ? (bounds[at]?.atLeast ?? 0) : 0), 0);
  const atMost = bounds.reduce<number | null>((sum, one) => (sum === null || one.atMost === null ? null : sum + one.atMost), 0);
  const theirs = buckets.reduce((sum, bucket) => sum + (sumOf(bucket, measure) ?? 0), 0);
  // Each of our amounts is rounded up.
  const rounding = measure === "microUsd" ? here.length : 0;
  const agrees = theirs >= atLeast - rounding && (atMost === null || theirs <= atMost + rounding);
  return { from, to, measure, theirs, atLeast, atMost, agrees };
}

interface Bounds {
  readonly atLeast: number;
  readonly atMost: number | null;
}

function boundsOf(call: BookedCall, measure: Measure): Bounds {
  const standing = standingOf(call);
  // Whether a refused request is counted, no provider says.
  if (measure === "calls") return { atLeast: standing === "paid" ? 1 : 0, atMost: 1 };
  if (standing === "free") return { atLeast: 0, atMost: 0 };
  const known = knownOf(call, measure);
  if (standing === "paid" && known !== null) return { atLeast: known, atMost: known };
  const upper = upperOf(call, measure);
  return { atLeast: known ?? 0, atMost: upper === null ? null : Math.max(upper, known ?? 0) };
}

function knownOf(call: BookedCall, measure: Exclude<Measure, "calls">): number | null {
  if (measure === "microUsd") return call.costMicroUsd;
  return (measure === "inputTokens" ? call.tokens?.input : call.tokens?.output) ?? null;
}

function upperOf(call: BookedCall, measure: Exclude<Measure, "calls">): number | null {
  if (measure === "microUsd") return call.upperMicroUsd;
  return measure === "inputTokens" ? call.upperTokens.input : call.upperTokens.output;
}

function sumOf({ microUsd, calls, tokens }: Bucket, measure: Measure): number | null {
  if (measure === "microUsd") return microUsd;
  if (measure === "calls") return calls;
  return (measure === "inputTokens" ? tokens?.input : tokens?.output) ?? null;
}

/** A row that was never closed may have ended at any time up to now; it is unknown, and counts where it began. */
const endOf = (call: BookedCall): number => Math.max(call.sentAt, call.endedAt ?? call.sentAt);

/** The clocks of two machines that are set over the network. */
const skewMs = 2_000;

const overlaps = (call: BookedCall, { from, to }: Span): boolean => call.sentAt - skewMs < to && endOf(call) + skewMs >= from;
const isInside = (call: BookedCall, { from, to }: Span): boolean => call.sentAt - skewMs >= from && endOf(call) + skewMs < to;

/** Pages may tell one stretch in several parts. */
function sameSpans(buckets: readonly Bucket[]) {
  const spans = new Map<string, Span & { readonly buckets: Bucket[] }>();
  for (const bucket of buckets) {
    const key = `${bucket.from}/${bucket.to}`;
    const span = spans.get(key);
    if (span === undefined) spans.set(key, { from: bucket.from, to: bucket.to, buckets: [bucket] });
    else span.buckets.push(bucket);
  }
  return [...spans.values()].sort((a, b) => a.from - b.from);
}

/** Stretches that follow one another are one. */
function coverage(buckets: readonly Bucket[]) {
  const merged: { from: number; to: number; buckets: Bucket[] }[] = [];
  for (const bucket of buckets.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last === undefined || bucket.from > last.to) merged.push({ from: bucket.from, to: bucket.to, buckets: [bucket] });
    else {
      last.to = Math.max(last.to, bucket.to);
      last.buckets.push(bucket);
    }
  }
  return merged;
}
