/** Batches, jobs and attempts as rows, and back. */
import { type JobState, jobKey } from "../../../core/batch/job.ts";
import { unknownBatch } from "../../../core/batch/refusals.ts";
import type { BatchSettings } from "../../../core/batch/settings.ts";
import type { AttemptRecord, BatchRecord, JobRecord } from "../../../ports/batch-store.ts";
import type { Database, Row } from "./database.ts";
import { int, json, maybeInt, maybeText, text } from "./rows.ts";

/** A batch with what only the tables know of it. */
export interface BatchRow extends BatchRecord, BatchPlace {
  readonly jobs: number;
  readonly firstJob: number;
}

/** What each claim and each end must know: without the settings, whose text would be read each time. */
export interface BatchPlace {
  readonly number: number;
  readonly name: string;
  readonly version: string;
  readonly state: BatchRecord["state"];
  readonly mostAttempts: number;
  readonly lastJob: number;
}

const placeByName = "SELECT number, name, version, state, most_attempts, last_job FROM batch WHERE name = ? AND is_new = 0";
const byName = "SELECT * FROM batch WHERE name = ? AND is_new = 0";

export function findBatchRow(db: Database, name: string): BatchRow | null {
  const row = db.get(byName, [name]);
  return row === undefined ? null : toBatch(row);
}

export function findPlace(db: Database, name: string): BatchPlace | null {
  const row = db.get(placeByName, [name]);
  if (row === undefined) return null;
  return {
    number: int(row, "number"),
    name,
    version: text(row, "version"),
    state: text(row, "state") as BatchRecord["state"],
    mostAttempts: int(row, "most_attempts"),
    lastJob: int(row, "last_job"),
  };
}

export function requireBatch(db: Database, name: string): BatchRow {
  return findBatchRow(db, name) ?? unknownBatch(name);
}

export function toBatch(row: Row): BatchRow {
  return {
    number: int(row, "number"),
    name: text(row, "name"),
    version: text(row, "version"),
    settings: json<BatchSettings>(row, "settings"),
    mostAttempts: int(row, "most_attempts"),
    state: text(row, "state") as BatchRecord["state"],
    reason: text(row, "reason"),
    request: text(row, "request") as BatchRecord["request"],
    addedAt: int(row, "added_at"),
    closedAt: maybeInt(row, "closed_at"),
    archivedTo: maybeText(row, "archived_to"),
    jobs: int(row, "jobs"),
    firstJob: int(row, "first_job"),
    lastJob: int(row, "last_job"),
  };
}

export function toBatchRecord({ name, version, settings, state, reason, request, addedAt, closedAt, archivedTo }: BatchRow): BatchRecord {
  return { name, version, settings, state, reason, request, addedAt, closedAt, archivedTo };
}

export function toJob(row: Row, { name, version }: Pick<BatchRow, "name" | "version">): JobRecord {
  const id = text(row, "id");
  return {
    batch: name,
    id,
    key: jobKey(name, id, version),
    state: text(row, "state") as JobState,
    attempts: int(row, "attempts"),
    fence: int(row, "fence"),
    round: int(row, "round"),
    slot: maybeText(row, "slot"),
    reason: text(row, "reason"),
    notBefore: int(row, "not_before"),
    addedAt: int(row, "added_at"),
    endedAt: maybeInt(row, "ended_at"),
  };
}

export function toAttempt(row: Row): AttemptRecord {
  return {
    attempt: int(row, "attempt"),
    fence: int(row, "fence"),
    round: int(row, "round"),
    slot: text(row, "slot"),
    startedAt: int(row, "started_at"),
    endedAt: maybeInt(row, "ended_at"),
    end: text(row, "end") as AttemptRecord["end"],
    reason: text(row, "reason"),
  };
}
