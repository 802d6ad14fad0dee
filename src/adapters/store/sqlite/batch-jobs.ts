/**
 * Jobs that are added, all of a list or none, and failed ones that get another try. A list is added in parts, so that others can write between them; its jobs are
 * there (to be claimed, counted, listed) from the moment in which the batch's last number is moved behind them. What was never followed by that is cleared away.
 */
import { MidwatchError } from "../../../core/error.ts";
import type { Added, NewBatch, NewJob } from "../../../ports/batch-store.ts";
import { beginBatch } from "./batch-batches.ts";
import { type JobPart, partsOf } from "./batch-parts.ts";
import { type BatchRow, requireBatch } from "./batch-rows.ts";
import type { Database, Row } from "./database.ts";
import { DamagedRow } from "./errors.ts";
import { int, text } from "./rows.ts";

const takeOver = "UPDATE batch SET adding = ? WHERE number = ?";
const isAdding = "SELECT 1 FROM batch WHERE number = ? AND adding = ?";
const dropNew = "DELETE FROM batch WHERE number = ? AND adding = ? AND is_new = 1";
const unfinished = `SELECT number FROM job WHERE batch = :batch AND state = 'pending' AND not_before = 0
    AND number > (SELECT last_job FROM batch WHERE number = :batch) LIMIT :most`;
const clearPayloads = `DELETE FROM job_payload WHERE job IN (${unfinished})`;
const clearJobs = `DELETE FROM job WHERE number IN (${unfinished})`;

const present =
  "SELECT job.id, body FROM json_each(?) AS asked CROSS JOIN job ON batch = ? AND job.id = asked.value CROSS JOIN job_payload ON job = number";
const newest = "SELECT ifnull(max(number), 0) AS number FROM job";
const add = "INSERT INTO job (number, batch, id, added_at) VALUES (?, ?, ?, ?)";
const addPayload = "INSERT INTO job_payload (job, body) VALUES (?, ?)";
const publish = `UPDATE batch SET adding = NULL, is_new = 0, jobs = jobs + :added, last_job = max(last_job, :last),
    first_job = CASE first_job WHEN 0 THEN :first ELSE first_job END
  WHERE number = :batch`;

const reopen = "UPDATE batch SET state = 'open', reason = '', closed_at = NULL WHERE number = ? AND state IN ('closed', 'archived')";
const again = "state = 'pending', attempts = 0, not_before = 0, given_back_at = NULL, ended_at = NULL";
const retryAll = `UPDATE job SET ${again}, round = round + :rounds WHERE batch = :batch AND state = 'failed'`;
const retryOne = `${retryAll} AND id = :id`;

/** So many ids are named; nobody reads on. */
const mostNamed = 100;
const clearedAtOnce = 5000;
/** Between two parts: whoever naps until the file is free (at most 1 ms) finds it so. */
const breathMs = 2;

interface Tally {
  added: number;
  known: number;
  first: number;
  last: number;
  readonly changed: string[];
}

/** Null when the batch is there with other settings or another version. A new one is there when its list is, or not at all. */
export async function addList(db: Database, asked: NewBatch, jobs: Iterable<NewJob>, now: number): Promise<Added | null> {
  const batch = beginBatch(db, asked, now);
  return batch === null ? null : addTo(db, { number: batch, name: asked.name }, jobs, now);
}

export async function addJobs(db: Database, name: string, jobs: Iterable<NewJob>, now: number): Promise<Added> {
  return addTo(
    db,
    db.read(() => requireBatch(db, name)),
    jobs,
    now,
  );
}

type Place = Pick<BatchRow, "number" | "name">;

async function addTo(db: Database, batch: Place, jobs: Iterable<NewJob>, now: number): Promise<Added> {
  const tally: Tally = { added: 0, known: 0, first: 0, last: 0, changed: [] };
  // Whoever comes last is the one who adds: of two at once, the earlier one is told.
  const by = crypto.randomUUID();
  await clear(db, batch, by);
  try {
    for (const part of partsOf(jobs)) {
      await breath();
      db.write("addJobs", "ordinary", () => {
        requireTurn(db, batch, by);
        addPart(db, batch, part, tally, now);
        if (part.isLast && tally.changed.length === 0) conclude(db, batch, tally);
      });
    }
  } catch (error) {
    await giveUp(db, batch, by).catch(() => undefined); // whoever adds next does it
    throw error;
  }
  const { added, known, changed } = tally;
  if (changed.length === 0) return { added, known, changed };
  await giveUp(db, batch, by);
  return { added: 0, known: 0, changed };
}

async function giveUp(db: Database, batch: Place, by: string): Promise<void> {
  if (db.read(() => db.get(isAdding, [batch.number, by])) === undefined) return;
  await clear(db, batch, by);
  db.write("clearJobs", "ordinary", () => db.run(dropNew, [batch.number, by]));
}

async function clear(db: Database, { number: batch }: Place, by: string): Promise<void> {
  const clearSome = () => {
    db.run(takeOver, [by, batch]);
    db.run(clearPayloads, { batch, most: clearedAtOnce });
    return db.run(clearJobs, { batch, most: clearedAtOnce });
  };
  while (db.write("clearJobs", "ordinary", clearSome) === clearedAtOnce) await breath();
}

function breath(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, breathMs));
}

function requireTurn(db: Database, { number, name }: Place, by: string): void {
  if (db.get(isAdding, [number, by]) === undefined)
    throw new MidwatchError("busy", "E_BATCH_ADDING", `another process adds jobs to batch ${name}; none of these was added`, {
      hint: "add them again when it has ended",
    });
}

/** Also goes on comparing when nothing will be added any more, so that every changed id is named. */
function addPart(db: Database, { number: batch }: Place, { jobs }: JobPart, tally: Tally, now: number): void {
  const known = new Map(db.all(present, [JSON.stringify(jobs.map(({ id }) => id)), batch]).map((row) => [text(row, "id"), bodyOf(row)]));
  let number = int(db.get(newest) ?? {}, "number");
  for (const { id, body } of jobs) {
    const earlier = known.get(id);
    if (earlier === undefined) {
      known.set(id, body);
      number += 1;
      tally.first ||= number;
      tally.last = number;
      tally.added += 1;
      if (tally.changed.length > 0) continue;
      db.run(add, [number, batch, id, now]);
      db.run(addPayload, [number, body]);
    } else if (body.equals(earlier)) tally.known += 1;
    else if (tally.changed.length < mostNamed && !tally.changed.includes(id)) tally.changed.push(id);
  }
}

function conclude(db: Database, { number: batch }: Place, { added, first, last }: Tally): void {
  db.run(publish, { batch, added, first, last });
  if (added > 0) db.run(reopen, [batch]);
}

export function bodyOf(row: Row | undefined): Uint8Array {
  const body = row?.["body"];
  if (body instanceof Uint8Array) return body;
  throw new DamagedRow("a job has no payload");
}

/** On a person's word: attempts begin anew, and a closed batch is open again. Their number. */
export function retryJobs(db: Database, name: string, ids: readonly string[], how: "again" | "anew"): number {
  return db.write("retryJobs", "ordinary", () => {
    const { number } = requireBatch(db, name);
    const values = { batch: number, rounds: how === "anew" ? 1 : 0 };
    const retried = ids.length === 0 ? db.run(retryAll, values) : ids.reduce((sum, id) => sum + db.run(retryOne, { ...values, id }), 0);
    if (retried > 0) db.run(reopen, [number]);
    return retried;
  });
}
