/** Jobs that are added, and failed ones that a person gives another try. */
import type { Added, NewJob } from "../../../ports/batch-store.ts";
import { type BatchRow, requireBatch } from "./batch-rows.ts";
import type { Database, Row } from "./database.ts";
import { DamagedRow } from "./errors.ts";
import { int } from "./rows.ts";

const add = "INSERT INTO job (batch, id, added_at) VALUES (?, ?, ?) ON CONFLICT (batch, id) DO NOTHING";
const addPayload = "INSERT INTO job_payload (job, body) VALUES (?, ?)";
const payload = "SELECT body FROM job JOIN job_payload ON job = number WHERE batch = ? AND id = ?";
const grow = `UPDATE batch SET jobs = jobs + :added, first_job = min(ifnull(nullif(first_job, 0), :first), :first), last_job = :last
  WHERE number = :number`;
const reopen = "UPDATE batch SET state = 'open', reason = '', closed_at = NULL WHERE number = ? AND state IN ('closed', 'archived')";
const retryOne = `UPDATE job SET state = 'pending', attempts = 0, not_before = 0, given_back_at = NULL, ended_at = NULL
  WHERE batch = ? AND id = ? AND state = 'failed'`;
const retryAll = `UPDATE job SET state = 'pending', attempts = 0, not_before = 0, given_back_at = NULL, ended_at = NULL
  WHERE batch = ? AND state = 'failed'`;

/** So many are named; nobody reads on, and the list of a million would have to be held. */
const mostNamed = 100;

/** Leaves the transaction without a trace. */
class Changed extends Error {
  readonly added: Added;

  constructor(added: Added) {
    super("ids that are there with another content");
    this.added = added;
  }
}

/** One pass over the list and one transaction: whatever is wrong with the last job takes back the first. */
export function addJobs(db: Database, name: string, jobs: Iterable<NewJob>, now: number): Added {
  try {
    return db.write("addJobs", "ordinary", () => {
      const batch = requireBatch(db, name);
      const { first, last, ...added } = insertAll(db, batch, jobs, now);
      if (added.changed.length > 0) throw new Changed({ added: 0, known: 0, changed: added.changed });
      if (added.added > 0) db.run(grow, { added: added.added, first, last, number: batch.number });
      if (added.added > 0) db.run(reopen, [batch.number]);
      return added;
    });
  } catch (error) {
    if (error instanceof Changed) return error.added;
    throw error;
  }
}

function insertAll(db: Database, { number }: BatchRow, jobs: Iterable<NewJob>, now: number) {
  const numbers = { added: 0, known: 0, first: 0, last: 0 };
  const changed: string[] = [];
  for (const { id, payload: text } of jobs) {
    const body = Buffer.from(text);
    if (db.run(add, [number, id, now]) === 1) {
      const job = int(db.get("SELECT last_insert_rowid() AS job") ?? {}, "job");
      db.run(addPayload, [job, body]);
      numbers.added += 1;
      numbers.first ||= job;
      numbers.last = job;
    } else if (body.equals(bodyOf(db.get(payload, [number, id])))) numbers.known += 1;
    else if (changed.push(id) === mostNamed) break;
  }
  return { ...numbers, changed };
}

export function bodyOf(row: Row | undefined): Uint8Array {
  const body = row?.["body"];
  if (body instanceof Uint8Array) return body;
  throw new DamagedRow("a job has no payload");
}

/** On a person's word: attempts begin anew, and a closed batch is open again. Their number. */
export function retryJobs(db: Database, name: string, ids: readonly string[], _now: number): number {
  return db.write("retryJobs", "ordinary", () => {
    const { number } = requireBatch(db, name);
    const retried = ids.length === 0 ? db.run(retryAll, [number]) : ids.reduce((sum, id) => sum + db.run(retryOne, [number, id]), 0);
    if (retried > 0) db.run(reopen, [number]);
    return retried;
  });
}
