/** Claims of windows, what the checks saw of them, and what became of them. */
import type { Evidence } from "../../../core/evidence.ts";
import type { RunId, TaskKey, WindowId } from "../../../core/ids.ts";
import type { ClaimRecord, StoredEvidence } from "../../../ports/store.ts";
import type { Database, Row } from "./database.ts";
import { addEvents } from "./events.ts";
import { planOfGoing } from "./plans.ts";
import { int, prose, text } from "./rows.ts";
import { findTask, moveTask } from "./tasks.ts";

const add = "INSERT INTO claim (run, window, plan, task, refused, at) VALUES (:run, :window, :plan, :task, :refused, :now)";
const addEvidence =
  "INSERT INTO evidence (claim, criterion, verdict, detail, duration_ms, head) VALUES (:claim, :criterion, :verdict, :detail, :durationMs, :head)";
const refuse = "UPDATE task SET last_evidence = :refusal WHERE plan = :plan AND key = :task";
const list = `SELECT evidence.*, claim.window, claim.task, claim.at FROM evidence JOIN claim ON claim.id = evidence.claim WHERE claim.run = :run ORDER BY evidence.id`;
/** A task that was closed here, lost again and closed by another window is that one's. */
const closed = `SELECT task FROM task_move WHERE window = :window AND move = 'close' AND task IN (SELECT task FROM claim WHERE window = :window AND refused = 0)
  AND id = (SELECT max(id) FROM task_move AS later WHERE later.plan = task_move.plan AND later.task = task_move.task) ORDER BY id`;
const refused = `SELECT claim.task FROM claim JOIN task ON task.plan = claim.plan AND task.key = claim.task
  WHERE claim.window = :window AND claim.refused = 1 AND task.state <> 'done' GROUP BY claim.task ORDER BY min(claim.id)`;

export function recordClaim(db: Database, { run, window, task, evidence, change, refusal }: ClaimRecord, now: number): void {
  db.write("recordClaim", "last-word", () => {
    const plan = planOfGoing(db, run);
    findTask(db, plan, task);
    const claim = db.insert(add, { run, window, plan, task, refused: change === null ? 1 : 0, now });
    for (const one of evidence) putEvidence(db, claim, one);
    if (change !== null) return moveTask(db, { plan, run, window, now }, change);
    db.run(refuse, { plan, task, refusal: prose(refusal) });
    addEvents(db, run, [{ kind: "claim.refused", window, data: { task, refusal } }], now);
  });
}

function putEvidence(db: Database, claim: number, { criterion, verdict, detail, durationMs, commit }: Evidence): void {
  db.run(addEvidence, {
    claim,
    criterion: prose(criterion),
    verdict,
    detail: prose(detail),
    durationMs: Math.round(durationMs),
    head: commit,
  });
}

export function listEvidence(db: Database, run: RunId): readonly StoredEvidence[] {
  return db.all(list, { run }).map(toEvidence);
}

export function closedIn(db: Database, window: WindowId): readonly TaskKey[] {
  return db.all(closed, { window }).map((row) => text(row, "task") as TaskKey);
}

export function refusedIn(db: Database, window: WindowId): readonly TaskKey[] {
  return db.all(refused, { window }).map((row) => text(row, "task") as TaskKey);
}

function toEvidence(row: Row): StoredEvidence {
  return {
    criterion: text(row, "criterion"),
    verdict: text(row, "verdict") as Evidence["verdict"],
    detail: text(row, "detail"),
    durationMs: int(row, "duration_ms"),
    commit: text(row, "head"),
    window: text(row, "window") as WindowId,
    task: text(row, "task") as TaskKey,
    at: int(row, "at"),
  };
}
