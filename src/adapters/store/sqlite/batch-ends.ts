/** The ends of attempts. Each is written only where the claim still holds, with the row that tells of the attempt. */
import { afterAttempt } from "../../../core/batch/job.ts";
import type { AttemptEnd, AttemptRecord, JobClaim } from "../../../ports/batch-store.ts";
import { type AnswerFiles, placeBody } from "./answers.ts";
import { findPlace } from "./batch-rows.ts";
import type { Database, Row } from "./database.ts";
import { int, prose, text } from "./rows.ts";

const held = "SELECT * FROM job WHERE batch = ? AND id = ? AND state = 'running' AND fence = ?";
const update = `UPDATE job SET state = ?, attempts = ?, reason = ?, not_before = ?, given_back_at = ?, ended_at = ?,
    slot = NULL, started_at = NULL, until_wall = NULL, until_boot = NULL, boot_id = NULL
  WHERE number = ?`;
const addAttempt = `INSERT INTO attempt (batch, job, fence, attempt, round, slot, started_at, ended_at, end, reason)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const putFailure = "INSERT OR REPLACE INTO job_failure (job, fence, answer, answer_bytes, stderr) VALUES (?, ?, ?, ?, ?)";
const addAnswer = "INSERT INTO job_answer (job, bytes, body, file) VALUES (?, ?, ?, ?)";

/** False = the claim does not hold any more, and nothing was changed. */
export function finishJob(db: Database, files: AnswerFiles, claim: JobClaim, end: AttemptEnd, now: number): boolean {
  return db.write("finishJob", "last-word", () => {
    const batch = findPlace(db, claim.batch);
    const row = batch === null ? undefined : db.get(held, [batch.number, claim.id, claim.fence]);
    if (batch === null || row === undefined) return false;
    endAttempt(db, row, moveOf(end, int(row, "attempts"), batch.mostAttempts, now));
    if (end.kind === "done") {
      const { body, file } = placeBody(files, end.answer);
      db.run(addAnswer, [int(row, "number"), end.answer.byteLength, body, file]);
    }
    if (end.kind === "failed" && end.output !== undefined) {
      const { answer, answerBytes, stderr } = end.output;
      db.run(putFailure, [int(row, "number"), claim.fence, answer === null ? null : prose(answer), answerBytes, prose(stderr)]);
    }
    return true;
  });
}

interface Ending {
  readonly end: Exclude<AttemptRecord["end"], "running">;
  readonly state: "pending" | "done" | "failed";
  /** That count, afterwards. */
  readonly attempts: number;
  readonly reason: string;
  readonly notBefore: number;
  readonly at: number;
}

function moveOf(end: AttemptEnd, attempts: number, most: number, at: number): Ending {
  switch (end.kind) {
    case "done":
      return { end: "done", state: "done", attempts, reason: "", notBefore: 0, at };
    case "failed":
      return {
        end: "failed",
        state: end.forGood ? "failed" : afterAttempt(attempts, most),
        attempts,
        reason: end.reason,
        notBefore: 0,
        at,
      };
    case "released":
      return { end: "released", state: "pending", attempts: attempts - 1, reason: end.reason, notBefore: end.notBefore, at };
  }
}

/** To be called inside a write, with the row of a running job. */
export function endAttempt(db: Database, row: Row, { end, state, attempts, reason, notBefore, at }: Ending): void {
  const number = int(row, "number");
  const now = Math.round(at);
  const why = prose(reason) || (state === "failed" ? "no reason was given" : "");
  const wait = Math.max(0, Math.round(notBefore));
  db.run(update, [state, attempts, why, wait, wait === 0 ? null : now, state === "pending" ? null : now, number]);
  const claim = [int(row, "batch"), number, int(row, "fence"), int(row, "attempts"), int(row, "round"), text(row, "slot")];
  db.run(addAttempt, [...claim, int(row, "started_at"), now, end, why]);
}
