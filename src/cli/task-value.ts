/** Tasks as `--json` gives them, and the words for what stands in them. */

import type { Task, TaskState } from "../core/task.ts";
import { noPriority } from "../core/task-priority.ts";
import type { BoardLook } from "../engine/board.ts";
import type { BoardRecord } from "../ports/board.ts";

export const taskStates = [
  "pending",
  "in-progress",
  "checking",
  "done",
  "failed",
  "blocked",
  "waiting-person",
] as const satisfies readonly TaskState[];

export function boardValue({ kind, path }: BoardRecord) {
  return { kind, path };
}

export function taskValue(task: Task, { done, questions, ownerOf }: BoardLook) {
  const { key, title, state, doneBy, owner, reason, attempts, priority, dependsOn, objective, context, lastEvidence } = task;
  return {
    ...{ key, title, state, doneBy, reason, attempts },
    owner: owner === null ? null : ownerOf(owner),
    run: owner,
    question: questions.get(key) ?? null,
    waitsFor: state === "done" ? [] : dependsOn.filter((need) => !done.has(need)),
    after: dependsOn,
    priority: priority === noPriority ? null : priority,
    objective,
    criteria: task.criteria.map(({ text }) => text),
    context,
    lastEvidence,
  };
}

export type TaskValue = ReturnType<typeof taskValue>;

/** `3 done, 1 in-progress`; states that no task has are left away. */
export function countStates(tasks: readonly Pick<Task, "state">[]): string {
  const counts = taskStates.map((state) => [tasks.filter((task) => task.state === state).length, state] as const);
  return counts.flatMap(([number, state]) => (number === 0 ? [] : [`${number} ${state}`])).join(", ");
}
