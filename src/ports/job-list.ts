/** A list of jobs as a person has it: a file with one JSON object a line, a CSV file, or a folder of files. Read once and whole before anything is made of it. */
import type { NewJob } from "./batch-store.ts";

export interface JobSource {
  readonly path: string;
  readonly ids: JobIds;
  /** Of one job. */
  readonly maxBytes: number;
}

/** `own`: the field `id` where the first job has one, else the line. `field`: one by name, or by JSON pointer. A folder's jobs are called as their files. */
export type JobIds = { readonly kind: "own" } | { readonly kind: "field"; readonly name: string } | { readonly kind: "line" };

export interface JobLists {
  /**
   * Reads and checks the whole list. Throws MidwatchError kind usage for the first thing that is wrong with it, which names file and line; memory does not grow with
   * the list.
   */
  read(source: JobSource): Promise<JobList>;
}

/** A list that was found to be in order, kept aside: the file may change or vanish from now on. */
export interface JobList {
  readonly jobs: number;
  /** In the order of the list; may be asked for again. */
  all(): Iterable<NewJob>;
  close(): void;
}
