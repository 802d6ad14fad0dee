/**
 * Moves a batch that has ended into a file of its own, and back. The copy is whole and synced before the one transaction that removes the rows; back again the rows are
 * there before the file goes. A death in between leaves a copy too many, which the next time is written anew.
 */
import { archivedBatch } from "../../../core/batch/refusals.ts";
import { MidwatchError } from "../../../core/error.ts";
import { faultPoint } from "../../../faults.ts";
import type { BatchArchive } from "../../../ports/batch-archive.ts";
import { type AnswerFiles, findBody, placeBody, sweepAnswers } from "./answers.ts";
import { type ArchivePlace, firstJobIn, readArchive, removeArchive, rowsOf, type Values, writeArchive } from "./archive-file.ts";
import { historyOf } from "./batch-history.ts";
import { type BatchRow, requireBatch } from "./batch-rows.ts";
import type { Database, Row } from "./database.ts";
import { callsOf } from "./ledger-rows.ts";
import { int } from "./rows.ts";

const ofJobs = "IN (SELECT number FROM job WHERE batch = :batch)";
const ofCalls = `${callsOf(":name")} AND owner = 'job'`;
const removals = [
  `DELETE FROM job_payload WHERE job ${ofJobs}`,
  `DELETE FROM job_answer WHERE job ${ofJobs}`,
  `DELETE FROM job_failure WHERE job ${ofJobs}`,
  "DELETE FROM attempt WHERE batch = :batch",
  "DELETE FROM job WHERE batch = :batch",
];
const removeRecorded = `DELETE FROM answer WHERE call IN (SELECT number FROM call WHERE ${ofCalls})`;
const moveOut =
  "UPDATE batch SET state = 'archived', archived_to = :path, adding = NULL WHERE number = :batch AND state = 'closed' AND closed_at = :closedAt";
const moveIn = `UPDATE batch SET state = 'closed', archived_to = NULL, first_job = :first, last_job = :last, jobs = :jobs
  WHERE number = :batch AND state = 'archived'`;
const newest = "SELECT max(ifnull((SELECT max(number) FROM job), 0), ifnull((SELECT max(last_job) FROM batch), 0)) AS number";

/** Of jobs that are done, in batches that have ended: nobody asks for these again. */
const oldRecorded = `DELETE FROM answer WHERE call IN (
  SELECT call.number FROM batch
  JOIN job ON job.batch = batch.number AND job.state = 'done'
  JOIN call ON call.key = batch.name || ':' || job.id || ':' || batch.version
  WHERE batch.state = 'closed' AND batch.closed_at < :before)`;

/** @param place  null = a store in memory, which has no folder for archives */
export function joinArchive(db: Database, files: AnswerFiles, place: ArchivePlace | null): BatchArchive {
  return {
    archive: async (batch) => archiveBatch(db, requirePlace(place), batch),
    restore: async (batch) => restoreBatch(db, files, batch),
    prune: async (before) => pruneRecorded(db, files, before),
    history: async (batch, job) => db.read(() => historyIn(db, batch, job)),
  };
}

function requirePlace(place: ArchivePlace | null): ArchivePlace {
  if (place !== null) return place;
  throw new MidwatchError("bug", "E_ARCHIVE_PLACE", "a store in memory archives nothing");
}

function archiveBatch(db: Database, place: ArchivePlace, name: string): string {
  const batch = db.read(() => requireBatch(db, name));
  requireClosed(batch);
  const path = db.read(() => writeArchive(place, batch));
  db.write("archiveBatch", "ordinary", () => {
    // A person may have given a job another try while the copy was made.
    if (db.run(moveOut, { path, batch: batch.number, closedAt: batch.closedAt }) === 0) requireClosed(requireBatch(db, name), true);
    db.run(removeRecorded, { name });
    for (const sql of removals) db.run(sql, { batch: batch.number });
  });
  sweepAnswers(db, place.answers);
  return path;
}

function requireClosed({ name, state, archivedTo }: BatchRow, changed = false): void {
  if (state === "closed" && !changed) return;
  if (state === "archived") throw archivedBatch(name, archivedTo);
  throw new MidwatchError("usage", "E_BATCH_OPEN", `batch ${name} has not ended: only a closed one is archived`, {
    hint: `see how it stands: midwatch batch status ${name}`,
  });
}

function restoreBatch(db: Database, files: AnswerFiles, name: string): number {
  const batch = db.read(() => requireBatch(db, name));
  const { archivedTo: path } = batch;
  if (batch.state !== "archived" || path === null)
    throw new MidwatchError("usage", "E_BATCH_NOT_ARCHIVED", `batch ${name} is not archived`, {
      hint: `see how it stands: midwatch batch status ${name}`,
    });
  const jobs = db.read(() =>
    readArchive(path, name, (archive) => {
      const was = firstJobIn(archive);
      db.write("restoreBatch", "ordinary", () => {
        // Their numbers may be others' by now; the order is what counts.
        const shift = int(db.get(newest) ?? {}, "number") + 1 - was.first;
        const place = { batch: batch.number, first: was.first + shift, last: was.last + shift, jobs: was.jobs };
        for (const row of rowsOf(archive, "job")) insert(db, "job", { ...row, number: int(row, "number") + shift, batch: batch.number });
        for (const row of rowsOf(archive, "job_payload")) insert(db, "job_payload", { ...row, job: int(row, "job") + shift });
        for (const row of rowsOf(archive, "attempt")) insert(db, "attempt", { ...row, job: int(row, "job") + shift, batch: batch.number });
        for (const row of rowsOf(archive, "job_answer")) insert(db, "job_answer", placed(files, { ...row, job: int(row, "job") + shift }));
        for (const row of rowsOf(archive, "job_failure")) insert(db, "job_failure", { ...row, job: int(row, "job") + shift });
        for (const row of rowsOf(archive, "answer")) insert(db, "answer", placed(files, row));
        if (db.run(moveIn, place) === 0)
          throw new MidwatchError("busy", "E_BATCH_RESTORED", `another process brought batch ${name} back just now`);
      });
      return was.jobs;
    }),
  );
  faultPoint("archive.restored");
  removeArchive(path);
  return jobs;
}

function insert(db: Database, table: string, row: Values): void {
  const names = Object.keys(row);
  db.run(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((name) => `:${name}`).join(", ")})`, row);
}

function placed(files: AnswerFiles, row: Row): Values {
  const body = findBody(row, { folder: null });
  return body === null ? row : { ...row, ...placeBody(files, body) };
}

function pruneRecorded(db: Database, files: AnswerFiles, before: number): number {
  const removed = db.write("pruneRecorded", "ordinary", () => db.run(oldRecorded, { before }));
  if (removed > 0) sweepAnswers(db, files);
  return removed;
}

function historyIn(db: Database, name: string, job: string) {
  const { archivedTo } = requireBatch(db, name);
  if (archivedTo === null) return historyOf(name, job, (sql) => db.all(sql));
  return readArchive(archivedTo, name, (archive) => historyOf(name, job, (sql) => archive.prepare(sql).all()));
}
