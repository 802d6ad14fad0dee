/** The labelled lines of a task, in both Markdown forms: what each of them adds to the task, or why it cannot be taken. */
import type { Criterion } from "../../core/criteria/criterion.ts";
import { criterionLabels, parseCriterion } from "../../core/criteria/parse.ts";
import { codeSpan, looksLikeCommand, strayLabel } from "../../core/criteria/words.ts";
import { parseGrant } from "../../core/guard/policy.ts";
import { noPriority, readPriority } from "../../core/task-priority.ts";
import type { NamedTask } from "./draft.ts";
import { type Label, readLabel, readNames } from "./labels.ts";
import type { Findings } from "./plan-text.ts";

export interface Detail {
  readonly label: Exclude<Label, "objective">;
  readonly text: string;
  readonly at: number;
}

export interface Details {
  readonly criteria: readonly Criterion[];
  readonly context: readonly string[];
  readonly allows: readonly string[];
  readonly after: readonly NamedTask[];
  readonly priority: number;
}

export function readDetails(details: readonly Detail[], findings: Findings): Details {
  const criteria: Criterion[] = [];
  const context: string[] = [];
  const allows: string[] = [];
  const after: NamedTask[] = [];
  let priority = noPriority;
  for (const detail of details) {
    const { label, text, at } = detail;
    if (text === "") continue;
    if (label === "criteria") criteria.push(...readCriterion(text, at, findings));
    else if (label === "context") context.push(text.includes("\n") ? text : (codeSpan(text) ?? text));
    else if (label === "allow") allows.push(...readAllowance(text, at, findings));
    else if (label === "after") after.push(...readNames(text).map((name) => ({ name, at })));
    else priority = priorityOf(detail, findings);
  }
  return { criteria, context, allows, after, priority };
}

/** One criterion, or none with a fault. The plan says so when prose looks as if it should be run. */
export function readCriterion(text: string, at: number, findings: Findings): readonly Criterion[] {
  const label = readLabel(text);
  const criterion = parseCriterion(label?.label === "criteria" && label.value !== "" ? label.value : text);
  if (criterion.kind === "malformed") {
    findings.faults.push({ at, reason: `\`${criterion.text.slice(0, 80)}\` cannot be checked: ${criterion.reason}` });
    return [];
  }
  if (criterion.kind === "prose") noteProse(criterion.text, at, findings);
  return [criterion];
}

/** What reads like a check and is none: a slip of the pen would pass for a criterion. */
export function noteProse(text: string, at: number, findings: Findings): void {
  const shown = text.slice(0, 80);
  const word = strayLabel(text);
  if (looksLikeCommand(text))
    findings.notes.push({ at, text: `\`${shown}\` is prose and is not checked; write \`run: ${shown}\` to have it run` });
  else if (word !== null && readLabel(text) === null)
    findings.notes.push({
      at,
      text: `\`${shown}\` is told to the agent and not checked: \`${word}\` is none of ${[...criterionLabels, "after", "priority", "context", "allow"].join(", ")}`,
    });
}

/** What the guards may let pass; one that cannot be understood would be taken for granted by whoever wrote it. */
export function readAllowance(text: string, at: number, findings: Findings): readonly string[] {
  const read = parseGrant(text, "");
  if (read.kind === "grants") return [text];
  findings.faults.push({ at, reason: `\`allow: ${text.slice(0, 80)}\` cannot be granted: ${read.reason}` });
  return [];
}

function priorityOf({ text, at }: Detail, findings: Findings): number {
  const priority = readPriority(text);
  if (priority === null)
    findings.faults.push({ at, reason: `\`${text.slice(0, 40)}\` is no priority: write a whole number from 0, or high, medium, low` });
  return priority ?? noPriority;
}
