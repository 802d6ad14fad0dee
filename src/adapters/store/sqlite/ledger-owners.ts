/** Whether something may still be spent in an owner's name: asked in the transaction of each intent, and of each result, which is booked all the same. */
import type { CallOwner } from "../../../core/money/call.ts";
import type { Database } from "./database.ts";

const openWindow = `SELECT 1 FROM window JOIN run ON run.id = window.run
  WHERE window.id = :window AND window.run = :run AND window.state = 'open' AND run.phase <> 'ended'`;
const laterFence = "SELECT 1 FROM call WHERE key = :job AND fence > :fence LIMIT 1";

/** A job with a fence has lost its lease at the latest when a later holder has spent in its name. */
export function ownerMay(db: Database, owner: CallOwner): boolean {
  if (owner.kind === "window") return db.fact(`open ${owner.window} ${owner.run}`, () => isOpen(db, owner));
  return owner.fence === null || db.get(laterFence, { job: owner.job, fence: owner.fence }) === undefined;
}

function isOpen(db: Database, { window, run }: Extract<CallOwner, { readonly kind: "window" }>): boolean {
  return db.get(openWindow, { window, run }) !== undefined;
}

export function keyOf(owner: CallOwner): string {
  return owner.kind === "window" ? `window:${owner.window}` : owner.job;
}
