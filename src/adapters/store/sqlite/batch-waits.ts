/** What the slots of each seat wait for, as their supervisors tell it, and whose leases run. Only looked at. */
import type { RunningLease, SlotWait } from "../../../ports/batch-store.ts";
import { requireBatch } from "./batch-rows.ts";
import type { Database } from "./database.ts";
import { int, prose, text } from "./rows.ts";

const put = "INSERT OR REPLACE INTO batch_wait (batch, seat, kind, until, reason) VALUES (?, ?, ?, ?, ?)";
const clear = "DELETE FROM batch_wait WHERE batch = ? AND seat = ?";
const clearAll = "DELETE FROM batch_wait WHERE batch = ?";
const list = "SELECT seat, kind, until, reason FROM batch_wait WHERE batch = ? ORDER BY seat";
const leases = "SELECT slot, until_wall FROM job WHERE batch = ? AND state = 'running' ORDER BY number";

export function setWait(db: Database, name: string, seat: string, wait: Omit<SlotWait, "seat"> | null): void {
  db.write("setBatchWait", "last-word", () => {
    const { number } = requireBatch(db, name);
    if (wait === null) db.run(clear, [number, seat]);
    else db.run(put, [number, seat, wait.kind, Math.round(wait.until), prose(wait.reason)]);
  });
}

/** To be called inside a write: a batch that goes on, or has ended, waits for nothing that was told before. */
export function clearWaits(db: Database, batch: number): void {
  db.run(clearAll, [batch]);
}

export function listWaits(db: Database, name: string): readonly SlotWait[] {
  return db.all(list, [requireBatch(db, name).number]).map((row) => ({
    seat: text(row, "seat"),
    kind: text(row, "kind") as SlotWait["kind"],
    until: int(row, "until"),
    reason: text(row, "reason"),
  }));
}

export function listLeases(db: Database, name: string): readonly RunningLease[] {
  return db.all(leases, [requireBatch(db, name).number]).map((row) => ({ slot: text(row, "slot"), until: int(row, "until_wall") }));
}
