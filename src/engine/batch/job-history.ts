/** What happened to one job: its attempts, what each paid and was served again, and its answer. */
import { mayCostMore } from "../../core/money/call.ts";
import type { AttemptRecord, JobFailure, JobRecord } from "../../ports/batch-store.ts";
import type { CallRecord } from "../../ports/ledger.ts";
import type { Store } from "../../ports/store.ts";
import { allCalls } from "../ledger-calls.ts";
import { roundOf } from "./anew.ts";

export interface JobStory {
  readonly job: JobRecord;
  readonly payload: string | null;
  readonly attempts: readonly AttemptStory[];
  readonly calls: readonly CallRecord[];
  readonly money: { readonly spentMicroUsd: number; readonly unknown: number };
  readonly answer: Uint8Array | null;
  /** Of its last attempt that failed: why, the answer that was refused, what it said on standard error. */
  readonly failure: JobFailure | null;
}

export interface AttemptStory extends AttemptRecord {
  readonly paidCalls: number;
  readonly costMicroUsd: number;
  readonly unknown: number;
  /** Calls of earlier attempts that lie before its last own one, or all of them when it finished: it got them from the ledger, at no cost. */
  readonly servedAgain: number;
}

/** Null = there is no such job. */
export async function jobStory(store: Store, batch: string, id: string): Promise<JobStory | null> {
  const job = await store.batches.job(batch, id);
  if (job === null) return null;
  const [payload, attempts, calls, answer, failure] = await Promise.all([
    store.batches.payload(batch, id),
    store.batches.attempts(batch, id),
    allCalls(store.ledger, { key: job.key }),
    store.batches.answer(batch, id),
    store.batches.failure(batch, id),
  ]);
  return {
    ...{ job, payload, calls, answer, failure },
    attempts: attempts.map((attempt) => attemptStory(attempt, calls)),
    money: { spentMicroUsd: costOf(calls), unknown: calls.filter(mayCostMore).length },
  };
}

function attemptStory(attempt: AttemptRecord, calls: readonly CallRecord[]): AttemptStory {
  const own = calls.filter((call) => fenceOf(call) === attempt.fence);
  const paid = own.filter(({ state }) => state === "done");
  const lastSeq = attempt.end === "done" ? Number.POSITIVE_INFINITY : Math.max(0, ...own.map(({ key }) => key.seq));
  const before = calls.filter((call) => roundOf(call) === attempt.round && fenceOf(call) < attempt.fence);
  const earlier = before.filter(({ state, key }) => state === "done" && key.seq < lastSeq);
  return {
    ...attempt,
    paidCalls: paid.length,
    costMicroUsd: costOf(own),
    unknown: own.filter(mayCostMore).length,
    servedAgain: new Set(earlier.map(({ key }) => key.seq)).size,
  };
}

function fenceOf({ owner }: CallRecord): number {
  return owner.kind === "job" ? (owner.fence ?? 0) : 0;
}

const costOf = (calls: readonly CallRecord[]): number => calls.reduce((sum, { costMicroUsd }) => sum + (costMicroUsd ?? 0), 0);
