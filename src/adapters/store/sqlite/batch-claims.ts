/**
 * Claims and leases. Every time is read after the write lock was had: a lease that waited for it is not born expired. An attempt that nobody ended (its slot
 * starts again, or its lease ended) counts, and its row says `returned`.
 */
import { afterAttempt, jobKey } from "../../../core/batch/job.ts";
import { hasExpired, leaseFrom, type Moment } from "../../../core/batch/lease.ts";
import { unknownBatch } from "../../../core/batch/refusals.ts";
import type { JobClaim } from "../../../ports/batch-store.ts";
import { endAttempt } from "./batch-ends.ts";
import { bodyOf } from "./batch-jobs.ts";
import { type BatchPlace, findPlace } from "./batch-rows.ts";
import type { Database, Row } from "./database.ts";
import { DamagedRow } from "./errors.ts";
import { int, text } from "./rows.ts";

const running = "SELECT * FROM job WHERE batch = ? AND state = 'running'";

/** The first of those that wait for nothing (an entry of the index alone), or an earlier one whose wait is over. */
const next = `SELECT min(number) FROM (
    SELECT * FROM (SELECT number FROM job WHERE batch = :batch AND state = 'pending' AND not_before = 0 AND number <= :last ORDER BY number LIMIT 1)
    UNION ALL
    SELECT number FROM job WHERE batch = :batch AND state = 'pending' AND not_before > 0 AND (not_before <= :now OR given_back_at > :now)
  )`;
const claim = `UPDATE job SET state = 'running', attempts = attempts + 1, fence = fence + 1, slot = :slot, started_at = :now,
    not_before = 0, given_back_at = NULL, until_wall = :untilWallMs, until_boot = :untilBootMs, boot_id = :bootId
  WHERE number = (${next}) AND state = 'pending' RETURNING number, id, attempts, fence, round`;
const renew = `UPDATE job SET until_wall = :untilWallMs, until_boot = :untilBootMs, boot_id = :bootId
  WHERE batch = (SELECT number FROM batch WHERE name = :batch) AND id = :id AND state = 'running' AND fence = :fence`;

interface Claiming {
  readonly batch: string;
  readonly slot: string;
  readonly leaseMs: number;
  readonly now: () => Moment;
}

/**
 * Null = none is to be had now. A claim is not synced by itself: whatever is spent in its name is, and with it the claim. A power cut before that takes the holder
 * along, and the job is pending again.
 */
export function claimJob(db: Database, claiming: Claiming): JobClaim | null {
  return db.unsynced(() => db.write("claimJob", "ordinary", () => claimNext(db, claiming)));
}

function claimNext(db: Database, { batch: name, slot, leaseMs, now }: Claiming): JobClaim | null {
  const batch = findPlace(db, name) ?? unknownBatch(name);
  const moment = now();
  returnWhere(db, batch, moment, "its lease ended", (row) => isExpired(row, moment));
  if (batch.state !== "open") return null;
  const lease = whole(leaseFrom(moment, leaseMs));
  const row = db.get(claim, { ...lease, batch: batch.number, last: batch.lastJob, slot, now: Math.round(moment.wallMs) });
  return row === undefined ? null : toClaim(db, batch, row, slot);
}

function toClaim(db: Database, { name, version }: BatchPlace, row: Row, slot: string): JobClaim {
  const id = text(row, "id");
  const body = bodyOf(db.get("SELECT body FROM job_payload WHERE job = ?", [int(row, "number")]));
  const payload = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  const counts = { attempt: int(row, "attempts"), fence: int(row, "fence"), round: int(row, "round") };
  return { batch: name, id, key: jobKey(name, id, version), payload, ...counts, slot };
}

/** Those that are lost: returned or ended by others, or never there. */
export function renewClaims(db: Database, claims: readonly JobClaim[], leaseMs: number, now: () => Moment): readonly JobClaim[] {
  if (claims.length === 0) return [];
  return db.write("renewClaims", "last-word", () => {
    const lease = whole(leaseFrom(now(), leaseMs));
    return claims.filter(({ batch, id, fence }) => db.run(renew, { ...lease, batch, id, fence }) === 0);
  });
}

/** What slots of this seat left running. Their number. */
export function returnSeat(db: Database, name: string, seat: string, now: Moment): number {
  return db.write("returnSeat", "last-word", () => {
    const batch = findPlace(db, name);
    if (batch === null) return 0;
    return returnWhere(db, batch, now, "midwatch died while it ran, and its slot started again", (row) =>
      text(row, "slot").startsWith(`${seat}.`),
    );
  });
}

function returnWhere(db: Database, batch: BatchPlace, { wallMs }: Moment, reason: string, isMeant: (row: Row) => boolean): number {
  const rows = db.all(running, [batch.number]).filter(isMeant);
  for (const row of rows)
    endAttempt(db, row, {
      end: "returned",
      state: afterAttempt(int(row, "attempts"), batch.mostAttempts),
      attempts: int(row, "attempts"),
      reason,
      notBefore: 0,
      at: wallMs,
    });
  return rows.length;
}

function isExpired(row: Row, now: Moment): boolean {
  return hasExpired({ untilWallMs: int(row, "until_wall"), untilBootMs: real(row, "until_boot"), bootId: text(row, "boot_id") }, now);
}

function whole({ untilWallMs, untilBootMs, bootId }: ReturnType<typeof leaseFrom>) {
  return { untilWallMs: Math.round(untilWallMs), untilBootMs, bootId };
}

function real(row: Row, name: string): number {
  const value = row[name];
  if (typeof value !== "number") throw new DamagedRow(`a row has no proper value in its column ${name}`);
  return value;
}
