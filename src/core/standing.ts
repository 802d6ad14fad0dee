/** Where the plan stands, counted from the store's tasks. */
import type { PlanStanding } from "./outcome.ts";
import { blockedByFailed } from "./plan-order.ts";
import { isHeldUp, isOpen, type Task } from "./task.ts";

/** Every task counts in exactly one of open, waiting, done and failed. */
export function planStanding(tasks: readonly Task[]): PlanStanding {
  const neverWorkable = new Set<string>(blockedByFailed(tasks).map(({ key }) => key));
  const waiting = waitingTasks(tasks);
  const count = (test: (task: Task) => boolean) => tasks.filter(test).length;
  return {
    total: tasks.length,
    open: count((task) => isOpen(task) && !neverWorkable.has(task.key) && !waiting.has(task.key)),
    waiting: count((task) => isHeldUp(task) || (isOpen(task) && waiting.has(task.key) && !neverWorkable.has(task.key))),
    done: count((task) => task.state === "done"),
    claimed: count((task) => task.state === "done" && task.doneBy === "claimed"),
    failed: count((task) => task.state === "failed" || (isOpen(task) && neverWorkable.has(task.key))),
  };
}

/** What only a person can set going, and all open tasks that depend on it, at any depth. */
function waitingTasks(tasks: readonly Task[]): ReadonlySet<string> {
  const dependants = new Map<string, Task[]>();
  for (const task of tasks) for (const key of task.dependsOn) dependants.set(key, [...(dependants.get(key) ?? []), task]);
  const waiting = new Set<string>();
  const queue = tasks.filter(isHeldUp).map((task) => task.key as string);
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    for (const task of dependants.get(key) ?? []) {
      if (!isOpen(task) || waiting.has(task.key)) continue;
      waiting.add(task.key);
      queue.push(task.key);
    }
  }
  return waiting;
}

/** The keys that stand against a DONE; empty = it holds. */
export function openKeys(tasks: readonly Task[]): readonly string[] {
  return tasks.filter((task) => isOpen(task) || isHeldUp(task)).map((task) => task.key);
}
