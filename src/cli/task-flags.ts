/** The flags that say a task's words. A flag that is not given changes nothing; an empty value takes away. */
import type { TaskWords } from "../core/board-words.ts";
import type { Criterion } from "../core/criteria/criterion.ts";
import { parseCriterion } from "../core/criteria/parse.ts";
import { MidwatchError } from "../core/error.ts";
import { type TaskKey, taskKey } from "../core/ids.ts";
import { noPriority, readPriority } from "../core/task-priority.ts";
import { readKey, readTitle } from "../core/task-title.ts";
import type { App } from "./app.ts";
import type { BoardFlags } from "./task-command.ts";

export interface WordFlags extends Pick<BoardFlags, "board" | "json"> {
  readonly title?: string;
  /** `-` = standard input. */
  readonly objective?: string;
  readonly check?: readonly string[];
  readonly context?: readonly string[];
  readonly after?: string;
  readonly priority?: string;
}

/** As in a plan (docs/spec/plan.md). */
const mostBytes = 256 * 1024;

/** Throws MidwatchError kind usage for what cannot be taken. */
export async function readWords(app: App, flags: WordFlags): Promise<TaskWords> {
  const { objective, check, context, after, priority } = flags;
  const title = flags.title === undefined ? undefined : titleOf(flags.title).title;
  const words = {
    ...(title === undefined ? {} : { title }),
    ...(objective === undefined ? {} : { objective: textOf(objective === "-" ? await app.readInput() : objective) }),
    ...(check === undefined ? {} : { criteria: linesOf(check).map(criterionOf) }),
    ...(context === undefined ? {} : { context: linesOf(context) }),
    ...(after === undefined ? {} : { after: after.split(/[,;\s]+/).filter((name) => name !== "") }),
    ...(priority === undefined ? {} : { priority: priorityOf(priority) }),
  };
  const bytes = Buffer.byteLength(JSON.stringify(words));
  if (bytes > mostBytes) throw refused(`the task would have ${Math.ceil(bytes / 1024)} KB of text; ${mostBytes / 1024} KB is the limit`);
  return words;
}

/** Its own words, and the key that they start with, as in a plan. */
export function titleOf(text: string): { readonly key: string | null; readonly title: string } {
  const found = readTitle(text);
  if (found.title === "") throw refused("a task needs a title", "for example: midwatch task add \"Fix the menu\" --check 'run: npm test'");
  return found;
}

export function keyOf(text: string): TaskKey {
  const found = readKey(`${text}:`);
  if (found?.key === text && found.rest === "") return taskKey(text);
  throw refused(`${JSON.stringify(text)} is no key`, "write letters and a number, such as T-7, US-012 or 1.2; without --key one is made");
}

function criterionOf(line: string): Criterion {
  // The label that a plan has before prose says nothing here.
  const criterion = parseCriterion(line.replace(/^(?:check|criterion|critério|criterio)s?:\s*/i, ""));
  if (criterion.kind !== "malformed") return criterion;
  throw refused(`\`${criterion.text}\` cannot be checked: ${criterion.reason}`, "see every form in docs/criteria.md");
}

function priorityOf(text: string): number {
  const priority = text === "" ? noPriority : readPriority(text);
  if (priority !== null) return priority;
  throw refused(`\`${text}\` is no priority: write a whole number from 0, or high, medium, low`);
}

function linesOf(texts: readonly string[]): readonly string[] {
  return texts.map((text) => text.replace(/\s+/g, " ").trim()).filter((text) => text !== "");
}

function textOf(text: string): string {
  if (text.includes("\0")) throw refused("the objective is not text: it has a NUL byte");
  return text.replace(/\r\n?/g, "\n").trim();
}

function refused(reason: string, hint = "see: midwatch task add --help"): MidwatchError {
  return new MidwatchError("usage", "E_TASK_WORDS", reason, { hint: `nothing was changed; ${hint}` });
}
