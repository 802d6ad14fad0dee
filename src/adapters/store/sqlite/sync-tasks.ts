/** Takes over the plan as the person has it now. States, attempts and history stay; the words are the plan's. */
import type { RunId, TaskKey } from "../../../core/ids.ts";
import type { PlannedTask } from "../../../core/task.ts";
import type { NewEvent, TaskChange } from "../../../ports/store.ts";
import type { Database, Row } from "./database.ts";
import { addEvents } from "./events.ts";
import { planOfGoing } from "./plans.ts";
import { int, maybeInt, text } from "./rows.ts";
import { moveTasks } from "./tasks.ts";

const known = "SELECT key, wording, ticked, position, removed_at FROM task WHERE plan = :plan";
const add =
  "INSERT INTO task (plan, key, wording, ticked, position, priority) VALUES (:plan, :key, :wording, :ticked, :position, :priority)";
const update =
  "UPDATE task SET wording = :wording, ticked = :ticked, position = :position, priority = :priority, removed_at = NULL WHERE plan = :plan AND key = :key";
const remove = "UPDATE task SET removed_at = :now WHERE plan = :plan AND key = :key";

export function syncTasks(
  db: Database,
  run: RunId,
  planned: readonly PlannedTask[],
  changes: readonly TaskChange[],
  events: readonly NewEvent[],
  now: number,
): void {
  db.write("syncTasks", "ordinary", () => {
    const plan = planOfGoing(db, run);
    const rows = new Map(db.all(known, { plan }).map((row) => [text(row, "key"), row]));
    const kept = new Set<string>(planned.map((task) => task.key));
    const gone = [...rows.values()]
      .filter((row) => maybeInt(row, "removed_at") === null && !kept.has(text(row, "key")))
      .map((row) => text(row, "key") as TaskKey);
    for (const key of gone) db.run(remove, { plan, key, now });
    const facts = [
      ...gone.map((task): NewEvent => ({ kind: "task.removed", data: { task } })),
      ...planned.flatMap((task, position) => putTask(db, plan, { task, position, row: rows.get(task.key) })),
    ];
    addEvents(db, run, facts, now);
    moveTasks(db, { plan, run, window: null, now }, changes);
    addEvents(db, run, events, now);
  });
}

/** One task at its place in the plan; gives what happened to it, nothing where only its place or its tick changed. */
export function putTask(
  db: Database,
  plan: number,
  { task, position, row }: { readonly task: PlannedTask; readonly position: number; readonly row: Row | undefined },
): readonly NewEvent[] {
  const { key, ticked, ...words } = task;
  const wording = JSON.stringify(words);
  const next = { plan, key, wording, ticked: ticked ? 1 : 0, position, priority: words.priority };
  const event = (what: string): NewEvent => ({ kind: `task.${what}`, data: { task: key, title: task.title } });
  if (row === undefined) {
    db.run(add, next);
    putNeeds(db, plan, task);
    return [event("added")];
  }
  const isBack = maybeInt(row, "removed_at") !== null;
  const isReworded = text(row, "wording") !== wording;
  const isSame = !isBack && !isReworded && int(row, "ticked") === next.ticked && int(row, "position") === position;
  if (!isSame) db.run(update, next);
  if (isReworded) putNeeds(db, plan, task);
  return isBack ? [event("added")] : isReworded ? [event("reworded")] : [];
}

/** What it waits for, as a claim asks for it. */
function putNeeds(db: Database, plan: number, { key, dependsOn }: PlannedTask): void {
  db.run("DELETE FROM task_need WHERE plan = :plan AND task = :key", { plan, key });
  for (const need of new Set(dependsOn))
    db.run("INSERT INTO task_need (plan, task, need) VALUES (:plan, :key, :need)", { plan, key, need });
}
