/** Holds the ledger against what somebody else wrote down. The file is read once, in pieces; the rows are in memory. */
import { MidwatchError } from "../core/error.ts";
import { upperTokens } from "../core/money/estimate.ts";
import type { BookedCall } from "../core/money/reconcile/booked.ts";
import { type Bucket, chargeSkewMs, type LogFormat } from "../core/money/reconcile/charge.ts";
import { comparePerBucket, type PerBucketResult } from "../core/money/reconcile/per-bucket.ts";
import { comparePerCall, type PerCallResult, type Range } from "../core/money/reconcile/per-call.ts";
import { createRecordReader } from "../core/money/reconcile/records.ts";
import { inputTokens } from "../core/money/usage.ts";
import type { ChargeLogs } from "../ports/charge-logs.ts";
import type { CallRecord } from "../ports/ledger.ts";
import type { Store } from "../ports/store.ts";
import { type AskedCalls, callsOf } from "./ledger-calls.ts";
import { createNames } from "./ledger-names.ts";
import { createWitness, type ReadLog } from "./ledger-witness.ts";

export type Reconciliation = { readonly agrees: boolean; readonly log: ReadLog & { readonly path: string } } & (
  | { readonly kind: "calls"; readonly result: PerCallResult }
  | { readonly kind: "buckets"; readonly result: PerBucketResult }
);

/** @param format  null = told by the file. Throws MidwatchError kind usage for a file of which nothing could be read. */
export async function reconcile(
  { store, logs }: { readonly store: Store; readonly logs: ChargeLogs },
  asked: AskedCalls,
  { path, format }: { readonly path: string; readonly format: LogFormat | null },
): Promise<Reconciliation> {
  const range = rangeOf(asked);
  const calls = await bookedCalls(store, asked, range);
  const comparison = comparePerCall(calls, range.from === null && range.to === null ? spanOf(calls, asked) : range);
  const witness = createWitness(comparison.add, format);
  const reader = createRecordReader();
  for await (const piece of logs.read(path)) for (const record of reader.push(piece)) witness.take(record);
  for (const record of reader.end()) witness.take(record);
  const log = { path, ...witness.log() };
  if (log.records === 0 && log.unreadable > 0) throw nothingRead(log, format);
  const isWhole = log.unreadable === 0 && !log.hasMore;
  const buckets = witness.buckets();
  if (buckets === null) {
    const result = comparison.finish();
    return { kind: "calls", agrees: result.agrees && isWhole, log, result };
  }
  const result = comparePerBucket(withoutFarRows(calls, asked, buckets), buckets);
  return { kind: "buckets", agrees: result.agrees && isWhole, log, result };
}

/** When nothing was asked for, the export says which time is meant. */
function withoutFarRows(calls: readonly BookedCall[], { filter }: AskedCalls, buckets: readonly Bucket[]): readonly BookedCall[] {
  if (Object.keys(filter).length > 0) return calls;
  const from = buckets.reduce((first, bucket) => Math.min(first, bucket.from), Number.POSITIVE_INFINITY);
  const to = buckets.reduce((last, bucket) => Math.max(last, bucket.to), 0);
  return calls.map((call) => ({ ...call, isAsked: call.sentAt >= from && call.sentAt < to }));
}

function nothingRead({ path, unreadable, unreadableLines }: Reconciliation["log"], format: LogFormat | null): MidwatchError {
  const what = format === null ? "a log or export that is known" : `the format ${format}`;
  return new MidwatchError(
    "usage",
    "E_WITNESS_FORMAT",
    `${path}: none of ${unreadable} records is of ${what} (lines ${unreadableLines.join(", ")})`,
    {
      hint: "per-call logs of the scripted provider, LiteLLM and Helicone are read, and usage or cost exports of Anthropic and OpenAI: docs/ledger.md",
    },
  );
}

function rangeOf({ filter, run, window }: AskedCalls): Range {
  const owner = window === null ? run : { startedAt: window.openedAt, endedAt: window.endedAt };
  const froms = [filter.from, owner?.startedAt].filter((at) => at !== undefined);
  const tos = [filter.to, owner?.endedAt].filter((at) => at !== undefined && at !== null);
  return { from: froms.length === 0 ? null : Math.max(...froms), to: tos.length === 0 ? null : Math.min(...tos) };
}

/** A batch has no beginning and end of its own: its calls have. */
function spanOf(calls: readonly BookedCall[], { filter }: AskedCalls): Range {
  if (Object.keys(filter).length === 0) return { from: null, to: null };
  const asked = calls.filter(({ isAsked }) => isAsked);
  if (asked.length === 0) throw noCalls(filter);
  const from = asked.reduce((first, { sentAt }) => Math.min(first, sentAt), Number.POSITIVE_INFINITY);
  const to = asked.reduce((last, { sentAt, endedAt }) => Math.max(last, endedAt ?? sentAt), 0);
  return { from: from - chargeSkewMs, to: to + chargeSkewMs };
}

function noCalls({ batch }: AskedCalls["filter"]): MidwatchError {
  return new MidwatchError(
    "usage",
    "E_NO_CALLS",
    `the ledger has no call of ${batch === undefined ? "what was asked for" : `the batch ${batch}`}`,
    {
      hint: "see what it has: midwatch ledger sum --by run",
    },
  );
}

const dayMs = 86_400_000;

/** Those that were asked for, and the others of that time: their charges stand in the same file. */
async function bookedCalls(store: Store, { filter, run }: AskedCalls, { from, to }: Range): Promise<readonly BookedCall[]> {
  const { ledger } = store;
  const nameOf = createNames(store, run);
  const around = { ...(from === null ? {} : { from: from - dayMs }), ...(to === null ? {} : { to: to + dayMs }) };
  const asked = new Set<number>();
  for await (const { number } of callsOf(ledger, filter)) asked.add(number);
  const calls: BookedCall[] = [];
  for await (const call of callsOf(ledger, around))
    calls.push(toBooked(call, { isAsked: asked.has(call.number), label: await nameOf(call) }));
  return calls;
}

function toBooked(call: CallRecord, { isAsked, label }: Pick<BookedCall, "isAsked" | "label">): BookedCall {
  const { request, result } = call;
  const usage = result?.usage ?? null;
  return {
    id: call.id,
    ...{ label, isAsked },
    place: placeOf(call),
    provider: request.provider,
    state: call.state,
    failure: result?.failure ?? null,
    sentAt: call.sentAt,
    endedAt: call.endedAt,
    model: result?.answeredModel ?? request.model,
    costMicroUsd: call.costMicroUsd,
    upperMicroUsd: call.upperMicroUsd,
    price: call.price,
    tokens: usage === null ? null : { input: inputTokens(usage), output: usage.output },
    upperTokens: upperTokens(request),
    bodyHash: request.hash,
    ids: [call.id, result?.providerRequestId, result?.messageId].filter((id) => typeof id === "string"),
  };
}

/** A request that a person had asked anew is another one: its charge is no second one of the first. */
function placeOf({ key, owner }: CallRecord): string {
  return `${key.key}#${key.seq}${owner.kind === "job" && owner.round > 0 ? `, round ${owner.round}` : ""}`;
}
