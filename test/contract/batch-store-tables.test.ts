/** The tables of batches keep the rules by themselves: whoever writes past our statements is refused. */
import { beforeAll, expect, test } from "vitest";
import { type JobState, jobMoves, jobStates } from "../../src/core/batch/job.ts";
import { done, jobs, name, settings, take, version } from "./batch-kit.ts";
import { openTables } from "./tables-kit.ts";

const { store, db, attempt } = await openTables();

beforeAll(async () => {
  await store.batches.addList({ name, version, settings }, jobs(3), 1000);
  await store.batches.finish(await take(store.batches), done(), 2000);
  await take(store.batches);
});

function values(state: JobState): Readonly<Record<string, string>> {
  const lease = state === "running" ? { slot: "'0.1'", started_at: "1", until_wall: "1", until_boot: "1.5", boot_id: "'b'" } : {};
  const none = { slot: "NULL", started_at: "NULL", until_wall: "NULL", until_boot: "NULL", boot_id: "NULL" };
  const isEnded = state === "done" || state === "failed";
  return { ...none, ...lease, state: `'${state}'`, reason: "'r'", ended_at: isEnded ? "1" : "NULL", attempts: "1" };
}

const moves: readonly { readonly from: readonly JobState[]; readonly to: readonly JobState[] }[] = Object.values(jobMoves);
const pairs = jobStates.flatMap((from) => jobStates.map((to): [JobState, JobState] => [from, to]));

test.each(pairs)("the table job agrees with jobMoves on %s -> %s", (from, to) => {
  const isLegal = from === to || moves.some((move) => move.from.includes(from) && move.to.includes(to));
  const fresh = { ...values(from), batch: "1", id: "'X'", added_at: "1", fence: "4" };
  const change = { ...values(to), fence: from === "pending" && to === "running" ? "5" : "4" };
  const insert = `INSERT INTO job (${Object.keys(fresh)}) VALUES (${Object.values(fresh)})`;
  const update = `UPDATE job SET ${Object.entries(change).map(([column, value]) => `${column} = ${value}`)} WHERE id = 'X'`;
  expect(attempt(`${insert}; ${update}`)).toBe(isLegal ? "done" : "refused");
});

test.each([
  [
    "a claim leaves the fence as it was",
    "UPDATE job SET state = 'running', slot = '0.1', started_at = 1, until_wall = 1, until_boot = 1, boot_id = '', attempts = 1 WHERE id = 'j3'",
  ],
  ["a fence rises without a claim", "UPDATE job SET fence = fence + 1 WHERE id = 'j2'"],
  ["a round begins though nothing failed", "UPDATE job SET round = round + 1 WHERE id = 'j2'"],
  ["a round falls", "UPDATE job SET round = -1 WHERE id = 'j2'"],
  ["a fence falls", "UPDATE job SET fence = fence - 1 WHERE id = 'j2'"],
  ["a job runs without a lease", "UPDATE job SET until_boot = NULL WHERE id = 'j2'"],
  ["a job that is done has a slot", "UPDATE job SET slot = '0.1' WHERE id = 'j1'"],
  ["a job is done without an end", "UPDATE job SET ended_at = NULL WHERE id = 'j1'"],
  ["a job is twice in a batch", "INSERT INTO job (batch, id, added_at) VALUES (1, 'j1', 1)"],
  ["a job belongs to no batch", "INSERT INTO job (batch, id, added_at) VALUES (9, 'j1', 1)"],
  ["a job gets another id", "UPDATE job SET id = 'j9' WHERE id = 'j1'"],
  ["a job is removed", "DELETE FROM job_payload; DELETE FROM job_answer; DELETE FROM job"],
  ["a job gets another content", "UPDATE job_payload SET body = x'31'"],
  ["an answer is changed", "UPDATE job_answer SET body = x'31'"],
  ["a job has two answers", "INSERT INTO job_answer (job, bytes, body) VALUES (1, 1, x'31')"],
  ["an answer lies nowhere", "INSERT INTO job_answer (job, bytes) VALUES (2, 1)"],
  ["an attempt is changed", "UPDATE attempt SET reason = 'x'"],
  ["an attempt is written twice", "INSERT INTO attempt SELECT * FROM attempt"],
  ["a batch is closed at no time", "UPDATE batch SET state = 'closed'"],
  ["a batch is archived to nowhere", "UPDATE batch SET state = 'archived', closed_at = 1"],
  [
    "two batches have one name",
    "INSERT INTO batch (name, version, settings, most_attempts, added_at) SELECT name, version, settings, 1, 1 FROM batch",
  ],
])("it is refused that %s", (_what, sql) => {
  expect(attempt(sql)).toBe("refused");
});

test("the next job is found in the index alone, however many are pending", () => {
  const plan = db
    .prepare(
      "EXPLAIN QUERY PLAN SELECT number FROM job WHERE batch = 1 AND state = 'pending' AND not_before = 0 AND number <= 9 ORDER BY number LIMIT 1",
    )
    .all();
  expect(plan.map(({ detail }) => detail)).toEqual(["SEARCH job USING COVERING INDEX job_pending (batch=? AND not_before=? AND rowid<?)"]);
});
