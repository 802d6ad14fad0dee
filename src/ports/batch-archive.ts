/**
 * Batches that have ended, in files of their own (E8). What stays in the store of such a batch: its name and version, its calls with their keys, and its sums; so nothing
 * of it is paid again. What moves: jobs, attempts, answers. A death at any step leaves the batch whole on one side.
 */
import type { LedgerQuestion } from "./ledger.ts";

export interface BatchArchive {
  /** Of a closed batch. Throws MidwatchError kind usage for any other. @returns the path of its file */
  archive(batch: string, now: number): Promise<string>;
  /** Back into the store, closed as it was. The file is removed then. @returns the number of its jobs */
  restore(batch: string): Promise<number>;
  /** Removes what models answered to jobs that are done, in batches that ended before; such a job is never begun again. Their number. */
  prune(before: number): Promise<number>;
  /** What happened to one job, with the SQL that asks; of an archived batch its file is asked. */
  history(batch: string, job: string): Promise<JobHistory>;
}

export type JobHistory = Pick<LedgerQuestion, "sql" | "columns" | "rows">;
