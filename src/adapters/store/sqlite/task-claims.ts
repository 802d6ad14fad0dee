/**
 * Who has a task. Each claim looks again inside its own transaction, so that no two runs get the same task, in one process or in several; a lease says until when, where
 * several runs work on one board. Moves of this file are rows of the history as all others are.
 */
import { hasExpired, type Lease, type Moment } from "../../../core/batch/lease.ts";
import type { RunId, TaskKey, WindowId } from "../../../core/ids.ts";
import type { Task } from "../../../core/task.ts";
import type { CheckedClaim, CheckStart, TaskClaim } from "../../../ports/store.ts";
import type { Database, Row } from "./database.ts";
import { planOfGoing } from "./plans.ts";
import { int, text } from "./rows.ts";
import { findTask, moveTask, type TaskScene } from "./tasks.ts";

/** As `claimable` in src/core/plan-order.ts has it; a test compares the two. */
const next = `SELECT key FROM task WHERE plan = :plan AND state = 'pending' AND removed_at IS NULL AND NOT EXISTS (
    SELECT 1 FROM task_need WHERE task_need.plan = task.plan AND task_need.task = task.key AND NOT EXISTS (
      SELECT 1 FROM task AS needed INDEXED BY task_done WHERE needed.plan = task_need.plan AND needed.key = task_need.need AND needed.state = 'done' AND needed.removed_at IS NULL))
  ORDER BY priority, position LIMIT 1`;
const owned = "SELECT key FROM task WHERE owner = :run ORDER BY position";
const leased =
  "SELECT key, until_wall, until_boot, boot_id, owner FROM task INDEXED BY task_owned WHERE plan = :plan AND owner IS NOT NULL AND until_wall IS NOT NULL";
const setLease =
  "UPDATE task SET until_wall = :untilWallMs, until_boot = :untilBootMs, boot_id = :bootId WHERE plan = :plan AND key = :key AND owner = :run";
const renew =
  "UPDATE task SET until_wall = :untilWallMs, until_boot = :untilBootMs, boot_id = :bootId WHERE owner = :run AND until_wall IS NOT NULL";
const toWindow = "UPDATE window SET tasks = json_insert(tasks, '$[#]', :key) WHERE id = :window AND state = 'open'";

/** The first claimable task of the board, or null. What others let their lease end on goes back first. */
export function claimTask(db: Database, { run, window, by, lease }: TaskClaim, moment: Moment): Task | null {
  return db.write("claimTask", "ordinary", () => {
    const plan = planOfGoing(db, run);
    const scene: TaskScene = { plan, run, window, now: moment.wallMs };
    returnExpired(db, scene, moment);
    const row = db.get(next, { plan });
    if (row === undefined) return null;
    const key = text(row, "key") as TaskKey;
    moveTask(db, scene, { key, move: "start", reason: "", by });
    db.run(setLease, { plan, key, run, ...columns(lease) });
    if (window !== null) db.run(toWindow, { window, key });
    return findTask(db, plan, key);
  });
}

/** Renews what the run has; what it lost is others'. */
export function renewTasks(db: Database, run: RunId, lease: Lease): void {
  db.write("renewTasks", "last-word", () => db.run(renew, { run, ...columns(lease) }));
}

/** To be called inside a write: the first task of a window that opens is being worked on. */
export function startFirst(db: Database, scene: TaskScene, keys: readonly TaskKey[], by: string): void {
  const [key] = keys;
  const row = key === undefined ? undefined : db.get("SELECT state FROM task WHERE plan = :plan AND key = :key", { plan: scene.plan, key });
  if (key !== undefined && row !== undefined && text(row, "state") === "pending")
    moveTask(db, scene, { key, move: "start", reason: "", by });
}

/** Before a claim is measured: from here on nobody else has the task. */
export function startCheck(db: Database, run: RunId, window: WindowId, { key, by, lease }: CheckedClaim, now: number): CheckStart {
  return db.write("startCheck", "ordinary", (): CheckStart => {
    const plan = planOfGoing(db, run);
    const task = findTask(db, plan, key);
    if (task.owner !== null && task.owner !== run) return { kind: "held", by: holderOf(db, task.owner) };
    if (task.state === "pending" || task.state === "in-progress")
      moveTask(db, { plan, run, window, now }, { key, move: "check", reason: "", by });
    else if (task.state !== "checking") return { kind: "moved", state: task.state, reason: task.reason };
    if (lease !== null) db.run(setLease, { plan, key, run, ...columns(lease) });
    return { kind: "checking" };
  });
}

/** To be called inside a write: what the run still has is open again. */
export function releaseOwned(db: Database, scene: TaskScene & { readonly run: RunId }, reason: string): void {
  for (const row of db.all(owned, { run: scene.run }))
    moveTask(db, scene, { key: text(row, "key") as TaskKey, move: "release", reason, by: "harness" });
}

/** What a supervisor that died had. */
export function releaseTasks(db: Database, run: RunId, reason: string, now: number): void {
  if (db.get(owned, { run }) === undefined) return;
  db.write("releaseTasks", "last-word", () => {
    const plan = planOfGoing(db, run);
    releaseOwned(db, { plan, run, window: null, now }, reason);
  });
}

function returnExpired(db: Database, scene: TaskScene, moment: Moment): void {
  for (const row of db.all(leased, { plan: scene.plan }))
    if (hasExpired(leaseOf(row), moment))
      moveTask(db, scene, { key: text(row, "key") as TaskKey, move: "release", reason: "its lease ended", by: "harness" });
}

function leaseOf(row: Row): Lease {
  return { untilWallMs: int(row, "until_wall"), untilBootMs: int(row, "until_boot"), bootId: text(row, "boot_id") };
}

function columns({ untilWallMs, untilBootMs, bootId }: Lease) {
  return { untilWallMs: Math.round(untilWallMs), untilBootMs, bootId };
}

/** For people: the member, else the run. */
function holderOf(db: Database, run: RunId): string {
  const row = db.get("SELECT name FROM member WHERE run = :run", { run });
  return row === undefined ? `run ${run}` : text(row, "name");
}
