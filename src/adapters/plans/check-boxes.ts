/**
 * Check boxes: a list item with a box is a task, and what is indented below it belongs to it.
 *   a box with a key inside a task    a task of its own, which the one above waits for
 *   a box without a key inside one    a criterion of the one above
 *   a labelled line, or a command or file    what docs/spec/plan.md says
 *   any other text                     the objective
 * The open items form a stack; an item or line belongs to the innermost one that it is indented below by two columns.
 */
import { parseCriterion } from "../../core/criteria/parse.ts";
import { readTitle } from "../../core/task-title.ts";
import type { Draft, NamedTask } from "./draft.ts";
import { type Label, type LabelledText, readLabel, readOnlyNames } from "./labels.ts";
import { type Boxed, boxPlace, readHeading, readItem } from "./list-item.ts";
import type { Line } from "./markdown-lines.ts";
import type { Findings } from "./plan-text.ts";
import { type Detail, noteProse, readDetails } from "./task-details.ts";

/** A piece of a task: its lines are gathered first, and judged when all of them are there. */
interface Piece {
  /** "open" pieces are criteria if they read as one, else part of the objective. */
  readonly label: Label | "open";
  readonly at: number;
  readonly lines: string[];
}

interface OpenTask {
  readonly item: Boxed;
  readonly key: string | null;
  readonly title: string;
  readonly indent: number;
  readonly pieces: Piece[];
  readonly children: NamedTask[];
}

interface OpenItem {
  readonly indent: number;
  /** The task it is or is inside of. */
  readonly task: OpenTask | null;
  /** The label that what is below it inherits. */
  readonly label: Label | null;
  /** Where its following lines go; null for the task's own item. */
  readonly piece: Piece | null;
  /** A label on a line of its own, such as `criteria:`: no item, but the list right below it is inside of it. */
  readonly isLine?: true;
}

interface Reader {
  readonly tasks: OpenTask[];
  readonly findings: Findings;
  stack: OpenItem[];
  /** The next line may not run on from the last one. */
  isApart: boolean;
}

export function hasCheckBoxes(lines: readonly Line[]): boolean {
  return lines.some((line) => line.kind === "text" && line.text.includes("[") && (readItem(line)?.box ?? null) !== null);
}

export function readCheckBoxes(lines: readonly Line[], end: number, findings: Findings): readonly Draft[] {
  const reader: Reader = { tasks: [], findings, stack: [], isApart: true };
  for (const line of lines) readLine(reader, line);
  return reader.tasks.map((task, index) => finish(task, reader.tasks[index + 1]?.item.at ?? end, findings));
}

function readLine(reader: Reader, line: Line): void {
  if (line.kind === "comment") return;
  if (line.kind === "blank") {
    reader.isApart = true;
    reader.stack.at(-1)?.task?.pieces.at(-1)?.lines.push("");
  } else if (line.kind === "fence" || line.kind === "code") {
    readCode(reader, line);
  } else if (readHeading(line) !== null || isRule(line)) {
    reader.stack = [];
  } else {
    const item = readItem(line, reader.findings);
    if (item === null) readText(reader, line);
    else readListItem(reader, line, item);
    reader.isApart = false;
  }
}

function readListItem(reader: Reader, line: Line, item: Boxed): void {
  leaveItems(reader, line.indent);
  const parent = reader.stack.at(-1);
  const task = parent?.task ?? null;
  const label = parent?.label ?? null;
  const words = item.box === null || label !== null ? null : readTitle(item.text);
  if (item.box !== null && item.text === "") {
    reader.findings.notes.push({ at: item.at, text: "a check box without a title is no task" });
    reader.stack.push({ indent: line.indent, task, label, piece: null });
  } else if (words !== null && (task === null || words.key !== null)) {
    openTask(reader, { item, ...words, indent: line.indent, pieces: [], children: [] }, task);
  } else if (task === null) {
    reader.stack.push({ indent: line.indent, task, label, piece: null });
  } else {
    const named = readLabel(item.text);
    const own = named?.label ?? label ?? (item.box === null ? "open" : "criteria");
    const piece = addPiece(task, own, item.at, own === "open" ? dedent(line, task) : (named?.value ?? item.text));
    reader.stack.push({ indent: line.indent, task, label: named?.label ?? label, piece });
  }
}

function openTask(reader: Reader, task: OpenTask, parent: OpenTask | null): void {
  if (parent !== null && task.key !== null) parent.children.push({ name: task.key, at: task.item.at });
  reader.tasks.push(task);
  reader.stack.push({ indent: task.indent, task, label: null, piece: null });
}

function readText(reader: Reader, line: Line): void {
  const text = line.text.trim();
  const label = readLabel(text);
  leaveForText(reader, line.indent, reader.isApart || label !== null);
  const top = reader.stack.at(-1);
  if (top === undefined || top.task === null) return;
  // A label with nothing behind it takes the list below: at the task's own column that would be the next tasks.
  const named = label?.value === "" && line.indent < top.task.indent + 2 ? null : label;
  if (named !== null) openLabelLine(reader, top.task, line, named);
  else if (top.piece !== null) top.piece.lines.push(top.piece.label === "open" ? dedent(line, top.task) : text);
  else if (parseCriterion(text).kind !== "prose") addPiece(top.task, "open", line.at, text);
  else addToObjective(top.task, line);
}

function openLabelLine(reader: Reader, task: OpenTask, line: Line, { label, value }: LabelledText): void {
  const piece = addPiece(task, label, line.at, value);
  if (value === "") reader.stack.push({ indent: line.indent - 2, task, label, piece, isLine: true });
}

/** Code is told to the agent as it is, and read for nothing else. */
function readCode(reader: Reader, line: Line): void {
  if (line.kind === "fence") leaveItems(reader, line.indent);
  const top = reader.stack.at(-1);
  if (top === undefined || top.task === null) return;
  if (line.kind === "fence" && top.label === "criteria")
    reader.findings.notes.push({ at: line.at, text: "a code block is no criterion; write `run: …`" });
  addToObjective(top.task, line);
  reader.isApart = true;
}

function addToObjective(task: OpenTask, line: Line): void {
  const last = task.pieces.at(-1);
  if (last?.label === "objective") last.lines.push(dedent(line, task));
  else addPiece(task, "objective", line.at, dedent(line, task));
}

function addPiece(task: OpenTask, label: Label | "open", at: number, text: string): Piece {
  const piece: Piece = { label, at, lines: [text] };
  task.pieces.push(piece);
  return piece;
}

function leaveItems(reader: Reader, indent: number): void {
  while ((reader.stack.at(-1)?.indent ?? -2) + 2 > indent) reader.stack.pop();
}

/** A line that runs on may stand further left than it should: then it still belongs to the item above it. */
function leaveForText(reader: Reader, indent: number, endsLabelLine: boolean): void {
  const holds = reader.stack.filter((item) => item.indent + 2 <= indent && !(endsLabelLine && item.isLine));
  if (reader.isApart || holds.length > 0) reader.stack = holds;
}

function dedent(line: Line, task: OpenTask): string {
  return " ".repeat(Math.max(0, Math.min(line.indent - task.indent - 2, 40))) + line.text.trim();
}

function isRule(line: Line): boolean {
  return line.indent < 2 && /^(?:-{3,}|\*{3,}|_{3,})$/.test(line.text.trim());
}

function finish(task: OpenTask, end: number, findings: Findings): Draft {
  const objective: string[] = [];
  const details: Detail[] = [];
  for (const { label, at, lines } of task.pieces) {
    const text = joinLines(lines);
    if (label === "objective") objective.push(...lines);
    else if (label !== "open") details.push({ label, at, text });
    else if (parseCriterion(withoutMarker(text)).kind === "prose") {
      objective.push(...lines);
      if (withoutMarker(text) !== text) noteProse(withoutMarker(text), at, findings);
    } else details.push({ label: "criteria", at, text: withoutMarker(text) });
  }
  const { after, ...rest } = readDetails(details, findings);
  const mark = task.item.box === null ? null : boxPlace(task.item.box);
  return {
    at: task.item.at,
    end,
    givenKey: task.key,
    title: task.title,
    objective: objective.join("\n").trim(),
    ...rest,
    after: [...after, ...namesInTitle(task.title).map((name) => ({ name, at: task.item.at })), ...task.children],
    ticked: task.item.box?.ticked ?? false,
    mark,
  };
}

function joinLines(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

/** An open piece keeps its list marker, for it may be part of the objective. */
function withoutMarker(text: string): string {
  return text.replace(/^(?:[-*+]|\d{1,9}[.)])[ \t]+/, "");
}

/** `Use it (after T-01)`: only where every word in the brackets is a key, since a title is prose. */
function namesInTitle(title: string): readonly string[] {
  const open = title.endsWith(")") ? title.lastIndexOf("(") : -1;
  if (open < 0) return [];
  const words = /^(?:after|depends on|depois de|depende de)\b:?(.*)$/i.exec(title.slice(open + 1, -1));
  return readOnlyNames(words?.[1] ?? "");
}
