/** The bodies of requests to the door, parsed once into what the engine takes. */
import type { DoorQuestion } from "../ports/door.ts";

export type Parsed<T> = { readonly kind: "ok"; readonly value: T } | { readonly kind: "bad"; readonly reason: string };

const maxQuestion = 500;
const maxOption = 100;
const maxOptions = 9;
const maxMinutes = 7 * 24 * 60;

export function parseClaim(body: unknown): Parsed<string> {
  const task = text(body, "task");
  return task === null || task === "" ? bad('give the task as {"task":"<key>"}') : { kind: "ok", value: task };
}

export function parseNoteText(body: unknown): Parsed<string> {
  const note = text(body, "text");
  return note === null || note.trim() === "" ? bad('give the note as {"text":"<one line>"}') : { kind: "ok", value: oneLine(note) };
}

/** A default counts only with options that hold it, or without options; a deadline only with a default. */
export function parseAsk(body: unknown): Parsed<DoorQuestion> {
  const question = oneLine(text(body, "question") ?? "");
  if (question === "" || question.length > maxQuestion)
    return bad(`give one line of at most ${maxQuestion} characters as {"question":"…"}`);
  const options = list(body, "options");
  if (options === null || options.length > maxOptions || options.some((option) => option.trim() === "" || option.length > maxOption)) {
    return bad(`options are at most ${maxOptions} texts of at most ${maxOption} characters`);
  }
  const defaultAnswer = text(body, "default");
  if (defaultAnswer !== null && options.length > 0 && !options.includes(defaultAnswer)) return bad("the default is none of the options");
  const minutes = field(body, "minutes");
  if (minutes !== undefined && minutes !== null && !(typeof minutes === "number" && minutes > 0 && minutes <= maxMinutes))
    return bad(`minutes are a number above 0 and at most ${maxMinutes}`);
  if (typeof minutes === "number" && defaultAnswer === null)
    return bad("minutes need a default: what is taken when nobody answers in time");
  return {
    kind: "ok",
    value: { question, task: text(body, "task"), options, defaultAnswer, minutes: typeof minutes === "number" ? minutes : null },
  };
}

function field(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
}

function text(body: unknown, name: string): string | null {
  const value = field(body, name);
  return typeof value === "string" ? value : null;
}

function list(body: unknown, name: string): readonly string[] | null {
  const value = field(body, name);
  if (value === undefined || value === null) return [];
  return Array.isArray(value) && value.every((one) => typeof one === "string") ? value.map(oneLine) : null;
}

/** Control characters would write into a terminal; a question is one line. */
function oneLine(value: string): string {
  return value.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ").trim();
}

function bad(reason: string): { readonly kind: "bad"; readonly reason: string } {
  return { kind: "bad", reason };
}
