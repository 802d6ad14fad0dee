/**
 * Boards: the tasks of a plan, for whoever looks at them or changes them without a run. Each method is one transaction. The words of a board without a file are changed
 * here; those of a plan file are the file's.
 */
import type { RunId, TaskKey, WindowId } from "../core/ids.ts";
import type { PlanSettings } from "../core/run-settings.ts";
import type { PlannedTask, Task, TaskMove, TaskState } from "../core/task.ts";
import type { TaskChange } from "./store.ts";

export interface BoardRecord {
  /** Ours, within one store. */
  readonly id: number;
  readonly kind: PlanSettings["kind"];
  /** Real path of the git common dir. */
  readonly repository: string;
  /** Empty = all worktrees of the repository. */
  readonly worktree: string;
  /** Of the plan file; empty = it has none. */
  readonly path: string;
  readonly hasTasks: boolean;
}

/** One move, or a change of words. */
export interface TaskHistory {
  readonly task: TaskKey;
  readonly move: TaskMove | "add" | "edit" | "remove";
  readonly from: TaskState | null;
  readonly to: TaskState | null;
  readonly why: string;
  /** `person`, `harness`, `window N`, or a member's name. */
  readonly by: string;
  readonly at: number;
  readonly run: RunId | null;
  readonly window: WindowId | null;
}

/** Values, or how they follow from the tasks as they stand: asked inside the transaction, so that two who add at once draw no key twice. What it throws leaves all as it was. */
export type Decided<T> = readonly T[] | ((known: readonly Task[]) => readonly T[]);

export interface PutBy {
  readonly by: string;
  /** For the history of those that were added. */
  readonly why?: string;
  /** Moves of those that were added; of others they are left out. */
  readonly changes: Decided<TaskChange>;
}

export interface BoardStore {
  /** The board of the repository that has no file; null = none yet. */
  ofRepository(repository: string): Promise<BoardRecord | null>;
  /** The tasks that a run works through. */
  ofRun(run: RunId): Promise<BoardRecord>;
  /**
   * Tasks of the board without a file, which is made where there is none: new keys are added at the end, known ones get these words and keep their state; the others stay.
   */
  put(
    repository: string,
    tasks: Decided<PlannedTask>,
    how: PutBy,
    now: number,
  ): Promise<{ readonly board: BoardRecord; readonly added: readonly TaskKey[]; readonly edited: readonly TaskKey[] }>;
  /** By place. */
  tasks(board: number): Promise<readonly Task[]>;
  /** Oldest first; of one task, or of all. Of a change of words `why` names what of them changed. */
  history(board: number, task?: TaskKey): Promise<readonly TaskHistory[]>;
  /** On a person's word. Illegal moves throw; all or nothing. */
  move(board: number, changes: Decided<TaskChange>, now: number): Promise<void>;
}
