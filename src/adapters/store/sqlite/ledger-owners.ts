/** Whether something may still be spent in an owner's name: asked in the transaction of each intent, and of each result, which is booked all the same. */
import type { CallOwner } from "../../../core/money/call.ts";
import type { Database } from "./database.ts";
import { int, text } from "./rows.ts";

const openWindow = `SELECT 1 FROM window JOIN run ON run.id = window.run
  WHERE window.id = :window AND window.run = :run AND window.state = 'open' AND run.phase <> 'ended'`;
const batchOf = "SELECT number, version FROM batch WHERE name = ?";
const held = "SELECT 1 FROM job WHERE batch = ? AND id = ? AND state = 'running' AND fence = ?";
const laterFence = "SELECT 1 FROM call WHERE key = ? AND fence > ? LIMIT 1";
const ofSlot = `SELECT 1 FROM job LEFT JOIN attempt ON attempt.batch = job.batch AND attempt.job = job.number AND attempt.fence = :fence
  WHERE job.batch = :batch AND job.id = :id AND substr(CASE job.state = 'running' AND job.fence = :fence WHEN 1 THEN job.slot ELSE attempt.slot END, 1, length(:seat) + 1) = :seat || '.'`;

type WindowOwner = Extract<CallOwner, { readonly kind: "window" }>;
type JobOwner = Extract<CallOwner, { readonly kind: "job" }>;

export function ownerMay(db: Database, owner: CallOwner): boolean {
  if (owner.kind === "window") return db.fact(`open ${owner.window} ${owner.run}`, () => isOpen(db, owner));
  return owner.fence === null || isHeld(db, owner, owner.fence);
}

function isOpen(db: Database, { window, run }: WindowOwner): boolean {
  return db.get(openWindow, { window, run }) !== undefined;
}

/**
 * Running under this very fence. A job of a batch that is not in these tables has lost its lease at the latest when a later holder has spent in its name:
 * this may change with each call, so it is no fact.
 */
function isHeld(db: Database, owner: JobOwner, fence: number): boolean {
  const place = db.fact(`place of ${owner.batch} ${owner.job}`, () => findPlaceOf(db, owner));
  if (place === null) return db.get(laterFence, [owner.job, fence]) === undefined;
  return db.fact(`held ${fence} ${owner.job}`, () => db.get(held, [place.batch, place.id, fence]) !== undefined);
}

/** Null = there is no such batch here. A key of another version names no job of it. */
function findPlaceOf(db: Database, { batch, job }: JobOwner): { readonly batch: number; readonly id: string } | null {
  const row = db.get(batchOf, [batch]);
  if (row === undefined) return null;
  const end = `:${text(row, "version")}`;
  return { batch: int(row, "number"), id: job.endsWith(end) ? job.slice(batch.length + 1, -end.length) : "" };
}

/** Whether a slot of this seat made, or makes, the attempt. */
export function isOfSeat(db: Database, owner: CallOwner, seat: string): boolean {
  if (owner.kind === "window" || owner.fence === null) return false;
  const place = findPlaceOf(db, owner);
  return place !== null && db.get(ofSlot, { ...place, fence: owner.fence, seat }) !== undefined;
}

export function keyOf(owner: CallOwner): string {
  return owner.kind === "window" ? `window:${owner.window}` : owner.job;
}
