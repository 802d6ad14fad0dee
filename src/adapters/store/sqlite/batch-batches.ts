/** Batches: what they were added with, how they stand, and what a person asked of their supervisors. */
import { unknownBatch } from "../../../core/batch/refusals.ts";
import type { BatchSettings } from "../../../core/batch/settings.ts";
import { sameValue } from "../../../core/json.ts";
import type { BatchRecord, NewBatch } from "../../../ports/batch-store.ts";
import { findBatchRow, requireBatch, toBatch, toBatchRecord } from "./batch-rows.ts";
import { clearWaits } from "./batch-waits.ts";
import type { Database } from "./database.ts";
import { int, prose, text } from "./rows.ts";

const add =
  "INSERT INTO batch (name, version, settings, most_attempts, added_at, is_new) VALUES (:name, :version, :settings, :mostAttempts, :now, 1)";
const renew =
  "UPDATE batch SET version = :version, settings = :settings, most_attempts = :mostAttempts, added_at = :now WHERE name = :name AND is_new = 1";
const setNew = "UPDATE batch SET is_new = ? WHERE name = ?";
const setState = `UPDATE batch SET state = :state, reason = :reason,
  closed_at = CASE WHEN :state = 'closed' THEN ifnull(closed_at, :now) END WHERE number = :number`;

/** Null when it is there with other settings or another version. */
export function addBatch(db: Database, batch: NewBatch, now: number): BatchRecord | null {
  return db.write("addBatch", "ordinary", () => {
    if (putBatch(db, batch, now) === null) return null;
    db.run(setNew, [0, batch.name]);
    return toBatchRecord(requireBatch(db, batch.name));
  });
}

/** For a batch that comes with its list: it is there when the list is. Null as above; else its number. */
export function beginBatch(db: Database, batch: NewBatch, now: number): number | null {
  return db.write("addBatch", "ordinary", () => putBatch(db, batch, now));
}

function putBatch(db: Database, { name, version, settings }: NewBatch, now: number): number | null {
  const found = findBatchRow(db, name);
  if (found !== null) return isSame(found, { name, version, settings }) ? found.number : null;
  const values = { name, version, settings: JSON.stringify(settings), mostAttempts: settings.attempts, now };
  if (db.run(renew, values) === 0) db.run(add, values);
  return int(db.get("SELECT number FROM batch WHERE name = ?", [name]) ?? {}, "number");
}

function isSame(one: NewBatch, other: NewBatch): boolean {
  return one.version === other.version && sameValue(one.settings, other.settings);
}

export function findBatch(db: Database, name: string): BatchRecord | null {
  const found = findBatchRow(db, name);
  return found === null ? null : toBatchRecord(found);
}

export function listBatches(db: Database): readonly BatchRecord[] {
  return db.all("SELECT * FROM batch WHERE is_new = 0 ORDER BY number").map((row) => toBatchRecord(toBatch(row)));
}

interface NewState {
  readonly batch: string;
  readonly state: "open" | "paused" | "closed";
  readonly reason: string;
  readonly now: number;
}

export function setBatchState(db: Database, { batch, state, reason, now }: NewState): void {
  db.write("setBatchState", "last-word", () => {
    const { number } = requireBatch(db, batch);
    db.run(setState, { state, reason: prose(reason), now, number });
    if (state !== "paused") clearWaits(db, number);
  });
}

/** The next supervisor takes them; one that is at work keeps those it began with. */
export function setBatchSettings(db: Database, batch: string, settings: BatchSettings): void {
  db.write("setBatchSettings", "ordinary", () => {
    const values = [JSON.stringify(settings), settings.attempts, batch];
    if (db.run("UPDATE batch SET settings = ?, most_attempts = ? WHERE name = ?", values) === 0) unknownBatch(batch);
  });
}

export function setBatchRequest(db: Database, batch: string, request: BatchRecord["request"]): void {
  db.write("setBatchRequest", "last-word", () => {
    if (db.run("UPDATE batch SET request = ? WHERE name = ?", [request, batch]) === 0) unknownBatch(batch);
  });
}

export function readBatchRequest(db: Database, batch: string): BatchRecord["request"] {
  const row = db.get("SELECT request FROM batch WHERE name = ?", [batch]) ?? unknownBatch(batch);
  return text(row, "request") as BatchRecord["request"];
}
