/** Values at JSON pointers (RFC 6901), and what they must be: for `json:` and for the answers of `http:`. */
import { pointerSteps, readJson, sameValue } from "../json.ts";
import { afterPhrase, type Condition, fault, type Read, type Token } from "./conditions.ts";
import type { PointedExpectation, ValueExpectation } from "./criterion.ts";

export const pointedForms = "`/pointer is VALUE`, `is not VALUE`, `at least N`, `at most N`, `contains TEXT`, `exists` or `absent`";

/** `/a/0 is "x"`. */
export function readPointed([first, ...rest]: Condition): Read<PointedExpectation> {
  if (first === undefined || first.kind === "code" || !isPointer(first.value))
    return fault(`a JSON pointer starts with / (and writes ~ as ~0, / as ~1): write ${pointedForms}`);
  const value = readExpectation(rest);
  return value === null
    ? fault(`after the pointer ${first.value} write ${pointedForms}`)
    : { kind: "read", value: { pointer: first.value, value } };
}

function isPointer(text: string): boolean {
  return text === "" || (text.startsWith("/") && !/~(?![01])/.test(text));
}

function readExpectation(condition: Condition): ValueExpectation | null {
  const one = (phrases: readonly string[]): Token | null | undefined => {
    const rest = afterPhrase(condition, phrases);
    return rest === null ? undefined : rest.length === 1 ? (rest[0] ?? null) : null;
  };
  const isNot = one(["is not", "nao e"]);
  if (isNot != null) return equalTo("is-not", isNot);
  const is = one(["is", "e"]);
  if (is != null) return equalTo("is", is);
  const least = one(["at least", "pelo menos", "no minimo"]);
  if (least != null) return boundOf("at-least", least);
  const most = one(["at most", "no maximo"]);
  if (most != null) return boundOf("at-most", most);
  const contains = one(["contains", "contem"]);
  if (contains != null) return contains.value === "" ? null : { kind: "contains", text: contains.value };
  if (afterPhrase(condition, ["exists", "existe"])?.length === 0) return { kind: "exists" };
  if (afterPhrase(condition, ["absent", "ausente", "does not exist", "nao existe"])?.length === 0) return { kind: "absent" };
  return null;
}

/** In quotes a text; in backticks JSON; bare true, false, null or a number, else a text. */
function equalTo(kind: "is" | "is-not", token: Token): ValueExpectation | null {
  if (token.kind === "text") return { kind, value: token.value };
  const value = readJson(token.value);
  if (token.kind === "code") return value === undefined ? null : { kind, value };
  const isLiteral = value === null || typeof value === "boolean" || typeof value === "number";
  return { kind, value: isLiteral ? value : token.value };
}

function boundOf(kind: "at-least" | "at-most", { kind: how, value }: Token): ValueExpectation | null {
  return how === "word" && /^-?\d{1,15}(\.\d{1,9})?$/.test(value) ? { kind, bound: Number(value) } : null;
}

/** Undefined = there is nothing at the pointer. Own properties only; an index of a list is written without leading zeros. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const key of pointerSteps(pointer)) {
    if (Array.isArray(value)) value = /^(0|[1-9]\d{0,9})$/.test(key) ? value[Number(key)] : undefined;
    else if (typeof value === "object" && value !== null && Object.hasOwn(value, key)) value = (value as Record<string, unknown>)[key];
    else return undefined;
  }
  return value;
}

/** What the document lacks, in a line; null = it is as it should be. */
export function pointedFault(document: unknown, { pointer, value: expect }: PointedExpectation): string | null {
  const value = valueAt(document, pointer);
  const place = pointer === "" ? "the document" : pointer;
  const seen = value === undefined ? `${place} is not there` : `${place} is ${showValue(value)}`;
  return isMet(value, expect) ? null : `${seen}, not ${describeExpectation(expect)}`;
}

function isMet(value: unknown, expect: ValueExpectation): boolean {
  switch (expect.kind) {
    case "is":
      return value !== undefined && sameValue(value, expect.value);
    case "is-not":
      return value !== undefined && !sameValue(value, expect.value);
    case "at-least":
      return typeof value === "number" && value >= expect.bound;
    case "at-most":
      return typeof value === "number" && value <= expect.bound;
    case "contains":
      return Array.isArray(value) ? value.includes(expect.text) : typeof value === "string" && value.includes(expect.text);
    case "exists":
      return value !== undefined;
    case "absent":
      return value === undefined;
  }
}

export function showValue(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

function describeExpectation(expect: ValueExpectation): string {
  switch (expect.kind) {
    case "is":
      return showValue(expect.value);
    case "is-not":
      return `anything but ${showValue(expect.value)}`;
    case "at-least":
      return `a number of at least ${expect.bound}`;
    case "at-most":
      return `a number of at most ${expect.bound}`;
    case "contains":
      return `something with ${showValue(expect.text)} in it`;
    case "exists":
      return "anything";
    case "absent":
      return "nothing";
  }
}
