/** Task lists that people have. One adapter a format; write-back goes through the same adapter and keeps every byte that is not ours. */
import type { TaskKey } from "../core/ids.ts";
import type { PlannedTask } from "../core/task.ts";

export type PlanKind = "task-file" | "check-boxes" | "prd-json";

export type PlanParse =
  | { readonly kind: "plan"; readonly plan: PlanKind; readonly tasks: readonly PlannedTask[]; readonly notes: readonly string[] }
  /** Whole file refused; nothing is loaded in part. Its first trouble, and `more` of them where there are. */
  | ({ readonly kind: "broken"; readonly more?: readonly PlanTrouble[] } & PlanTrouble);

export interface PlanTrouble {
  /** From 1; 0 when no line can be named. */
  readonly line: number;
  readonly reason: string;
}

export type PlanFormat =
  | { readonly kind: "text"; readonly text: string }
  /** Words of these tasks would read as something else. */
  | { readonly kind: "unwritable"; readonly keys: readonly TaskKey[] };

export interface Plans {
  /** Recognises the format by content and name. Total: never throws. */
  parse(path: string, text: string): PlanParse;
  /** The text with the marks of these tasks set; tasks that are not found are left out and named. Equal text when nothing changes. */
  withMarks(
    path: string,
    text: string,
    marks: ReadonlyMap<TaskKey, boolean>,
  ): { readonly text: string; readonly missing: readonly TaskKey[] };
  /** A Markdown list that reads back as these tasks, whose marks are `ticked`. */
  format(tasks: readonly PlannedTask[]): PlanFormat;
}
