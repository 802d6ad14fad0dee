/** Claims of windows, what the checks saw of them, and what became of them. */
import type { CriterionKind } from "../../../core/criteria/criterion.ts";
import type { Evidence, Figures } from "../../../core/evidence.ts";
import type { RunId, TaskKey, WindowId } from "../../../core/ids.ts";
import type { Finding } from "../../../core/integrity/finding.ts";
import type { ClaimRecord, StoredEvidence, StoredFinding } from "../../../ports/store.ts";
import type { Database, Row } from "./database.ts";
import { addEvents } from "./events.ts";
import { planOfGoing } from "./plans.ts";
import { int, json, maybeInt, maybeText, prose, text } from "./rows.ts";
import { findTask, moveTask } from "./tasks.ts";

const add =
  "INSERT INTO claim (run, window, plan, task, refused, at, head, findings) VALUES (:run, :window, :plan, :task, :refused, :now, :head, :findings)";
const accepted = "SELECT head FROM claim WHERE run = :run AND head IS NOT NULL ORDER BY id DESC LIMIT 1";
const found = "SELECT task, window, findings FROM claim WHERE run = :run AND findings IS NOT NULL ORDER BY id";
const addEvidence =
  "INSERT INTO evidence (claim, criterion, kind, verdict, detail, figures, counts_from, duration_ms, head) VALUES (:claim, :criterion, :kind, :verdict, :detail, :figures, :countsFrom, :durationMs, :head)";
const refuse = "UPDATE task SET last_evidence = :refusal WHERE plan = :plan AND key = :task";
const list = `SELECT evidence.*, claim.window, claim.task, claim.at FROM evidence JOIN claim ON claim.id = evidence.claim WHERE claim.run = :run ORDER BY evidence.id`;
/** A task that was closed here, lost again and closed by another window is that one's. */
const closed = `SELECT task FROM task_move WHERE window = :window AND move = 'close' AND task IN (SELECT task FROM claim WHERE window = :window AND refused = 0)
  AND id = (SELECT max(id) FROM task_move AS later WHERE later.plan = task_move.plan AND later.task = task_move.task) ORDER BY id`;
const refused = `SELECT claim.task FROM claim JOIN task ON task.plan = claim.plan AND task.key = claim.task
  WHERE claim.window = :window AND claim.refused = 1 AND task.state <> 'done' GROUP BY claim.task ORDER BY min(claim.id)`;

/** A window that a death cut short is played again: what it claimed is no return. */
const returns = `SELECT count(*) AS count FROM claim WHERE run = :run AND task = :task AND refused = 1 AND EXISTS (SELECT 1 FROM evidence WHERE claim = claim.id)
  AND NOT EXISTS (SELECT 1 FROM window WHERE window.id = claim.window AND result ->> '$.exit.kind' = 'lost')
  AND at > (SELECT coalesce(max(answered_at), -1) FROM question WHERE run = :run AND task = :task AND source = 'returns' AND state = 'answered')`;

/** False = the task is no longer the run's: what was seen is kept, and moves nothing. */
export function recordClaim(db: Database, claimed: ClaimRecord, now: number): boolean {
  const { run, window, task, evidence, findings, commit, change, refusal } = claimed;
  return db.write("recordClaim", "last-word", () => {
    const plan = planOfGoing(db, run);
    const { state, owner } = findTask(db, plan, task);
    const isOurs = owner === run || (owner === null && state === "pending");
    const claim = db.insert(add, {
      ...{ run, window, plan, task, refused: change === null && refusal !== "" ? 1 : 0, now },
      head: change === null || commit === "" || !isOurs ? null : commit,
      findings: findings.length === 0 ? null : prose(JSON.stringify(findings)),
    });
    for (const one of evidence) putEvidence(db, claim, one);
    const scene = { plan, run, window, now };
    if (!isOurs) addEvents(db, run, [{ kind: "claim.lost", window, data: { task, state } }], now);
    else if (change !== null) moveTask(db, scene, change);
    else if (refusal === "") addEvents(db, run, [{ kind: "claim.waiting", window, data: { task } }], now);
    else {
      db.run(refuse, { plan, task, refusal: prose(refusal) });
      if (state === "checking")
        moveTask(db, scene, { key: task, move: isWindowOpen(db, window) ? "refuse" : "release", reason: "", by: "harness" });
      addEvents(db, run, [{ kind: "claim.refused", window, data: { task, refusal } }], now);
    }
    return isOurs;
  });
}

/** An approval may be settled after its window has ended: nobody works on the task then. */
function isWindowOpen(db: Database, window: WindowId): boolean {
  return db.get("SELECT 1 FROM window WHERE id = :window AND state = 'open'", { window }) !== undefined;
}

function putEvidence(db: Database, claim: number, one: Evidence): void {
  const { criterion, kind, verdict, detail, figures, countsFrom, durationMs, commit } = one;
  db.run(addEvidence, {
    claim,
    criterion: prose(criterion),
    kind: kind ?? null,
    verdict,
    detail: prose(detail),
    figures: figures === undefined ? null : JSON.stringify(figures),
    countsFrom: countsFrom ?? null,
    durationMs: Math.round(durationMs),
    head: commit,
  });
}

export function listEvidence(db: Database, run: RunId): readonly StoredEvidence[] {
  return db.all(list, { run }).map(toEvidence);
}

export function listFindings(db: Database, run: RunId): readonly StoredFinding[] {
  return db.all(found, { run }).flatMap((row) =>
    json<readonly Finding[]>(row, "findings").map((one) => ({
      ...one,
      task: text(row, "task") as TaskKey,
      window: text(row, "window") as WindowId,
    })),
  );
}

export function lastAccepted(db: Database, run: RunId): string | null {
  const row = db.get(accepted, { run });
  return row === undefined ? null : text(row, "head");
}

/** Refused claims that were measured, of one task in one run, since a person last said that it may go on. */
export function countReturns(db: Database, run: RunId, task: TaskKey): number {
  return int(db.get(returns, { run, task }) ?? {}, "count");
}

export function closedIn(db: Database, window: WindowId): readonly TaskKey[] {
  return db.all(closed, { window }).map((row) => text(row, "task") as TaskKey);
}

export function refusedIn(db: Database, window: WindowId): readonly TaskKey[] {
  return db.all(refused, { window }).map((row) => text(row, "task") as TaskKey);
}

function toEvidence(row: Row): StoredEvidence {
  const [kind, countsFrom] = [maybeText(row, "kind"), maybeInt(row, "counts_from")];
  return {
    criterion: text(row, "criterion"),
    ...(kind === null ? {} : { kind: kind as CriterionKind }),
    ...(maybeText(row, "figures") === null ? {} : { figures: json<Figures>(row, "figures") }),
    ...(countsFrom === null ? {} : { countsFrom }),
    verdict: text(row, "verdict") as Evidence["verdict"],
    detail: text(row, "detail"),
    durationMs: int(row, "duration_ms"),
    commit: text(row, "head"),
    window: text(row, "window") as WindowId,
    task: text(row, "task") as TaskKey,
    at: int(row, "at"),
  };
}
