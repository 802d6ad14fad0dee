/**
 * Task file: OBJECTIVE, COMPLETION CRITERIA and CONTEXT, for one task or for several, each below its own heading.
 * The mark of a task is a box at the start of its heading, if the file has such boxes; else the file has no marks.
 */

import { readTitle } from "../../core/task-title.ts";
import type { Draft, MarkPlace } from "./draft.ts";
import { boxPlace, type Heading, readItem } from "./list-item.ts";
import type { Line } from "./markdown-lines.ts";
import type { Findings } from "./plan-text.ts";
import { type Detail, readDetails } from "./task-details.ts";
import { levelOf, type Outline, type Place, readOutlines, startOf } from "./task-outline.ts";
import type { Section } from "./task-sections.ts";

interface Extent {
  readonly at: number;
  readonly end: number;
}

export function readTaskFile(sections: readonly Section[], end: number, findings: Findings): readonly Draft[] {
  const { outlines, loose } = readOutlines(sections);
  const notes = outlines.flatMap(({ places }) => places.filter(({ as }) => as === null).map(({ section }) => section));
  const heads = outlines.flatMap(({ head }) => (head === null ? [] : [head]));
  for (const section of [...loose, ...heads, ...notes]) refuseBoxes(section, findings);
  refuseTasksWithoutParts(loose, heads, findings);
  const starts = outlines.map(startOf);
  const usesBoxes = heads.some(({ heading }) => heading !== null && heading.box !== null);
  return outlines.map((outline, index) => draftOf(outline, { at: starts[index] ?? 0, end: starts[index + 1] ?? end }, usesBoxes, findings));
}

function draftOf(outline: Outline, extent: Extent, usesBoxes: boolean, findings: Findings): Draft {
  const heading = outline.head?.heading ?? null;
  const objective = objectiveOf(outline);
  const { key, title } = heading === null ? { key: null, title: firstLine(objective) } : readTitle(heading.text);
  refuseParts(outline, key ?? (title.slice(0, 60) || "the task"), extent, findings);
  const details = [...(outline.head?.details ?? []), ...outline.places.flatMap((place) => detailsOf(place, findings))];
  return {
    ...extent,
    givenKey: key,
    title: title || "Untitled",
    objective,
    ...readDetails(details, findings),
    ticked: heading?.box?.ticked ?? false,
    mark: heading === null ? null : markOf(heading, usesBoxes),
  };
}

function markOf(heading: Heading, usesBoxes: boolean): MarkPlace | null {
  if (heading.box !== null) return boxPlace(heading.box);
  return usesBoxes && heading.text !== "" ? { start: heading.at, end: heading.at, done: "[x] ", open: "" } : null;
}

function refuseParts({ places }: Outline, name: string, { at }: Extent, findings: Findings): void {
  const [first, second] = places.filter(({ section }) => section.part === "objective");
  if (first === undefined) findings.faults.push({ at, reason: `${name} has no OBJECTIVE` });
  if (second !== undefined)
    findings.faults.push({
      at: second.section.heading?.at ?? at,
      reason: `a second OBJECTIVE in ${name}: give each task a heading above its sections`,
    });
  if (!places.some(({ as }) => as === "criteria"))
    findings.notes.push({ at, text: `${name} has no COMPLETION CRITERIA: a claim will be taken for it` });
}

/** A heading with a key among the tasks, and nothing of a task below it, would be lost without a word. */
function refuseTasksWithoutParts(loose: readonly Section[], heads: readonly Section[], findings: Findings): void {
  const levels = new Set(heads.map(levelOf));
  for (const section of loose) {
    const key = section.heading === null || !levels.has(levelOf(section)) ? null : readTitle(section.heading.text).key;
    if (key !== null) findings.faults.push({ at: section.heading?.at ?? 0, reason: `${key} has no OBJECTIVE` });
  }
}

function refuseBoxes({ body }: Section, findings: Findings): void {
  const line = body.find((candidate) => candidate.kind === "text" && (readItem(candidate)?.box ?? null) !== null);
  const where = "outside OBJECTIVE, COMPLETION CRITERIA and CONTEXT";
  if (line !== undefined)
    findings.faults.push({
      at: line.at,
      reason: `a check box stands ${where}: give it a heading and these sections, or make the whole file a list of check boxes`,
    });
}

function objectiveOf({ head, places }: Outline): string {
  const texts = places
    .filter(({ as }) => as === "objective" || as === null)
    .map(({ section }) => {
      const isOwn = section.part === null && section.heading !== null;
      return isOwn ? `${section.heading.text}\n${textOf(section.body)}`.trim() : textOf(section.body);
    });
  return [textOf(head?.body ?? []), ...texts].filter((text) => text !== "").join("\n\n");
}

function textOf(body: readonly Line[]): string {
  return body
    .map((line) => line.text.trimEnd())
    .join("\n")
    .trim();
}

function detailsOf({ section, as }: Place, findings: Findings): readonly Detail[] {
  if (as === null || as === "objective") return section.details;
  const isCode = (line: Line): boolean => line.kind === "fence" || line.kind === "code";
  const fence = as === "criteria" ? section.body.find(isCode) : undefined;
  if (fence !== undefined) findings.notes.push({ at: fence.at, text: "a code block is no criterion; write `run: …`" });
  const lines = as === "context" ? section.body : section.body.filter((line) => !isCode(line));
  return [...section.details, ...blocksOf(lines).map((block) => ({ ...block, label: as }))];
}

/** List items and paragraphs, each as one line of text; a code block keeps its lines. */
function blocksOf(lines: readonly Line[]): readonly { readonly text: string; readonly at: number }[] {
  const blocks: { readonly parts: string[]; readonly at: number }[] = [];
  let before: Line["kind"] = "blank";
  for (const line of lines) {
    const item = line.kind === "text" ? readItem(line) : null;
    const runsOn = line.kind === "code" || (line.kind === "text" && before === "text" && item === null);
    const last = blocks.at(-1);
    if (runsOn && last !== undefined) last.parts.push(line.kind === "code" ? `\n${line.text}` : ` ${line.text.trim()}`);
    else if (line.kind !== "blank") blocks.push({ parts: [item?.text ?? line.text.trim()], at: item?.at ?? line.at });
    before = line.kind;
  }
  return blocks.map(({ parts, at }) => ({ text: parts.join(""), at }));
}

/** A title for a task that has no heading. */
function firstLine(objective: string): string {
  const line = objective.split("\n", 1)[0] ?? "";
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}
