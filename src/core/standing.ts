/** Where the plan stands, counted from the store's tasks. */
import type { PlanStanding } from "./outcome.ts";
import { blockedByFailed } from "./plan-order.ts";
import type { Task } from "./task.ts";

/** Every task counts in exactly one of open, waiting, done and failed. */
export function planStanding(tasks: readonly Task[]): PlanStanding {
  const neverWorkable = new Set<string>(blockedByFailed(tasks).map(({ key }) => key));
  const waiting = waitingTasks(tasks);
  const pending = (task: Task) => task.state === "pending";
  const count = (test: (task: Task) => boolean) => tasks.filter(test).length;
  return {
    total: tasks.length,
    open: count((task) => pending(task) && !neverWorkable.has(task.key) && !waiting.has(task.key)),
    waiting: count((task) => task.state === "blocked" || (pending(task) && waiting.has(task.key) && !neverWorkable.has(task.key))),
    done: count((task) => task.state === "done"),
    claimed: count((task) => task.state === "done" && task.doneBy === "claimed"),
    failed: count((task) => task.state === "failed" || (pending(task) && neverWorkable.has(task.key))),
  };
}

/** Blocked tasks, and all pending ones that depend on them, at any depth. */
function waitingTasks(tasks: readonly Task[]): ReadonlySet<string> {
  const dependants = new Map<string, Task[]>();
  for (const task of tasks) for (const key of task.dependsOn) dependants.set(key, [...(dependants.get(key) ?? []), task]);
  const waiting = new Set<string>();
  const queue = tasks.filter((task) => task.state === "blocked").map((task) => task.key as string);
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    for (const task of dependants.get(key) ?? []) {
      if (task.state !== "pending" || waiting.has(task.key)) continue;
      waiting.add(task.key);
      queue.push(task.key);
    }
  }
  return waiting;
}

/** The keys that stand against a DONE; empty = it holds. */
export function openKeys(tasks: readonly Task[]): readonly string[] {
  return tasks.filter((task) => task.state === "pending" || task.state === "blocked").map((task) => task.key);
}
