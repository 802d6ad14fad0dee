/** What happened to one job: each attempt with what it paid. The same question can be put to the store and to an archived batch's file. */
import type { JobHistory } from "../../../ports/batch-archive.ts";
import { cell, literal } from "./proof-sql.ts";

const columns = ["attempt", "slot", "started_at", "ended_at", "end", "reason", "paid_calls", "micro_usd", "first_call", "last_call"];

/** @param ask  puts a question without parameters to the file */
export function historyOf(batch: string, job: string, ask: (sql: string) => readonly Readonly<Record<string, unknown>>[]): JobHistory {
  const sql = historySql(batch, job);
  return { sql, columns, rows: ask(sql).map((row) => columns.map((column) => cell(row[column]))) };
}

function historySql(batch: string, job: string): string {
  return `SELECT attempt.attempt, attempt.slot, attempt.started_at, attempt.ended_at, attempt.end, attempt.reason,
  count(call.number) AS paid_calls, ifnull(sum(call.cost), 0) AS micro_usd, min(call.seq) AS first_call, max(call.seq) AS last_call
FROM batch
JOIN job ON job.batch = batch.number
JOIN attempt ON attempt.batch = batch.number AND attempt.job = job.number
LEFT JOIN call ON call.key = batch.name || ':' || job.id || ':' || batch.version
  AND call.fence = attempt.fence AND call.state = 'done'
WHERE batch.name = ${literal(batch)} AND job.id = ${literal(job)}
GROUP BY attempt.fence
ORDER BY attempt.fence`;
}
