/** Boards, looked at and changed without a run. States, attempts and history stay whatever the words become. */
import type { RunId, TaskKey, WindowId } from "../../../core/ids.ts";
import { changedWords } from "../../../core/plan-change.ts";
import type { PlannedTask, Task } from "../../../core/task.ts";
import type { BoardRecord, BoardStore, Decided, PutBy, TaskHistory } from "../../../ports/board.ts";
import type { Database, Row } from "./database.ts";
import { DamagedRow } from "./errors.ts";
import { takePlan } from "./plans.ts";
import { int, json, maybeInt, maybeText, prose, text } from "./rows.ts";
import { putTask } from "./sync-tasks.ts";
import { moveTasks, tasksOf } from "./tasks.ts";

const boardRow = "SELECT *, EXISTS (SELECT 1 FROM task WHERE plan = plan.id AND removed_at IS NULL) AS has_tasks FROM plan";
const ofRepository = `${boardRow} WHERE kind = 'board' AND repository = :repository`;
const ofRun = `${boardRow} WHERE id = (SELECT plan FROM run WHERE id = :run)`;
const known = "SELECT key, wording, ticked, position, removed_at FROM task WHERE plan = :plan AND key = :key";
const placesTaken = "SELECT coalesce(max(position) + 1, 0) AS places FROM task WHERE plan = :plan";
const addMove = `INSERT INTO task_move (plan, task, move, from_state, to_state, why, by, at)
  SELECT plan, key, :move, iif(:move = 'add', NULL, state), state, :why, :by, :now FROM task WHERE plan = :plan AND key = :key`;
const history = "SELECT * FROM task_move WHERE plan = :plan AND (:task IS NULL OR task = :task) ORDER BY id";

type Putting = Parameters<BoardStore["put"]>;

export function joinBoards(db: Database): BoardStore {
  return {
    ofRepository: async (repository) => db.read(() => maybeBoard(db.get(ofRepository, { repository }))),
    ofRun: async (run) => db.read(() => maybeBoard(db.get(ofRun, { run })) ?? noPlan(run)),
    put: async (...putting) => putOnBoard(db, ...putting),
    tasks: async (plan) => db.read(() => tasksOf(db, plan)),
    history: async (plan, task) => db.read(() => db.all(history, { plan, task: task ?? null }).map(toHistory)),
    move: async (plan, changes, now) =>
      db.write("moveOnBoard", "ordinary", () =>
        moveTasks(
          db,
          { plan, run: null, window: null, now },
          decided(changes, () => tasksOf(db, plan)),
        ),
      ),
  };
}

function decided<T>(values: Decided<T>, known: () => readonly Task[]): readonly T[] {
  return typeof values === "function" ? values(known()) : values;
}

function putOnBoard(db: Database, repository: Putting[0], tasks: Putting[1], how: Putting[2], now: number) {
  return db.write("putOnBoard", "ordinary", () => {
    const plan = takePlan(db, { repository, worktree: "", settings: { plan: { kind: "board", path: "" } } });
    const before = tasksOf(db, plan);
    const wanted = decided(tasks, () => before);
    const changes = decided(how.changes, () => before);
    const place = placesFrom(db, plan);
    const put = wanted.map((task) => ({ key: task.key, what: putOne(db, plan, task, { ...how, now, place }) }));
    const done = (wish: "add" | "edit") => put.filter(({ what }) => what === wish).map(({ key }) => key);
    const added = new Set(done("add"));
    moveTasks(
      db,
      { plan, run: null, window: null, now },
      changes.filter(({ key }) => added.has(key)),
    );
    return { board: toBoard(db.get(ofRepository, { repository }) ?? {}), added: [...added], edited: done("edit") };
  });
}

/** The places behind the last, one after the other. */
function placesFrom(db: Database, plan: number): () => number {
  let next = int(db.get(placesTaken, { plan }) ?? {}, "places");
  return () => next++;
}

/** What happened to it; null = nothing. */
function putOne(
  db: Database,
  plan: number,
  task: PlannedTask,
  { by, now, why = "", place }: Omit<PutBy, "changes"> & { readonly now: number; readonly place: () => number },
): "add" | "edit" | null {
  const row = db.get(known, { plan, key: task.key });
  const [event] = putTask(db, plan, { task, position: row === undefined ? place() : int(row, "position"), row });
  if (event === undefined) return null;
  const move = row === undefined || maybeInt(row, "removed_at") !== null ? "add" : "edit";
  const changed = move === "add" || row === undefined ? why : changedWords(json<PlannedTask>(row, "wording"), task).join(", ");
  db.run(addMove, { plan, key: task.key, move, by, now, why: prose(changed) });
  return move;
}

function noPlan(run: RunId): never {
  throw new DamagedRow(`run ${run} has no plan`);
}

function maybeBoard(row: Row | undefined): BoardRecord | null {
  return row === undefined ? null : toBoard(row);
}

function toBoard(row: Row): BoardRecord {
  return {
    id: int(row, "id"),
    kind: text(row, "kind") as BoardRecord["kind"],
    repository: text(row, "repository"),
    worktree: text(row, "worktree"),
    path: text(row, "path"),
    hasTasks: int(row, "has_tasks") === 1,
  };
}

function toHistory(row: Row): TaskHistory {
  return {
    task: text(row, "task") as TaskKey,
    move: text(row, "move") as TaskHistory["move"],
    from: maybeText(row, "from_state") as TaskHistory["from"],
    to: maybeText(row, "to_state") as TaskHistory["to"],
    why: text(row, "why"),
    by: text(row, "by"),
    at: int(row, "at"),
    run: maybeText(row, "run") as RunId | null,
    window: maybeText(row, "window") as WindowId | null,
  };
}
