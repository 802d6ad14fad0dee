/** Questions about batches and jobs that change nothing. */
import type { JobState } from "../../../core/batch/job.ts";
import type { AttemptRecord, BatchCounts, JobFailure, JobRecord } from "../../../ports/batch-store.ts";
import { type AnswerFiles, findBody } from "./answers.ts";
import { bodyOf } from "./batch-jobs.ts";
import { type BatchRow, findBatchRow, requireBatch, toAttempt, toJob } from "./batch-rows.ts";
import type { Database, Row } from "./database.ts";
import { int, maybeInt, maybeText, text } from "./rows.ts";

const byId = "SELECT * FROM job WHERE batch = ? AND id = ? AND number <= ?";
const counted = `SELECT
  (SELECT count(*) FROM job WHERE batch = :batch AND state = 'pending' AND number <= :last) AS pending,
  (SELECT count(*) FROM job WHERE batch = :batch AND state = 'running') AS running,
  (SELECT count(*) FROM job WHERE batch = :batch AND state = 'failed') AS failed,
  (SELECT count(*) FROM attempt WHERE batch = :batch AND end <> 'released') AS ended`;
const nextChange = `SELECT min(at) AS at FROM (
  SELECT min(not_before) AS at FROM job WHERE batch = :batch AND state = 'pending' AND number <= :last
  UNION ALL SELECT min(until_wall) FROM job WHERE batch = :batch AND state = 'running')`;
const attempts = `SELECT attempt, fence, round, slot, started_at, ended_at, end, reason FROM attempt WHERE batch = :batch AND job = :job
  UNION ALL SELECT attempts, fence, round, slot, started_at, NULL, 'running', '' FROM job WHERE number = :job AND state = 'running'
  ORDER BY fence`;

const failure = `SELECT attempt.attempt, job_failure.fence, attempt.round, attempt.ended_at, attempt.reason, answer, answer_bytes, stderr FROM job_failure
  JOIN attempt ON attempt.batch = :batch AND attempt.job = job_failure.job AND attempt.fence = job_failure.fence WHERE job_failure.job = :job`;

export function countJobs(db: Database, name: string): BatchCounts {
  const { number, jobs, lastJob } = requireBatch(db, name);
  const row = db.get(counted, { batch: number, last: lastJob }) ?? {};
  const [pending, running, failed] = [int(row, "pending"), int(row, "running"), int(row, "failed")];
  return { pending, running, failed, done: jobs - pending - running - failed, attempts: int(row, "ended") + running };
}

/** 0 = a job waits for nothing but a slot. */
export function nextChangeAt(db: Database, name: string): number | null {
  const { number, lastJob } = requireBatch(db, name);
  return maybeInt(db.get(nextChange, { batch: number, last: lastJob }) ?? { at: null }, "at");
}

export function findJob(db: Database, name: string, id: string): JobRecord | null {
  const found = findRow(db, name, id);
  return found === null ? null : toJob(found.row, found.batch);
}

function findRow(db: Database, name: string, id: string): { readonly batch: BatchRow; readonly row: Row; readonly job: number } | null {
  const batch = findBatchRow(db, name);
  const row = batch === null ? undefined : db.get(byId, [batch.number, id, batch.lastJob]);
  return batch === null || row === undefined ? null : { batch, row, job: int(row, "number") };
}

interface JobFilter {
  readonly state?: JobState;
  readonly after?: string;
  readonly limit: number;
}

export function listJobs(db: Database, name: string, { state, after, limit }: JobFilter): readonly JobRecord[] {
  const batch = requireBatch(db, name);
  const from = after === undefined ? batch.firstJob : (findRow(db, name, after)?.job ?? batch.lastJob) + 1;
  const ofState = state === undefined ? "" : ` AND state = '${state}'`;
  const sql = `SELECT * FROM job WHERE number BETWEEN :from AND :to AND batch = :batch${ofState} ORDER BY number LIMIT :limit`;
  return db.all(sql, { from, to: batch.lastJob, batch: batch.number, limit }).map((row) => toJob(row, batch));
}

export function payloadOf(db: Database, name: string, id: string): string | null {
  const found = findRow(db, name, id);
  if (found === null) return null;
  return Buffer.from(bodyOf(db.get("SELECT body FROM job_payload WHERE job = ?", [found.job]))).toString();
}

export function attemptsOf(db: Database, name: string, id: string): readonly AttemptRecord[] {
  const found = findRow(db, name, id);
  return found === null ? [] : db.all(attempts, { batch: found.batch.number, job: found.job }).map(toAttempt);
}

export function answerOfJob(db: Database, files: AnswerFiles, name: string, id: string): Uint8Array | null {
  const found = findRow(db, name, id);
  const row = found === null ? undefined : db.get("SELECT * FROM job_answer WHERE job = ?", [found.job]);
  return row === undefined ? null : findBody(row, files);
}

export function failureOf(db: Database, name: string, id: string): JobFailure | null {
  const found = findRow(db, name, id);
  const row = found === null ? undefined : db.get(failure, { batch: found.batch.number, job: found.job });
  if (row === undefined) return null;
  return {
    ...{ attempt: int(row, "attempt"), fence: int(row, "fence"), round: int(row, "round") },
    ...{ endedAt: int(row, "ended_at"), reason: text(row, "reason") },
    ...{ answer: maybeText(row, "answer"), answerBytes: int(row, "answer_bytes"), stderr: text(row, "stderr") },
  };
}
