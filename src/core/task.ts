/**
 * Tasks and their states. `pending` is open; `done` was verified by criteria or is only claimed (no criterion could be run);
 * `failed` used up its attempts; `blocked` waits for a person, or for a task that failed.
 */
import type { Criterion } from "./criteria/criterion.ts";
import type { TaskKey } from "./ids.ts";

export type TaskState = "pending" | "done" | "failed" | "blocked";
export type TaskMove = "close" | "fail" | "block" | "unblock" | "reopen" | "retry";

export const taskMoves = {
  pending: { close: "done", fail: "failed", block: "blocked" },
  done: { reopen: "pending" },
  failed: { retry: "pending", close: "done" },
  blocked: { unblock: "pending", close: "done", fail: "failed" },
} as const satisfies Record<TaskState, Partial<Record<TaskMove, TaskState>>>;

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
  /** Why it is failed or blocked; empty otherwise. */
  readonly reason: string;
  /** The evidence of the last refused claim, for the next window; empty when there is none. */
  readonly lastEvidence: string;
}
