/** Which tasks can be worked now, and which never can. */
import type { TaskKey } from "./ids.ts";
import { isOpen, type PlannedTask, type Task } from "./task.ts";

export interface Unreachable {
  readonly key: TaskKey;
  /** The failed task at the root of it, or the missing one. */
  readonly by: TaskKey;
}

/** The pending tasks whose dependencies are all done, in working order: by priority, then by place in the plan. */
export function claimable(tasks: readonly Task[]): readonly Task[] {
  const done = new Set(tasks.filter((task) => task.state === "done").map((task) => task.key));
  return tasks
    .filter((task) => task.state === "pending" && task.dependsOn.every((key) => done.has(key)))
    .sort((one, other) => one.priority - other.priority || one.position - other.position);
}

/**
 * The open tasks that can never be worked, because a task they wait for has failed, or is not in the list at all, however long the way there.
 * A blocked task on the way only waits: it becomes unreachable with what it waits for, but is not listed, since it already waits for a person.
 */
export function blockedByFailed(tasks: readonly Task[]): readonly Unreachable[] {
  const present = new Set(tasks.map((task) => task.key));
  const waiting = waitingFor(tasks);
  const roots = new Map<TaskKey, TaskKey>();
  const sources = [
    ...tasks.filter((task) => task.state === "failed").map((task) => task.key),
    ...[...waiting.keys()].filter((key) => !present.has(key)),
  ];
  for (const source of sources) {
    const reached = [source];
    for (let key = reached.pop(); key !== undefined; key = reached.pop()) {
      for (const task of waiting.get(key) ?? []) {
        if (roots.has(task.key)) continue;
        roots.set(task.key, source);
        reached.push(task.key);
      }
    }
  }
  return tasks.flatMap((task) => {
    const by = roots.get(task.key);
    return by === undefined || !isOpen(task) ? [] : [{ key: task.key, by }];
  });
}

/** For each key the tasks that wait for it and are neither done nor failed. */
function waitingFor(tasks: readonly Task[]): ReadonlyMap<TaskKey, readonly Task[]> {
  const waiting = new Map<TaskKey, Task[]>();
  for (const task of tasks) {
    if (task.state === "done" || task.state === "failed") continue;
    for (const key of task.dependsOn) {
      const others = waiting.get(key);
      if (others === undefined) waiting.set(key, [task]);
      else others.push(task);
    }
  }
  return waiting;
}

/** The keys on the way round, first and last the same; empty when there is none. No recursion: a chain may be 10,000 tasks long. */
export function findCycle(tasks: readonly Pick<PlannedTask, "key" | "dependsOn">[]): readonly TaskKey[] {
  const byKey = new Map(tasks.map((task) => [task.key, task]));
  const settled = new Set<TaskKey>();
  for (const task of tasks) {
    if (settled.has(task.key)) continue;
    const path: TaskKey[] = [task.key];
    const onPath = new Set(path);
    const left = [task.dependsOn[Symbol.iterator]()];
    while (path.length > 0) {
      const key = left.at(-1)?.next().value;
      if (key === undefined) {
        left.pop();
        const done = path.pop();
        if (done === undefined) break;
        onPath.delete(done);
        settled.add(done);
      } else if (onPath.has(key)) {
        return [...path.slice(path.indexOf(key)), key];
      } else if (!settled.has(key)) {
        path.push(key);
        onPath.add(key);
        left.push((byKey.get(key)?.dependsOn ?? [])[Symbol.iterator]());
      }
    }
  }
  return [];
}
