/**
 * A line of an evaluation set: the question, which the program gets, and the reference, which it never sees. The same question is the same text here whatever its white
 * space, the order of its fields or its reference, so that a batch knows it again.
 */
import { fieldAt } from "../json.ts";

export type SetLine = { readonly kind: "line"; readonly payload: string; readonly expected: unknown } | { readonly kind: "no-reference" };

const reference = "expected";

/** @param text  JSON text of an object */
export function splitLine(text: string): SetLine {
  const job = JSON.parse(text) as Readonly<Record<string, unknown>>;
  if (job[reference] === undefined) return { kind: "no-reference" };
  const { [reference]: expected, ...question } = job;
  return { kind: "line", payload: JSON.stringify(question), expected };
}

/** @param text  JSON text of an object, with its reference or without */
export function questionText(text: string): string {
  const { [reference]: _, ...question } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return canonical(question);
}

function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(",")}}`;
}

/** `a.b` is a field in another. */
export function fieldOf(value: unknown, path: string): unknown {
  return fieldAt(value, path.split("."));
}
