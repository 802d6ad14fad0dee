/** What is wrong with a list of jobs, as the one line that names where. */
import { MidwatchError } from "../../core/error.ts";

export interface Place {
  readonly path: string;
  /** From 1; null = the file as a whole. */
  readonly line: number | null;
}

const nothingAdded = "nothing was added: mend it and add the list again";

export function refuse({ path, line }: Place, what: string, hint: string = nothingAdded, cause?: unknown): MidwatchError {
  return new MidwatchError("usage", "E_JOB_LIST", `${path}${line === null ? "" : `:${line}`}: ${what}`, { hint, cause });
}

/** A text from the list, short enough for a message. */
export function quoted(text: string): string {
  return JSON.stringify(text.length <= 60 ? text : `${text.slice(0, 59)}…`);
}
