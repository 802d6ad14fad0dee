/**
 * The plans that people have: which form a file has, what is in it, and the same file with other marks.
 * Reading is total and all or nothing. Writing changes the marks' own characters and puts none other than those it was told to.
 */
import type { TaskKey } from "../../core/ids.ts";
import type { PlannedTask } from "../../core/task.ts";
import { nameOf } from "../../core/task-key.ts";
import type { ListImporter } from "../../ports/list-importer.ts";
import type { PlanKind, PlanParse, Plans } from "../../ports/plans.ts";
import { hasCheckBoxes, readCheckBoxes } from "./check-boxes.ts";
import type { Draft } from "./draft.ts";
import { readLines } from "./markdown-lines.ts";
import { linkDrafts } from "./plan-links.ts";
import { type BrokenPlan, type Findings, faultsOf, formatNotes, refuseText } from "./plan-text.ts";
import { readPrd } from "./prd-json.ts";
import { readTaskFile } from "./task-file.ts";
import { isTaskFile, readSections } from "./task-sections.ts";
import { writeList } from "./write-list.ts";

interface ReadPlan {
  readonly kind: "read";
  readonly plan: PlanKind;
  /** One task a draft, in the same order. */
  readonly drafts: readonly Draft[];
  readonly tasks: readonly PlannedTask[];
  readonly notes: readonly string[];
}

const threeForms =
  "write check boxes (`- [ ] T-01 Title`), or the headings OBJECTIVE, COMPLETION CRITERIA and CONTEXT, or a prd.json with userStories";

export const plans: Plans = { parse, withMarks, format: (tasks) => writeList(tasks, (text) => parse("list.md", text)) };

/** Known last: any text may be meant as a plan, and says why it is none. */
export const planImporter: ListImporter = {
  knows: () => true,
  read(path, text) {
    const read = readPlan(path, text);
    if (read.kind === "broken") return read;
    return { kind: "list", tasks: read.tasks, notes: read.notes, withMarks: (marks) => mark(text, read, marks).text };
  },
};

function parse(path: string, text: string): PlanParse {
  const read = readPlan(path, text);
  return read.kind === "broken" ? read : { kind: "plan", plan: read.plan, tasks: read.tasks, notes: read.notes };
}

function withMarks(path: string, text: string, marks: ReadonlyMap<TaskKey, boolean>): ReturnType<Plans["withMarks"]> {
  const read = readPlan(path, text);
  return read.kind === "broken" ? { text, missing: [...marks.keys()] } : mark(text, read, marks);
}

function mark(text: string, { tasks, drafts }: ReadPlan, marks: ReadonlyMap<TaskKey, boolean>): ReturnType<Plans["withMarks"]> {
  const indexes = new Map(tasks.map((task, index) => [nameOf(task.key), index]));
  const missing: TaskKey[] = [];
  const wanted = new Map<Draft, boolean>();
  for (const [key, done] of marks) {
    const draft = drafts[indexes.get(nameOf(key)) ?? -1];
    if (draft === undefined) missing.push(key);
    else wanted.set(draft, done);
  }
  return { text: applyMarks(text, drafts, wanted), missing };
}

function readPlan(path: string, text: string): ReadPlan | BrokenPlan {
  const refused = refuseText(text);
  if (refused !== null) return refused;
  const findings: Findings = { faults: [], notes: [] };
  const { plan, drafts } = readDrafts(path, text, findings);
  const fault = faultsOf(text, findings);
  if (fault !== null) return fault;
  if (drafts.length === 0) return { kind: "broken", line: 0, reason: `there is no task in it: ${threeForms}` };
  const tasks = linkDrafts(text, drafts, findings);
  return faultsOf(text, findings) ?? { kind: "read", plan, drafts, tasks, notes: formatNotes(text, findings) };
}

function readDrafts(path: string, text: string, findings: Findings): { readonly plan: PlanKind; readonly drafts: readonly Draft[] } {
  if (/\.json$/i.test(path) || /^\ufeff?\s*\{/.test(text)) return { plan: "prd-json", drafts: readPrd(text, findings) };
  const lines = readLines(text, findings);
  const inHeadings: Findings = { faults: [], notes: [] };
  const sections = mayBeTaskFile(text) ? readSections(lines, inHeadings) : [];
  if (isTaskFile(sections)) {
    findings.faults.push(...inHeadings.faults.slice(0, 1));
    return { plan: "task-file", drafts: readTaskFile(sections, text.length, findings) };
  }
  const objective = hasCheckBoxes(lines) ? undefined : sections.find((section) => section.part === "objective");
  if (objective !== undefined)
    findings.faults.push({ at: objective.heading?.at ?? 0, reason: "it has an OBJECTIVE and no COMPLETION CRITERIA" });
  return { plan: "check-boxes", drafts: readCheckBoxes(lines, text.length, findings) };
}

/** A long list of check boxes is not looked through for headings: without the word OBJECTIVE, or letters that could hide it, there is no task file. */
function mayBeTaskFile(text: string): boolean {
  return /objec?ti|[^\t\n\r -~]/i.test(text);
}

/** Drafts stand in the file's order, and so do their marks. */
function applyMarks(text: string, drafts: readonly Draft[], wanted: ReadonlyMap<Draft, boolean>): string {
  const pieces: string[] = [];
  let from = 0;
  for (const draft of drafts) {
    const done = wanted.get(draft) ?? draft.ticked;
    if (draft.mark === null || done === draft.ticked) continue;
    pieces.push(text.slice(from, draft.mark.start), done ? draft.mark.done : draft.mark.open);
    from = draft.mark.end;
  }
  return pieces.join("") + text.slice(from);
}
