/**
 * E6: four questions about what a batch paid, each to our books and, beside them, to a witness that is not ours. What must hold: no request was paid twice, the sums are
 * those of their rows, and every charge of the witness belongs to a row.
 */
import { jobKey } from "../../core/batch/job.ts";
import type { JobHistory } from "../../ports/batch-archive.ts";
import type { BatchRecord, JobRecord } from "../../ports/batch-store.ts";
import type { ChargeLogs } from "../../ports/charge-logs.ts";
import type { Store } from "../../ports/store.ts";
import type { AskedCalls } from "../ledger-calls.ts";
import { type LedgerProof, proveLedger } from "../ledger-prove.ts";
import { type Reconciliation, reconcile } from "../ledger-reconcile.ts";

export interface BatchProof {
  readonly batch: string;
  readonly holds: boolean;
  /** It made none, as when a cap kept its first one from leaving: there is nothing to hold against a witness. */
  readonly hasCalls: boolean;
  readonly ledger: LedgerProof;
  readonly job: { readonly id: string; readonly history: JobHistory } | null;
  /** Null = there is none: this proves our own books only. */
  readonly witness: {
    readonly all: Reconciliation;
    /** Null = it made no call, or the witness tells none apart. */
    readonly job: Reconciliation | null;
  } | null;
}

export interface ProofQuestion {
  readonly store: Store;
  readonly logs: ChargeLogs;
  readonly batch: BatchRecord;
  /** Null = one that shows most: of the first ones that made calls, the job with the most attempts. */
  readonly job: string | null;
  /** Path of the witness's file. */
  readonly witness: string | null;
}

export async function proveBatch({ store, logs, batch, job: asked, witness }: ProofQuestion): Promise<BatchProof> {
  const { name, version } = batch;
  const whole = { filter: { batch: name }, run: null, window: null };
  const ledger = await proveLedger(store.ledger, whole);
  const id = asked ?? (await showing(store, batch));
  const job = id === null ? null : { id, history: await store.archive.history(name, id) };
  const books = { batch: name, hasCalls: await hasCalls(store, { batch: name }), ledger, job };
  if (witness === null || !books.hasCalls) return { ...books, holds: ledger.holds, witness: null };
  const ask = (filter: AskedCalls["filter"]) => reconcile({ store, logs }, { ...whole, filter }, { path: witness, format: null });
  const all = await ask(whole.filter);
  const key = id === null || all.kind === "buckets" ? null : jobKey(name, id, version);
  const ofJob = key === null || !(await hasCalls(store, { key })) ? null : await ask({ batch: name, key });
  return { ...books, holds: ledger.holds && all.agrees, witness: { all, job: ofJob } };
}

const looked = 1000;

/** Null where the jobs are not in the store. Jobs that made no call have nothing to show, such as those that a cap kept from beginning. */
async function showing(store: Store, batch: BatchRecord): Promise<string | null> {
  const jobs = await store.batches.jobs(batch.name, { limit: looked });
  const byAttempts = jobs.toSorted((a: JobRecord, b: JobRecord) => b.attempts - a.attempts || b.fence - a.fence);
  for (const { key, id } of byAttempts) if (await hasCalls(store, { key })) return id;
  return byAttempts[0]?.id ?? null;
}

async function hasCalls(store: Store, of: { readonly key: string } | { readonly batch: string }): Promise<boolean> {
  return (await store.ledger.calls({ ...of, limit: 1 })).length > 0;
}
