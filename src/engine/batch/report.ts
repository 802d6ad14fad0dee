/** What a batch brought: a line a job, and what they come to. The lines are read one page after another; a list of any length is reported in bounded memory. */

import { noSpend, type Spend } from "../../core/money/cap.ts";
import type { BatchRecord, JobRecord } from "../../ports/batch-store.ts";
import type { Store } from "../../ports/store.ts";
import { jobPages } from "./all-jobs.ts";

export interface JobLine {
  readonly job: string;
  readonly state: JobRecord["state"];
  /** All of them, those before a retry and released ones included. */
  readonly attempts: number;
  readonly calls: number;
  readonly costMicroUsd: number;
  readonly unknown: number;
  /** Over all attempts. */
  readonly workMs: number;
  readonly endedAt: number | null;
  readonly reason: string;
  readonly answer: Uint8Array | null;
}

export interface BatchReport {
  readonly jobs: number;
  readonly answers: number;
  readonly answerBytes: number;
  readonly attempts: number;
  readonly again: number;
  readonly calls: number;
  readonly costMicroUsd: number;
  readonly unknown: number;
  readonly slowest: readonly Figure[];
  readonly dearest: readonly Figure[];
  /** Why jobs failed, the most frequent reason first. */
  readonly failed: readonly { readonly reason: string; readonly jobs: number; readonly examples: readonly string[] }[];
  /** Jobs with calls that may have cost more than is known. */
  readonly uncertain: readonly string[];
}

export interface Figure {
  readonly job: string;
  readonly value: number;
}

const mostFigures = 5;
const mostExamples = 10;

export async function* jobLines(store: Store, { name }: BatchRecord): AsyncGenerator<JobLine> {
  for await (const jobs of jobPages(store.batches, name)) {
    const spends = await store.ledger.spend(jobs.map(({ key }) => ({ kind: "job", id: key })));
    for (const [index, job] of jobs.entries()) yield await jobLine(store, job, spends[index]);
  }
}

async function jobLine(store: Store, { batch, id, state, reason, endedAt }: JobRecord, spend: Spend = noSpend): Promise<JobLine> {
  const attempts = await store.batches.attempts(batch, id);
  return {
    ...{ job: id, state, reason, endedAt, attempts: attempts.length },
    ...{ calls: spend.calls, costMicroUsd: spend.spentMicroUsd, unknown: spend.unknown },
    workMs: attempts.reduce((sum, { startedAt, endedAt: end }) => sum + (end === null ? 0 : Math.max(0, end - startedAt)), 0),
    answer: state === "done" ? await store.batches.answer(batch, id) : null,
  };
}

export async function batchReport(lines: AsyncIterable<JobLine>): Promise<BatchReport> {
  const sums = { jobs: 0, answers: 0, answerBytes: 0, attempts: 0, again: 0, calls: 0, costMicroUsd: 0, unknown: 0 };
  const slowest: Figure[] = [];
  const dearest: Figure[] = [];
  const failed = new Map<string, { jobs: number; examples: string[] }>();
  const uncertain: string[] = [];
  for await (const line of lines) {
    sums.jobs += 1;
    sums.answers += line.answer === null ? 0 : 1;
    sums.answerBytes += line.answer?.byteLength ?? 0;
    sums.attempts += line.attempts;
    sums.again += line.attempts > 1 ? 1 : 0;
    sums.calls += line.calls;
    sums.costMicroUsd += line.costMicroUsd;
    sums.unknown += line.unknown;
    keepLargest(slowest, { job: line.job, value: line.workMs });
    keepLargest(dearest, { job: line.job, value: line.costMicroUsd });
    if (line.state === "failed") noteFailed(failed, line);
    if (line.unknown > 0) uncertain.push(line.job);
  }
  const reasons = [...failed].map(([reason, { jobs, examples }]) => ({ reason, jobs, examples }));
  return { ...sums, slowest, dearest, failed: reasons.sort((a, b) => b.jobs - a.jobs), uncertain };
}

function keepLargest(largest: Figure[], figure: Figure): void {
  if (figure.value === 0) return;
  largest.push(figure);
  largest.sort((a, b) => b.value - a.value);
  largest.length = Math.min(largest.length, mostFigures);
}

function noteFailed(failed: Map<string, { jobs: number; examples: string[] }>, { job, reason }: JobLine): void {
  const known = failed.get(reason) ?? { jobs: 0, examples: [] };
  known.jobs += 1;
  if (known.examples.length < mostExamples) known.examples.push(job);
  failed.set(reason, known);
}
