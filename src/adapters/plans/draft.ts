/** A task as a reader found it: names not yet looked up, keys not yet given, and the place of its mark. */
import type { Criterion } from "../../core/criteria/criterion.ts";

export interface Draft {
  /** Offsets of the task's text. */
  readonly at: number;
  readonly end: number;
  /** The key that stands in the file; null when it must be made. */
  readonly givenKey: string | null;
  readonly title: string;
  readonly objective: string;
  readonly criteria: readonly Criterion[];
  readonly context: readonly string[];
  readonly allows: readonly string[];
  readonly after: readonly NamedTask[];
  readonly priority: number;
  readonly ticked: boolean;
  /** Null when the file has no place for a mark of this task. */
  readonly mark: MarkPlace | null;
}

/** A task as another one names it. */
export interface NamedTask {
  readonly name: string;
  readonly at: number;
}

/** The text from `start` to `end` becomes `done` or `open`. */
export interface MarkPlace {
  readonly start: number;
  readonly end: number;
  readonly done: string;
  readonly open: string;
}
