/**
 * Tasks and their states. `pending`, `in-progress` (a run has it) and `checking` (a claim of it is being measured) are open; `done` was verified by criteria, is
 * only claimed (no criterion could be run), or was closed by a person; `failed` used up its attempts; `blocked` was put aside by a person; `waiting-person` has a
 * question about it that is open.
 *
 *   pending -> in-progress -> checking -> done
 *      ^------- release -------'  '-> in-progress (refused)
 */
import type { Criterion } from "./criteria/criterion.ts";
import type { RunId, TaskKey } from "./ids.ts";

export type TaskState = "pending" | "in-progress" | "checking" | "done" | "failed" | "blocked" | "waiting-person";
export type TaskMove = "start" | "check" | "refuse" | "release" | "close" | "fail" | "block" | "ask" | "unblock" | "reopen" | "retry";

const whileOpen = { close: "done", fail: "failed", block: "blocked", ask: "waiting-person" } as const;

export const taskMoves = {
  pending: { start: "in-progress", check: "checking", ...whileOpen },
  "in-progress": { check: "checking", release: "pending", ...whileOpen },
  checking: { refuse: "in-progress", release: "pending", ...whileOpen },
  done: { reopen: "pending" },
  failed: { retry: "pending", close: "done" },
  blocked: { unblock: "pending", close: "done", fail: "failed" },
  "waiting-person": { unblock: "pending", close: "done", fail: "failed", block: "blocked" },
} as const satisfies Record<TaskState, Partial<Record<TaskMove, TaskState>>>;

/** Neither over nor waiting for a person. */
export function isOpen({ state }: Pick<Task, "state">): boolean {
  return state === "pending" || state === "in-progress" || state === "checking";
}

/** Only a person can set it going. */
export function isHeldUp({ state }: Pick<Task, "state">): boolean {
  return state === "blocked" || state === "waiting-person";
}

/** How a done task came to be so: `verified` = every criterion held at the commit; `claimed` = it had none that we can run; `person` = a person said so. */
export type DoneBy = "verified" | "claimed" | "person";

/** A task as the plan states it. The plan belongs to the person; windows only claim. */
export interface PlannedTask {
  readonly key: TaskKey;
  /** Whether the key stands in the plan itself. A key made by order (`T3`) moves when a task is put in above: such tasks are known by their title. */
  readonly keyGiven: boolean;
  readonly title: string;
  readonly objective: string;
  readonly criteria: readonly Criterion[];
  readonly context: readonly string[];
  /** What the person lets the guards pass while this task is worked on, such as `delete dist/`; absent = nothing. */
  readonly allows?: readonly string[];
  readonly dependsOn: readonly TaskKey[];
  /** Smaller first; equal ones in the order of the plan. */
  readonly priority: number;
  /** Whether the plan's own mark (box, `passes`) says done. */
  readonly ticked: boolean;
}

/** A task as the store knows it. */
export interface Task extends PlannedTask {
  readonly state: TaskState;
  /** Place in the plan, from 0. */
  readonly position: number;
  readonly attempts: number;
  readonly doneBy: DoneBy | null;
  /** Why it is failed, blocked or waits for a person; empty otherwise. */
  readonly reason: string;
  /** The run that has it; null = nobody. */
  readonly owner: RunId | null;
  /** The evidence of the last refused claim, for the next window; empty when there is none. */
  readonly lastEvidence: string;
}
