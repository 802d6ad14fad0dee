/** What it may cost to ask the models of failed jobs anew: the answers that would else be served again, at no cost. */
import type { BatchRecord, JobRecord } from "../../ports/batch-store.ts";
import type { CallRecord } from "../../ports/ledger.ts";
import type { Store } from "../../ports/store.ts";
import { allCalls } from "../ledger-calls.ts";
import { jobPages } from "./all-jobs.ts";
import { batchMoney } from "./money.ts";

export interface AnewPrice {
  readonly jobs: number;
  /** With a whole answer on record, which will not be served any more. What a job asks beyond them is not counted: it would be paid all the same. */
  readonly calls: number;
  readonly costMicroUsd: number;
  /** By their upper estimates; null = one of them has no price. */
  readonly mostMicroUsd: number | null;
  /** Under the batch's cap. */
  readonly leftMicroUsd: number;
}

/** @param ids  of failed jobs; empty = all that failed */
export async function anewPrice(store: Store, batch: BatchRecord, ids: readonly string[]): Promise<AnewPrice> {
  const { spentMicroUsd, heldMicroUsd, capMicroUsd } = await batchMoney(store, batch);
  const sum: { jobs: number; calls: number; costMicroUsd: number; mostMicroUsd: number | null } = { ...none };
  for await (const job of failedJobs(store, batch.name, ids)) {
    sum.jobs += 1;
    for (const call of await allCalls(store.ledger, { key: job.key, states: ["done"] })) if (roundOf(call) === job.round) addTo(sum, call);
  }
  return { ...sum, leftMicroUsd: Math.max(0, capMicroUsd - spentMicroUsd - heldMicroUsd) };
}

const none = { jobs: 0, calls: 0, costMicroUsd: 0, mostMicroUsd: 0 };

function addTo(
  sum: { calls: number; costMicroUsd: number; mostMicroUsd: number | null },
  { costMicroUsd, upperMicroUsd }: CallRecord,
): void {
  const most = upperMicroUsd ?? costMicroUsd;
  sum.calls += 1;
  sum.costMicroUsd += costMicroUsd ?? 0;
  sum.mostMicroUsd = sum.mostMicroUsd === null || most === null ? null : sum.mostMicroUsd + Math.max(most, costMicroUsd ?? 0);
}

async function* failedJobs({ batches }: Store, batch: string, ids: readonly string[]): AsyncGenerator<JobRecord> {
  if (ids.length === 0) {
    for await (const page of jobPages(batches, batch, "failed")) yield* page;
    return;
  }
  for (const id of ids) {
    const job = await batches.job(batch, id);
    if (job?.state === "failed") yield job;
  }
}

/** Of its job; a window has none. */
export function roundOf({ owner }: Pick<CallRecord, "owner">): number {
  return owner.kind === "job" ? owner.round : 0;
}
