/**
 * Lists of tasks that people keep elsewhere: each importer knows one kind of file, reads all of it or none of it, and sets marks in it without changing another byte. The first
 * that knows a file reads it; a plan is known last, since any text may be meant as one.
 */
import type { TaskKey } from "../core/ids.ts";
import type { PlannedTask } from "../core/task.ts";
import type { PlanParse } from "./plans.ts";

export interface ListImporter {
  /** By the file's name and what stands in it. Total: never throws. */
  knows(path: string, text: string): boolean;
  /** Total: never throws. */
  read(path: string, text: string): ListReading;
}

export type ListReading =
  | {
      readonly kind: "list";
      readonly tasks: readonly PlannedTask[];
      readonly notes: readonly string[];
      /** The file's text with the marks of these tasks set, by the keys of this reading. */
      withMarks(marks: ReadonlyMap<TaskKey, boolean>): string;
    }
  | Extract<PlanParse, { readonly kind: "broken" }>;
