/** Removes what was only kept to be looked up: old events and evidence of runs that ended. The triggers of the log refuse any other removal. */
import type { Database } from "./database.ts";

const ended = "SELECT id FROM run WHERE ended_at IS NOT NULL";
const oldClaims = `SELECT id FROM claim WHERE at < :before AND run IN (${ended})`;

/** Number of events and of pieces of evidence removed. */
export function prune(db: Database, before: number): number {
  return db.write("prune", "ordinary", () => {
    db.run("UPDATE retention SET before = :before", { before });
    const events = db.run(`DELETE FROM event WHERE at < :before AND run IN (${ended})`, { before });
    const evidence = db.run(`DELETE FROM evidence WHERE claim IN (${oldClaims})`, { before });
    db.run(`DELETE FROM claim WHERE at < :before AND run IN (${ended})`, { before });
    db.run("UPDATE retention SET before = 0");
    return events + evidence;
  });
}
