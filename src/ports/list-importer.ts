/**
 * Lists of tasks that people keep elsewhere: each importer knows one kind of file, reads all of it or none of it, and sets marks in it without changing another byte. The first
 * that knows a file reads it; a plan is known last, since any text may be meant as one.
 */
import type { Plans } from "./plans.ts";

export interface ListImporter extends Pick<Plans, "parse" | "withMarks"> {
  /** By the file's name and what stands in it. Total: never throws. */
  knows(path: string, text: string): boolean;
}
