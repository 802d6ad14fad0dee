/**
 * prd.json: `userStories`, each with a `title` at least. Only the fields we know are read; whatever else is in the file stays as it is.
 * A field of the wrong type refuses the file and is named by its JSON path.
 */
import { createScanner, getNodePath, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { noPriority, readPriority } from "../../core/task-priority.ts";
import type { Draft, MarkPlace, NamedTask } from "./draft.ts";
import { type Findings, maxTroubles } from "./plan-text.ts";
import { readAllowance, readCriterion } from "./task-details.ts";

interface Story {
  readonly node: Node;
  readonly fields: ReadonlyMap<string, Node>;
}

const maxDepth = 100;
const maxKeyLength = 100;
const strict = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

export function readPrd(text: string, findings: Findings): readonly Draft[] {
  // A byte order mark is no JSON; a space in its place keeps the offsets.
  const json = text.startsWith("\ufeff") ? ` ${text.slice(1)}` : text;
  const root = readTree(json, findings);
  if (root === null) return [];
  const stories = fieldsOf(root, findings).get("userStories");
  if (stories === undefined) findings.faults.push({ at: root.offset, reason: "$.userStories is missing: write a list of stories there" });
  const list = stories === undefined ? null : expectList(stories, findings);
  const drafts = list?.map((story) => readStory(text, story, findings)) ?? [];
  return drafts.filter((draft) => draft !== null);
}

function readTree(json: string, findings: Findings): Node | null {
  const deep = tooDeepAt(json);
  if (deep !== null) {
    findings.faults.push({ at: deep, reason: `it is nested more than ${maxDepth} deep` });
    return null;
  }
  const errors: ParseError[] = [];
  const root = parseTree(json, errors, strict);
  const [error] = errors;
  if (error !== undefined)
    findings.faults.push({ at: error.offset, reason: `it is not valid JSON: ${sentenceOf(printParseErrorCode(error.error))}` });
  else if (root?.type !== "object") findings.faults.push({ at: 0, reason: "$ must be an object with userStories" });
  return error === undefined && root?.type === "object" ? root : null;
}

/** The parser calls itself for each level, so the depth is looked at first. */
function tooDeepAt(json: string): number | null {
  const scanner = createScanner(json, true);
  let depth = 0;
  for (;;) {
    scanner.scan();
    const length = scanner.getTokenLength();
    const offset = scanner.getTokenOffset();
    if (length === 0 && offset >= json.length) return null;
    const token = length === 1 ? json.charAt(offset) : "";
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    if (depth > maxDepth) return offset;
  }
}

function readStory(text: string, node: Node, findings: Findings): Draft | null {
  if (node.type !== "object") return wrong(node, "an object", findings);
  const story: Story = { node, fields: fieldsOf(node, findings) };
  const title = readText(story, "title", findings);
  if (title === null || title.trim() === "") {
    return refuse(story.fields.get("title")?.offset ?? node.offset, () => `${pathOf(node)}.title is missing or empty`, findings);
  }
  const notes = readText(story, "notes", findings) ?? "";
  return {
    at: node.offset,
    end: node.offset + node.length,
    givenKey: readId(story, findings),
    title: title.trim().replace(/\s+/g, " "),
    objective: (readText(story, "description", findings) ?? "").replace(/\r\n?/g, "\n").trim(),
    criteria: itemsOf(story, "acceptanceCriteria", findings).flatMap((item) => readCriterionField(item, findings)),
    context: notes.trim() === "" ? [] : [notes.trim()],
    allows: itemsOf(story, "allow", findings).flatMap((item) => readAllowanceField(item, findings)),
    after: [...itemsOf(story, "dependsOn", findings), ...itemsOf(story, "dependencies", findings)].flatMap((item) =>
      readName(item, findings),
    ),
    priority: readPriorityField(story, findings),
    ...readMark(text, story, findings),
  };
}

function readCriterionField(item: Node, findings: Findings): Draft["criteria"] {
  const value = textOf(item);
  if (value === null) return wrong(item, "text", findings) ?? [];
  return value.trim() === "" ? [] : readCriterion(value.trim(), item.offset, findings);
}

function readAllowanceField(item: Node, findings: Findings): readonly string[] {
  const value = textOf(item);
  return value === null ? (wrong(item, "text", findings) ?? []) : readAllowance(value.trim(), item.offset, findings);
}

function readId(story: Story, findings: Findings): string | null {
  const field = story.fields.get("id");
  if (field === undefined) return null;
  const id = idOf(field);
  if (id === null) return wrong(field, `one line of text, at most ${maxKeyLength} characters`, findings);
  return id;
}

function readName(item: Node, findings: Findings): readonly NamedTask[] {
  const name = idOf(item);
  return name === null ? (wrong(item, "the id of a story", findings) ?? []) : [{ name, at: item.offset }];
}

/** Null when it cannot be an id. */
function idOf(node: Node): string | null {
  const id = node.type === "number" ? String(node.value) : (textOf(node)?.trim() ?? "");
  return id === "" || id.length > maxKeyLength || /\p{Cc}/u.test(id) ? null : id;
}

function readPriorityField(story: Story, findings: Findings): number {
  const field = story.fields.get("priority");
  if (field === undefined) return noPriority;
  const value = field.type === "number" ? String(field.value) : textOf(field);
  return readPriority(value ?? "?") ?? wrong(field, "a whole number from 0, or high, medium, low", findings) ?? noPriority;
}

function readMark(text: string, story: Story, findings: Findings): Pick<Draft, "ticked" | "mark"> {
  const field = story.fields.get("passes");
  if (field === undefined) return { ticked: false, mark: insertionOf(text, story) };
  if (field.type !== "boolean") wrong(field, "true or false", findings);
  const { offset, length } = field;
  return { ticked: field.value === true, mark: { start: offset, end: offset + length, done: "true", open: "false" } };
}

/** Behind the last field, with what stands between it and the one before: a new line and its indent, or one space. */
function insertionOf(text: string, { node, fields }: Story): MarkPlace {
  const last = node.children?.at(-1);
  const before = node.children?.at(-2);
  const at = last === undefined ? node.offset + 1 : last.offset + last.length;
  const gapStart = before === undefined ? node.offset + 1 : text.indexOf(",", before.offset + before.length) + 1;
  const gap = last === undefined ? "" : text.slice(gapStart, last.offset);
  const colon = styleOfColon(text, [...fields.values()].at(-1));
  return { start: at, end: at, done: `,${gap}"passes"${colon}true`, open: "" };
}

function styleOfColon(text: string, value: Node | undefined): string {
  const key = value?.parent?.children?.[0];
  return key === undefined || value === undefined ? ": " : text.slice(key.offset + key.length, value.offset);
}

function fieldsOf(node: Node, findings: Findings): ReadonlyMap<string, Node> {
  const fields = new Map<string, Node>();
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) continue;
    const name = String(key.value);
    if (fields.has(name)) refuse(key.offset, () => `${pathOf(value)} stands twice`, findings);
    fields.set(name, value);
  }
  return fields;
}

function readText(story: Story, name: string, findings: Findings): string | null {
  const field = story.fields.get(name);
  if (field === undefined) return null;
  return textOf(field) ?? wrong(field, "text", findings);
}

/** Null when it is no text, or has a NUL in it. Half a character, which JSON can spell, is made whole: the store could not keep it. */
function textOf(node: Node): string | null {
  return node.type !== "string" || String(node.value).includes("\0") ? null : String(node.value).toWellFormed();
}

function itemsOf(story: Story, name: string, findings: Findings): readonly Node[] {
  const field = story.fields.get(name);
  return field === undefined ? [] : (expectList(field, findings) ?? []);
}

function expectList(field: Node, findings: Findings): readonly Node[] | null {
  if (field.type !== "array") return wrong(field, "a list", findings);
  return field.children ?? [];
}

function wrong(node: Node, expected: string, findings: Findings): null {
  return refuse(node.offset, () => `${pathOf(node)} must be ${expected}`, findings);
}

/** One a place. So many are enough: finding the path of each of a million would take minutes. */
function refuse(at: number, reason: () => string, findings: Findings): null {
  if (findings.faults.length < maxTroubles && findings.faults.at(-1)?.at !== at) findings.faults.push({ at, reason: reason() });
  return null;
}

/** `$.userStories[2].title` */
function pathOf(node: Node): string {
  return `$${getNodePath(node)
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`))
    .join("")}`;
}

/** `CommaExpected` -> "comma expected" */
function sentenceOf(code: string): string {
  return code.replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).toLowerCase();
}
