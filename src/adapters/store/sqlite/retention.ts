/** Removes what was only kept to be looked up: old events, evidence and calls of runs that ended. Triggers refuse any other removal. */
import { type AnswerFiles, sweepAnswers } from "./answers.ts";
import type { Database } from "./database.ts";

const ended = "SELECT id FROM run WHERE ended_at IS NOT NULL";
/** The newest call stays, so that no number is given twice; the sums stay, as do calls of jobs. */
const oldCalls = `DELETE FROM call WHERE owner = 'window' AND sent_at < :before AND parent IN (${ended}) AND number < (SELECT max(number) FROM call)`;
const oldClaims = `SELECT id FROM claim WHERE at < :before AND run IN (${ended})`;

/** Number of events, pieces of evidence and calls removed. */
export function prune(db: Database, files: AnswerFiles, before: number): number {
  const removed = db.write("prune", "ordinary", () => {
    db.run("UPDATE retention SET before = :before", { before });
    const events = db.run(`DELETE FROM event WHERE at < :before AND run IN (${ended})`, { before });
    const evidence = db.run(`DELETE FROM evidence WHERE claim IN (${oldClaims})`, { before });
    db.run(`DELETE FROM claim WHERE at < :before AND run IN (${ended})`, { before });
    const calls = db.run(oldCalls, { before });
    db.run("UPDATE retention SET before = 0");
    return events + evidence + calls;
  });
  sweepAnswers(db, files);
  return removed;
}
