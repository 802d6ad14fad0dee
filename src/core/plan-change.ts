/**
 * What changed between two readings of a plan. A task is known by its key; one without a key of its own by its title, since its key was
 * made by order and moves when a line is put in above. A task that is given another key is another task.
 * The result speaks of tasks by the keys of the earlier reading, so that whoever keeps them need not care how the later one counted.
 */
import type { Criterion } from "./criteria/criterion.ts";
import { type TaskKey, taskKey } from "./ids.ts";
import type { PlannedTask } from "./task.ts";

export interface PlanChange {
  /** A claim, where a window did it. */
  readonly ticked: readonly TaskKey[];
  readonly unticked: readonly TaskKey[];
  readonly added: readonly TaskKey[];
  readonly removed: readonly TaskKey[];
  /** Title, objective, criteria, context, allowances, dependencies or priority differ. */
  readonly reworded: readonly TaskKey[];
}

export interface PlanMatch {
  /** The later plan under the keys of the earlier one; a new task keeps its key, or gets the next free one when that is taken. */
  readonly tasks: readonly PlannedTask[];
  /** From these keys to those of the later reading, which its marks are written by. */
  readonly keysInPlan: ReadonlyMap<TaskKey, TaskKey>;
}

export function comparePlans(before: readonly PlannedTask[], after: readonly PlannedTask[]): PlanChange {
  const earlier = new Map(before.map((task) => [task.key, task]));
  const { tasks } = matchPlan(before, after);
  const later = new Set(tasks.map((task) => task.key));
  const keysOf = (changed: (task: PlannedTask, was: PlannedTask) => boolean): readonly TaskKey[] =>
    tasks.flatMap((task) => {
      const was = earlier.get(task.key);
      return was !== undefined && changed(task, was) ? [task.key] : [];
    });
  return {
    ticked: keysOf((task, was) => task.ticked && !was.ticked),
    unticked: keysOf((task, was) => !task.ticked && was.ticked),
    added: tasks.filter((task) => !earlier.has(task.key)).map((task) => task.key),
    removed: before.filter((task) => !later.has(task.key)).map((task) => task.key),
    reworded: keysOf((task, was) => changedWords(was, task).length > 0),
  };
}

/** Finds each task of the later reading in the earlier one. */
export function matchPlan(before: readonly PlannedTask[], after: readonly PlannedTask[]): PlanMatch {
  const identities = identitiesOf(before, after);
  const kept = new Set(identities.values());
  const taken = new Set<TaskKey>([...before.map((task) => task.key), ...after.filter((task) => task.keyGiven).map((task) => task.key)]);
  const keys = new Map<TaskKey, TaskKey>();
  let next = 1;
  for (const task of after) {
    let key = identities.get(task.key) ?? task.key;
    const isNew = !identities.has(task.key) && (!task.keyGiven || kept.has(task.key));
    if (isNew) for (; taken.has(key); next += 1) key = taskKey(`T${next}`);
    taken.add(key);
    keys.set(task.key, key);
  }
  const known = (key: TaskKey): TaskKey => keys.get(key) ?? key;
  return {
    tasks: after.map((task) => ({ ...task, key: known(task.key), dependsOn: task.dependsOn.map(known) })),
    keysInPlan: new Map([...keys].map(([inPlan, key]) => [key, inPlan])),
  };
}

/** From keys of the later reading to those of the earlier one. */
function identitiesOf(before: readonly PlannedTask[], after: readonly PlannedTask[]): ReadonlyMap<TaskKey, TaskKey> {
  const found = new Map<TaskKey, TaskKey>();
  const left = new Map(before.map((task) => [task.key, task]));
  const match = (task: PlannedTask, was: PlannedTask | undefined): void => {
    if (was === undefined) return;
    found.set(task.key, was.key);
    left.delete(was.key);
  };
  const sameKey = (task: PlannedTask): PlannedTask | undefined => left.get(task.key);
  for (const task of after) {
    const was = task.keyGiven ? sameKey(task) : undefined;
    if (was?.keyGiven || was?.title === task.title) match(task, was);
  }
  const byTitle = Map.groupBy(left.values(), (task) => task.title);
  for (const task of after) if (!task.keyGiven) match(task, byTitle.get(task.title)?.shift());
  // What is left under its old key was reworded, as far as anyone can tell.
  for (const task of after) if (!found.has(task.key)) match(task, sameKey(task));
  return found;
}

/** What of the words differs, as a person names it. The text of a criterion says all of it. */
export function changedWords(was: PlannedTask, is: PlannedTask): readonly (keyof Words)[] {
  const [before, after] = [wordsOf(was), wordsOf(is)];
  return (Object.keys(before) as (keyof Words)[]).filter((name) => before[name] !== after[name]);
}

type Words = ReturnType<typeof wordsOf>;

/** All that a person words, each as a text to be compared. */
function wordsOf({ title, objective, criteria, context, allows, dependsOn, priority }: PlannedTask) {
  const checks = JSON.stringify(criteria.map((criterion: Criterion) => criterion.text));
  return {
    title,
    objective,
    criteria: checks,
    context: JSON.stringify(context),
    allows: JSON.stringify(allows ?? []),
    after: JSON.stringify(dependsOn),
    priority: `${priority}`,
  };
}
