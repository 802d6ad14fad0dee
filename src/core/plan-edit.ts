/**
 * Whose change is it? What changed in the plan BETWEEN windows is the person's and counts; what a window changed is a claim (a tick) or is
 * noted and changes nothing. Both are differences of two readings of the file; the store's wording stands wherever nobody entitled changed it.
 */
import type { TaskKey } from "./ids.ts";
import { comparePlans, matchPlan, type PlanChange } from "./plan-change.ts";
import type { PlannedTask, Task, TaskMove } from "./task.ts";

export interface PlanEdit {
  /** The whole plan as it stands from now on, in its order. */
  readonly planned: readonly PlannedTask[];
  readonly closed: readonly TaskKey[];
  readonly reopened: readonly TaskKey[];
  /** One line each, for the event log and the report. */
  readonly notes: readonly string[];
}

/**
 * The person's edit between two windows.
 * @param known  the tasks of the store
 * @param before  the plan as it was last read or written by us; null = never
 */
export function personsEdit(known: readonly Task[], before: readonly PlannedTask[] | null, after: readonly PlannedTask[]): PlanEdit {
  if (before === null && known.length === 0)
    return { planned: after, closed: after.filter((task) => task.ticked).map((task) => task.key), reopened: [], notes: [] };
  const base = before ?? known.map((task) => ({ ...task, ticked: task.state === "done" }));
  const change = comparePlans(base, after);
  const state = new Map<string, Task>(known.map((task) => [task.key, task]));
  const fromFile = new Set<string>([...change.added, ...change.reworded]);
  const gone = new Set<string>(change.removed);
  const now = matchPlan(base, after).tasks;
  const inFile = now.flatMap((task) => (fromFile.has(task.key) ? task : (state.get(task.key) ?? [])));
  const listed = new Set<string>(now.map((task) => task.key));
  const onlyKnown = known.filter((task) => !listed.has(task.key) && !gone.has(task.key));
  const addedDone = now.filter((task) => task.ticked && change.added.includes(task.key)).map((task) => task.key);
  return {
    planned: [...inFile, ...onlyKnown],
    closed: [...change.ticked, ...addedDone].filter((key) => state.get(key)?.state !== "done"),
    reopened: change.unticked.filter((key) => state.get(key)?.state === "done"),
    notes: describe(change),
  };
}

/** What one window did to the list. Ticks of open tasks are claims; the rest is noted and changes nothing (C8). */
export function windowsEdit(
  before: readonly PlannedTask[],
  after: readonly PlannedTask[],
): { readonly claims: readonly TaskKey[]; readonly ignored: readonly string[] } {
  const change = comparePlans(before, after);
  return { claims: change.ticked, ignored: describe({ ...change, ticked: [] }) };
}

function describe(change: PlanChange): readonly string[] {
  return (["ticked", "unticked", "added", "removed", "reworded"] as const)
    .filter((kind) => change[kind].length > 0)
    .map((kind) => `${kind} ${shorten(change[kind])}`);
}

function shorten(keys: readonly TaskKey[]): string {
  return keys.length > 10 ? `${keys.slice(0, 10).join(", ")} and ${keys.length - 10} more` : keys.join(", ");
}

/** The move that takes a task to done from where it stands; null where none is legal or needed. */
export function moveFor(task: Task, wish: "close" | "reopen"): TaskMove | null {
  if (wish === "close") return task.state === "done" ? null : "close";
  return task.state === "done" ? "reopen" : null;
}
