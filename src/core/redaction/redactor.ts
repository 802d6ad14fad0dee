/**
 * Takes secrets out of all that is stored, printed or sent: those that are known by value, in any writing, and what has the shape of a key (docs/spec/secrets.md).
 * A text without one is given back as it is; the same text always comes out the same.
 */
import { hideKeys, keyShapes } from "../guard/key-shapes.ts";
import { isObject, readJson } from "../json.ts";
import { minSecretLength, secretForms, utf8 } from "./forms.ts";
import { createAutomaton, type Needle } from "./matcher.ts";
import { createStreamRedactor, type StreamParts, type StreamRedactor } from "./stream.ts";

export interface KnownSecret {
  /** For people: the variable or setting it is in. */
  readonly name: string;
  readonly value: string;
}

export interface Redactor {
  /** Any text. */
  readonly text: (text: string) => string;
  /** JSON stays JSON: only what its strings say is changed. Several values may stand on lines of their own. */
  readonly json: (text: string) => string;
  /** Every text in a value of plain data, names of fields included. */
  readonly value: <T>(value: T) => T;
  /** For bytes that come in pieces. */
  readonly stream: () => StreamRedactor;
  /** Whose values are known, and of whom they are too short to be looked for. */
  readonly names: () => { readonly known: readonly string[]; readonly tooShort: readonly string[] };
}

export function createRedactor(secrets: readonly KnownSecret[]): Redactor {
  const known = knownNeedles(secrets);
  const folded = known.needles.map(({ text }) => foldText(text));
  let parts: StreamParts | null = null;
  const stream = () => {
    parts ??= {
      automaton: createAutomaton([...known.needles, ...shapeNeedles(known.labels.length)]),
      labels: known.labels,
      slack: known.slack,
    };
    return createStreamRedactor(parts);
  };
  const holdsKnown = (text: string): boolean => {
    if (folded.length === 0) return false;
    const bytes = /[^\0-\x7f]/.test(text) ? utf8(text) : text;
    const ways = [foldText(bytes), ...(bytes.includes("\\") ? [foldText(bytes.replaceAll("\\", ""))] : [])];
    return folded.some((needle) => ways.some((way) => way.includes(needle)));
  };
  const text = (before: string): string => (holdsKnown(before) ? redactWhole(stream(), before) : hideKeys(before));
  const value = <T>(before: T): T => mapTexts(before, text) as T;
  return {
    text,
    value,
    stream,
    names: () => ({ known: namesOf(secrets, isLong), tooShort: namesOf(secrets, (value) => value !== "" && !isLong(value)) }),
    json: (before) => (text(before) === before ? before : redactLines(before, value, text)),
  };
}

const isLong = (value: string): boolean => value.length >= minSecretLength;

function namesOf(secrets: readonly KnownSecret[], isMeant: (value: string) => boolean): readonly string[] {
  return [...new Set(secrets.filter(({ value }) => isMeant(value)).map(({ name }) => name))];
}

interface KnownNeedles {
  readonly needles: readonly Needle[];
  /** By the needle's id. */
  readonly labels: readonly string[];
  readonly slack: readonly number[];
}

function knownNeedles(secrets: readonly KnownSecret[]): KnownNeedles {
  const forms = secrets
    .filter(({ value }) => isLong(value))
    .flatMap(({ name, value }) =>
      secretForms(value)
        .filter(({ text }) => foldText(text).length >= fewestLetters)
        .map((form) => ({ ...form, label: `[redacted ${name.replace(/[^\w.-]/g, "_")}]` })),
    );
  return {
    needles: forms.map(({ text }, id) => ({ text, id })),
    labels: forms.map(({ label }) => label),
    slack: forms.map(({ slack }) => slack),
  };
}

/** What is passed over in a text does not tell a secret from anything: one that is nearly all line ends or backslashes has too little left. */
const fewestLetters = 6;

/** Ids above those of the known ones: which shape may begin there. */
function shapeNeedles(firstId: number): readonly Needle[] {
  return keyShapes.flatMap(({ begins }, index) => begins.map((text) => ({ text, id: firstId + index })));
}

/** As the matcher reads, or further: what it finds is found in it. */
function foldText(text: string): string {
  return text
    .replace(/\\+[nr]?|[\0\r\n]/g, (skipped) => (/[nr\r\n]$/.test(skipped) ? "\n" : ""))
    .replace(/\n+[ \t]*/g, "")
    .toLowerCase()
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

function redactWhole(stream: StreamRedactor, text: string): string {
  const pieces = [stream.push(new TextEncoder().encode(text)), stream.end()];
  const decoder = new TextDecoder();
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join("");
}

/** Lines that are JSON stay JSON; those between them are one text, since a secret may reach over their ends. */
function redactLines(before: string, value: Redactor["value"], text: Redactor["text"]): string {
  const out: string[] = [];
  let plain: string[] = [];
  const endPlain = () => {
    if (plain.length > 0) out.push(text(plain.join("\n")));
    plain = [];
  };
  for (const line of before.split("\n")) {
    const parsed = /^\s*["[{]/.test(line) ? readJson(line) : undefined;
    if (parsed === undefined) plain.push(line);
    else {
      endPlain();
      out.push(text(line) === line ? line : JSON.stringify(value(parsed)));
    }
  }
  endPlain();
  return out.join("\n");
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value))
    return keepIfSame(
      value,
      value.map((item) => mapTexts(item, change)),
    );
  if (!isObject(value) || ArrayBuffer.isView(value) || !isPlain(value)) return value;
  const entries = Object.entries(value);
  const changed = entries.map(([name, inside]) => [change(name), mapTexts(inside, change)] as const);
  return changed.every(([name, inside], at) => name === entries[at]?.[0] && inside === entries[at]?.[1])
    ? value
    : Object.fromEntries(changed);
}

function keepIfSame(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return after.every((item, at) => item === before[at]) ? before : after;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
