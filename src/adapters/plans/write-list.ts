/**
 * Tasks as a Markdown list that reads back as the same tasks. Words may be anything, and Markdown has no way to say of a line that it is none of our labels: so what was written
 * is read again before it is given away. Check boxes are tried first; a task file takes objectives that would be lists or labels there.
 */
import type { TaskKey } from "../../core/ids.ts";
import { changedWords } from "../../core/plan-change.ts";
import type { PlannedTask } from "../../core/task.ts";
import { noPriority } from "../../core/task-priority.ts";
import { readTitle } from "../../core/task-title.ts";
import type { PlanFormat, PlanParse } from "../../ports/plans.ts";

type Parse = (text: string) => PlanParse;

export function writeList(tasks: readonly PlannedTask[], parse: Parse): PlanFormat {
  const forms = [writeCheckBoxes, writeTaskFile];
  for (const write of forms) {
    const text = write(tasks);
    if (differing(tasks, parse(text)).length === 0) return { kind: "text", text };
  }
  const alone = tasks.map((task) => ({ ...task, dependsOn: [] }));
  const isLost = (task: PlannedTask) => forms.every((write) => differing([task], parse(write([task]))).length > 0);
  const lost = alone.filter(isLost).map(({ key }) => key);
  return { kind: "unwritable", keys: lost.length > 0 ? lost : differing(tasks, parse(writeCheckBoxes(tasks))) };
}

function differing(tasks: readonly PlannedTask[], read: PlanParse): readonly TaskKey[] {
  if (read.kind === "broken" || read.tasks.length !== tasks.length) return tasks.map(({ key }) => key);
  const isSame = (task: PlannedTask, other: PlannedTask | undefined) =>
    other?.keyGiven && other.key === task.key && other.ticked === task.ticked && changedWords(task, other).length === 0;
  return tasks.flatMap((task, index) => (isSame(task, read.tasks[index]) ? [] : [task.key]));
}

function writeCheckBoxes(tasks: readonly PlannedTask[]): string {
  return `# Tasks\n\n${tasks.map(checkBox).join("")}`;
}

function checkBox(task: PlannedTask): string {
  const details = [
    ...headLines(task).map(({ label, value }) => `${label}: ${value}`),
    ...task.criteria.map(({ kind, text }) => (kind === "prose" ? `check: ${text}` : text)),
    ...task.context.map((text) => `context: ${text}`),
  ];
  const objective = task.objective === "" ? [] : task.objective.split("\n").map((line) => (line === "" ? "" : `  ${line}`));
  return `${[`- ${headOf(task)}`, ...details.map((line) => `  - ${line}`), ...objective].join("\n")}\n`;
}

function writeTaskFile(tasks: readonly PlannedTask[]): string {
  return `# Tasks\n\n${tasks.map(taskSections).join("\n")}`;
}

function taskSections(task: PlannedTask): string {
  const items = (texts: readonly string[]) => texts.map((text) => `- ${text}`);
  const context = task.context.length === 0 ? [] : ["### CONTEXT", ...items(task.context)];
  const head = headLines(task).map(({ label, value }) => `${label.toUpperCase()}: ${value}`);
  const criteria = ["### COMPLETION CRITERIA", ...items(task.criteria.map(({ text }) => text))];
  return `${[`## ${headOf(task)}`, ...head, "### OBJECTIVE", task.objective, ...criteria, ...context].join("\n")}\n`;
}

/** `[ ] T-01 Title`; with a colon where the bare key would not be read as one. */
function headOf({ key, title, ticked }: PlannedTask): string {
  const bare = `${key} ${title}`;
  const read = readTitle(bare);
  return `[${ticked ? "x" : " "}] ${read.key === key && read.title === title ? bare : `${key}: ${title}`}`;
}

function headLines({ dependsOn, priority, allows = [] }: PlannedTask): readonly { readonly label: string; readonly value: string }[] {
  return [
    ...(dependsOn.length === 0 ? [] : [{ label: "after", value: dependsOn.join(", ") }]),
    ...(priority === noPriority ? [] : [{ label: "priority", value: `${priority}` }]),
    ...allows.map((value) => ({ label: "allow", value })),
  ];
}
