/** Statements about tasks. A task changes its state in `moveTask` alone, along taskMoves; the database has the same table and refuses the rest. */
import type { Criterion } from "../../../core/criteria/criterion.ts";
import { parseCriterion } from "../../../core/criteria/parse.ts";
import { MidwatchError } from "../../../core/error.ts";
import type { RunId, TaskKey, WindowId } from "../../../core/ids.ts";
import { type DoneBy, isHeldUp, type PlannedTask, type Task, type TaskMove, type TaskState, taskMoves } from "../../../core/task.ts";
import type { NewEvent, TaskChange } from "../../../ports/store.ts";
import type { Database, Row } from "./database.ts";
import { addEvents } from "./events.ts";
import { planOfGoing } from "./plans.ts";
import { int, json, maybeText, prose, text } from "./rows.ts";

/** Where and when a task changes. */
export interface TaskScene {
  readonly plan: number;
  /** Null = no run: a person at the board. */
  readonly run: RunId | null;
  readonly window: WindowId | null;
  readonly now: number;
}

const inPlan = "plan = :plan AND key = :key AND removed_at IS NULL";
const find = `SELECT * FROM task WHERE ${inPlan}`;
const list = "SELECT * FROM task WHERE plan = :plan AND removed_at IS NULL ORDER BY position";
/** A retried task starts over: with its attempts used up it would fail again at once. What a reopened one lacks is told to the next window. */
const move = `UPDATE task SET state = :to, done_by = :doneBy, reason = :reason, attempts = iif(:move = 'retry', 0, attempts),
  last_evidence = CASE :move WHEN 'close' THEN '' WHEN 'reopen' THEN :why ELSE last_evidence END,
  owner = :owner, until_wall = iif(:owner IS NULL, NULL, until_wall), until_boot = iif(:owner IS NULL, NULL, until_boot), boot_id = iif(:owner IS NULL, NULL, boot_id)
  WHERE plan = :plan AND key = :key AND state = :from`;
const addMove = `INSERT INTO task_move (plan, task, run, window, move, from_state, to_state, why, by, at)
  VALUES (:plan, :key, :run, :window, :move, :from, :to, :why, :by, :now)`;

const pastTense: Readonly<Record<TaskMove, string>> = {
  close: "closed",
  fail: "failed",
  start: "started",
  check: "checked",
  refuse: "refused",
  release: "released",
  block: "blocked",
  ask: "waiting",
  unblock: "unblocked",
  reopen: "reopened",
  retry: "retried",
};

export function listTasks(db: Database, run: RunId): readonly Task[] {
  const row = db.get("SELECT plan FROM run WHERE id = :run", { run });
  return row === undefined ? [] : tasksOf(db, int(row, "plan"));
}

/** By place. */
export function tasksOf(db: Database, plan: number): readonly Task[] {
  return db.all(list, { plan }).map(toTask);
}

export function findTask(db: Database, plan: number, key: TaskKey): Task {
  const row = db.get(find, { plan, key });
  if (row === undefined) throw new MidwatchError("bug", "E_TASK_UNKNOWN", `the plan has no task ${key}`);
  return toTask(row);
}

/** Whether the task stands in the plan: one that was taken out is kept, and is no longer moved. */
export function isInPlan(db: Database, plan: number, key: TaskKey): boolean {
  return db.get(find, { plan, key }) !== undefined;
}

export function changeTasks(db: Database, run: RunId, changes: readonly TaskChange[], events: readonly NewEvent[], now: number): void {
  db.write("changeTasks", "ordinary", () => {
    moveTasks(db, { plan: planOfGoing(db, run), run, window: null, now }, changes);
    addEvents(db, run, events, now);
  });
}

/** To be called inside a write, as are the two below. */
export function moveTasks(db: Database, scene: TaskScene, changes: readonly TaskChange[]): void {
  for (const change of changes) moveTask(db, scene, change);
}

export function moveTask(db: Database, scene: TaskScene, change: TaskChange): void {
  const { state, owner } = findTask(db, scene.plan, change.key);
  applyMove(db, scene, change, { state, owner });
}

/**
 * What an answer does for the task it was about: it goes on, or waits for the next question about it. Also while the task is out of the plan,
 * else it would come back blocked by nothing.
 */
export function unblockTask(db: Database, scene: TaskScene, { key, by, next, isFresh }: Unblocking): void {
  const { plan } = scene;
  const row = db.get("SELECT state FROM task WHERE plan = :plan AND key = :key", { plan, key });
  if (row === undefined || text(row, "state") !== "waiting-person") return;
  if (isFresh) db.run("UPDATE task SET attempts = 0 WHERE plan = :plan AND key = :key", { plan, key });
  if (next === null) applyMove(db, scene, { key, move: "unblock", reason: "", by }, { state: "waiting-person", owner: null });
  else db.run("UPDATE task SET reason = :next WHERE plan = :plan AND key = :key", { plan, key, next: prose(next) });
}

interface Unblocking {
  readonly key: TaskKey;
  readonly by: string;
  /** Why it stays blocked. */
  readonly next: string | null;
  /** Its attempts are counted from none again. */
  readonly isFresh: boolean;
}

function applyMove(
  db: Database,
  { plan, run, window, now }: TaskScene,
  change: TaskChange,
  { state: from, owner }: Pick<Task, "state" | "owner">,
): void {
  const { key, by } = change;
  const moves: Partial<Record<TaskMove, TaskState>> = taskMoves[from];
  const to = moves[change.move];
  if (to === undefined) throw illegal(key, from, change.move);
  const why = prose(change.reason);
  const told = { doneBy: to === "done" ? (change.doneBy ?? null) : null, reason: isHeldUp({ state: to }) || to === "failed" ? why : "" };
  const has = to === "in-progress" || to === "checking" ? (owner ?? run) : null;
  const changed = db.run(move, { plan, key, from, to, move: change.move, why, owner: has, ...told });
  if (changed === 0) throw illegal(key, from, change.move);
  db.run(addMove, { plan, key, run, window, move: change.move, from, to, why, by, now });
  if (run === null) return; // the log is a run's
  const data = { task: key, from, to, reason: change.reason, by, ...(told.doneBy === null ? {} : { doneBy: told.doneBy }) };
  addEvents(db, run, [{ kind: `task.${pastTense[change.move]}`, ...(window === null ? {} : { window }), data }], now);
}

/** One attempt more for each of these, once. */
export function addAttempts(
  db: Database,
  { plan, run, window, now }: TaskScene & { readonly run: RunId; readonly window: WindowId },
  keys: readonly TaskKey[],
): void {
  for (const key of new Set(keys)) {
    const row = db.get(`UPDATE task SET attempts = attempts + 1 WHERE ${inPlan} RETURNING attempts`, { plan, key });
    if (row === undefined) throw new MidwatchError("bug", "E_TASK_UNKNOWN", `the plan has no task ${key}`);
    addEvents(db, run, [{ kind: "task.attempted", window, data: { task: key, attempts: int(row, "attempts") } }], now);
  }
}

function illegal(key: TaskKey, from: TaskState, wish: TaskMove): MidwatchError {
  return new MidwatchError("bug", "E_ILLEGAL_MOVE", `task ${key} is ${from}: there is no move "${wish}" from there`);
}

/** An older version took for prose what has a label now; the person's own line says all of it. */
function readAgain(stored: Criterion): Criterion {
  const now = stored.kind === "prose" ? parseCriterion(stored.text) : stored;
  return now.kind === "malformed" ? stored : now;
}

function toTask(row: Row): Task {
  const wording = json<Omit<PlannedTask, "key" | "ticked">>(row, "wording");
  return {
    ...wording,
    criteria: wording.criteria.map(readAgain),
    key: text(row, "key") as TaskKey,
    ticked: int(row, "ticked") === 1,
    state: text(row, "state") as TaskState,
    position: int(row, "position"),
    owner: maybeText(row, "owner") as RunId | null,
    attempts: int(row, "attempts"),
    doneBy: maybeText(row, "done_by") as DoneBy | null,
    reason: text(row, "reason"),
    lastEvidence: text(row, "last_evidence"),
  };
}
