/**
 * The grammar that all kinds share: `SUBJECT CONDITION, CONDITION`. A condition is words and quoted texts; a comma ends it where a space or the end
 * follows, so that `2,50` and a path with a comma stay whole. What cannot be understood is a fault with the forms, never a guess.
 */
import { closingQuotes, codeSpan, foldWords } from "./words.ts";

/** `code` stood in backticks, `text` in quotes. */
export interface Token {
  readonly kind: "word" | "text" | "code";
  readonly value: string;
}

export type Condition = readonly Token[];

export type Read<T> = { readonly kind: "read"; readonly value: T } | Fault;

export interface Fault {
  readonly kind: "fault";
  readonly reason: string;
}

export function fault(reason: string): Fault {
  return { kind: "fault", reason };
}

/** The reason of the first that is a fault; "" = none is. */
export function faultOf(...reads: readonly Read<unknown>[]): string {
  return reads.flatMap((read) => (read.kind === "fault" ? [read.reason] : []))[0] ?? "";
}

/** Splits a text into conditions. */
export function readConditions(text: string): Read<readonly Condition[]> {
  const conditions: Token[][] = [[]];
  for (let at = 0; at < text.length; ) {
    const here = text.charAt(at);
    if (/\s/.test(here)) at += 1;
    else if (here === "," && endsAt(text, at + 1)) {
      conditions.push([]);
      at += 1;
    } else {
      const token = closingQuotes[here] === undefined ? takeWord(text, at) : takeQuoted(text, at);
      if (token === null) return fault(`a quote is not closed: ${text.slice(at, at + 40)}`);
      conditions.at(-1)?.push(token.token);
      at = token.end;
    }
  }
  if (text.trim() === "") return { kind: "read", value: [] };
  return conditions.some((one) => one.length === 0)
    ? fault("there is nothing between two commas, or after the last one")
    : { kind: "read", value: conditions };
}

interface Taken {
  readonly token: Token;
  readonly end: number;
}

function takeWord(text: string, from: number): Taken {
  let end = from;
  while (end < text.length && !/\s/.test(text.charAt(end)) && !(text.charAt(end) === "," && endsAt(text, end + 1))) end += 1;
  return { token: { kind: "word", value: text.slice(from, end) }, end };
}

function takeQuoted(text: string, from: number): Taken | null {
  const opening = text.charAt(from);
  const closing = opening === "`" ? (/^`+/.exec(text.slice(from))?.[0] ?? "`") : (closingQuotes[opening] ?? "");
  const start = from + (opening === "`" ? closing.length : 1);
  const end = opening === '"' ? closingDouble(text, start) : text.indexOf(closing, start);
  const after = end + closing.length;
  if (end < 0 || !(endsAt(text, after) || text.charAt(after) === ",")) return null;
  const inside = text.slice(start, end);
  if (opening === "`") return { token: { kind: "code", value: inside.trim() }, end: after };
  return { token: { kind: "text", value: opening === '"' ? inside.replace(/\\(["\\])/g, "$1") : inside }, end: after };
}

function closingDouble(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text.charAt(at) === '"') return at;
    if (text.charAt(at) === "\\" && /["\\]/.test(text.charAt(at + 1))) at += 1;
  }
  return -1;
}

function endsAt(text: string, at: number): boolean {
  return at >= text.length || /\s/.test(text.charAt(at));
}

/** What follows the first of these phrases that the condition starts with; null when it starts with none. */
export function afterPhrase(condition: Condition, phrases: readonly string[]): Condition | null {
  for (const phrase of phrases) {
    const words = phrase.split(" ");
    if (words.every((word, index) => isWord(condition[index], word))) return condition.slice(words.length);
  }
  return null;
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === "word" && token.value.length <= 40 && foldWords(token.value) === word;
}

/** As it stood, for messages. */
export function showCondition(condition: Condition): string {
  return condition
    .map(({ kind, value }) => (kind === "word" ? value : kind === "code" ? `\`${value}\`` : JSON.stringify(value)))
    .join(" ")
    .slice(0, 80);
}

/** A condition of a name and one value: `skipped 0`. */
export interface Form<T> {
  readonly phrases: readonly string[];
  /** Null = the value is none. */
  readonly value: (token: Token) => T | null;
}

/**
 * Reads conditions that are each a name and one value, in any order, none twice.
 * @param forms  named by what they give
 * @param written  how they are written, for the person
 */
export function readForms<F extends Readonly<Record<string, Form<unknown>>>>(
  conditions: readonly Condition[],
  forms: F,
  written: string,
): Read<{ readonly [K in keyof F]: Exclude<ReturnType<F[K]["value"]>, null> | null }> {
  const values: Record<string, unknown> = Object.fromEntries(Object.keys(forms).map((name) => [name, null]));
  for (const condition of conditions) {
    const found = Object.entries(forms).flatMap(([name, form]) => {
      const rest = afterPhrase(condition, form.phrases);
      return rest === null ? [] : [{ name, form, rest }];
    })[0];
    const [token, ...more] = found?.rest ?? [];
    const value = token === undefined || more.length > 0 ? null : (found?.form.value(token) ?? null);
    if (found === undefined || value === null) return fault(`the condition ${showCondition(condition)} is none; ${written}`);
    if (values[found.name] !== null) return fault(`the condition ${showCondition(condition)} stands twice`);
    values[found.name] = value;
  }
  return { kind: "read", value: values as { readonly [K in keyof F]: Exclude<ReturnType<F[K]["value"]>, null> | null } };
}

/** A whole number from 0. */
export function countOf({ kind, value }: Token): number | null {
  return kind === "word" && /^\d{1,9}$/.test(value) ? Number(value) : null;
}

/** From 0 to 100, `%` or not. */
export function percentOf({ kind, value }: Token): number | null {
  const digits = kind === "word" ? /^(\d{1,3}(?:[.,]\d{1,3})?)%?$/.exec(value)?.[1] : undefined;
  const percent = digits === undefined ? Number.NaN : Number(digits.replace(",", "."));
  return percent <= 100 ? percent : null;
}

export interface Subject {
  readonly command: string;
  readonly conditions: readonly Condition[];
}

/** A command, in backticks where conditions follow it, else the rest of the line. */
export function readCommand(value: string): Read<Subject> {
  const whole = codeSpan(value);
  if (whole !== null) return toSubject(whole, "");
  if (!value.startsWith("`") || /^`+$/.test(value)) {
    const tail = conditionTail.exec(foldWords(value.slice(-80)))?.[0];
    if (tail !== undefined) return fault(`put the command in backticks, so that${tail.replace(/,$/, "")} is a condition and no part of it`);
    if (proseStart.test(value)) return fault("it reads like prose: write `check: …` to have it told only, or the command in backticks");
    return toSubject(value, "");
  }
  const fence = /^`+/.exec(value)?.[0] ?? "`";
  const end = value.indexOf(fence, fence.length);
  const rest = value.slice(end + fence.length);
  if (end < 0 || !/^(\s|,\s|$)/.test(rest)) return fault("the backtick that opens the command is not closed");
  return toSubject(value.slice(fence.length, end).trim(), rest.replace(/^\s*,/, ""));
}

const conditionTail =
  / (at least|at most|pelo menos|no maximo|new|novos|skipped|pulados|assertions|errors?|erros?|warnings?|avisos?|lines|linhas|branches|ramos) \d+%?$| (report|relatorio) \S+\.(xml|json|info|tap)$/;
/** Lists of others use some of our labels for prose: `Tests: all pass`. */
const proseStart =
  /^(all|every|the|they|must|should|no|none|new|pass|passes|passing|green|ok|todos|todas|os|as|devem|deve|passam|nenhum|novos)\b/i;

function toSubject(command: string, rest: string): Read<Subject> {
  const plain = command.replace(/^\$\s+/, "");
  if (/^[$`\s]*$/.test(plain)) return fault("there is no command to run");
  if (plain.includes("\0")) return fault("the command has a NUL character");
  const conditions = readConditions(rest);
  return conditions.kind === "fault" ? conditions : { kind: "read", value: { command: plain, conditions: conditions.value } };
}
