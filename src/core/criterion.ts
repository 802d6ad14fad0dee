/**
 * A completion criterion as a person writes it, in one line:
 *   run: npm test     command: …   comando: …   $ npm test   `npm test`        a command
 *   file: PATH [exists | absent | contains "TEXT"]     (arquivo: existe, ausente, contém)     a file
 * Anything else is prose. A line that has one of our labels and cannot be understood is malformed, never prose:
 * prose is not checked, so a slip of the pen would pass for a check that holds.
 */
import type { Criterion, FileExpectation } from "./task.ts";

export type CriterionParse = Criterion | { readonly kind: "malformed"; readonly text: string; readonly reason: string };

const commandLabels = new Set(["run", "command", "comando"]);
const fileLabels = new Set(["file", "arquivo"]);
const existsWords = new Set(["", "exists", "existe"]);
const absentWords = new Set(["absent", "ausente", "does not exist", "nao existe"]);
const containsWords = new Set(["contains", "contem"]);
const fileForms =
  'write `file: PATH exists`, `file: PATH absent` or `file: PATH contains "TEXT"`, with quotes round a path that has spaces';
const closingQuotes: Readonly<Record<string, string>> = { '"': '"', "'": "'", "`": "`", "“": "”" };

/** Reads one criterion. Total: every text is a criterion or is malformed with the reason. */
export function parseCriterion(text: string): CriterionParse {
  const own = text.trim();
  const span = codeSpan(own);
  const line = span ?? unwrapBold(own);
  const label = /^[*_]{0,2}([a-z]{3,8})[*_]{0,2} ?:[*_]{0,2}/i.exec(line);
  const word = label?.[1]?.toLowerCase() ?? "";
  const value = line.slice(label?.[0].length ?? 0).trim();
  if (commandLabels.has(word)) return parseCommand(own, value);
  if (fileLabels.has(word)) return parseFile(own, value);
  if (span !== null || /^\$\s/.test(own)) return parseCommand(own, line);
  return { kind: "prose", text: own };
}

/** Whether prose was probably meant to be run: it starts with a program's name that is no English or Portuguese word. */
export function looksLikeCommand(text: string): boolean {
  return /^(npm|npx|pnpm|yarn|bunx?|deno|cargo|pytest|python3?|tsc|vitest|jest|eslint|mvn|gradlew?|dotnet|docker|\.\/\S+)\s+\S/.test(text);
}

/**
 * The word before a colon that prose starts with, where somebody may have meant a label: `comand: npm test`. Null when there is none, or when the
 * colon belongs to something else, as in an address.
 */
export function strayLabel(text: string): string | null {
  return /^[*_]{0,2}(\p{L}{2,14})[*_]{0,2} ?:[*_]{0,2}\s+\S/u.exec(text)?.[1] ?? null;
}

/** Lower case and without accents, one space between words: how key words are compared. */
export function foldWords(text: string): string {
  const plain = /[^ -~]/.test(text) ? text.normalize("NFD").replace(/\p{M}/gu, "") : text;
  return plain.toLowerCase().trim().replace(/\s+/g, " ");
}

/** What a text that is one inline code span holds; null when it is anything else. */
export function codeSpan(text: string): string | null {
  const fence = /^`+/.exec(text)?.[0] ?? "";
  if (fence === "" || text.length <= 2 * fence.length || !text.endsWith(fence)) return null;
  const inside = text.slice(fence.length, -fence.length);
  const closesEarly = inside.match(/`+/g)?.some((run) => run.length === fence.length) ?? false;
  return closesEarly || inside.trim() === "" ? null : inside.trim();
}

/** The text without bold marks that hold all of it. */
export function unwrapBold(text: string): string {
  const mark = text.slice(0, 2);
  if ((mark !== "**" && mark !== "__") || text.length < 5 || !text.endsWith(mark)) return text;
  const inside = text.slice(2, -2);
  return inside.includes(mark) ? text : inside.trim();
}

function parseCommand(text: string, value: string): CriterionParse {
  const command = (codeSpan(value) ?? value).replace(/^\$\s+/, "");
  if (/^[$`]*$/.test(command)) return malformed(text, "there is no command to run");
  if (command.includes("\0")) return malformed(text, "the command has a NUL character");
  return { kind: "command", text, command };
}

function parseFile(text: string, value: string): CriterionParse {
  const [path, rest] = takePath(value);
  const fault = pathFault(path);
  if (fault !== null) return malformed(text, fault);
  const expect = parseExpectation(rest);
  return expect === null ? malformed(text, fileForms) : { kind: "file", text, path, expect };
}

function takePath(value: string): readonly [path: string, rest: string] {
  const closing = closingQuotes[value.charAt(0)];
  const end = closing === undefined ? value.search(/\s/) : value.indexOf(closing, 1);
  if (end < 0) return closing === undefined ? [value, ""] : ["", ""];
  return closing === undefined ? [value.slice(0, end), value.slice(end).trim()] : [value.slice(1, end), value.slice(end + 1).trim()];
}

function pathFault(path: string): string | null {
  if (path === "") return `it names no file: ${fileForms}`;
  if (/[\u0000-\u001f]/.test(path)) return "the path has a control character";
  if (/^([/\\~]|[a-z]:)/i.test(path)) return `the path ${path} is absolute: write it from the root of the repository`;
  if (path.includes("*")) return `the path ${path} is a pattern: name one file`;
  let depth = 0;
  for (const part of path.split(/[/\\]/)) {
    if (part === "" || part === ".") continue;
    depth += part === ".." ? -1 : 1;
    if (depth < 0) return `the path ${path} leaves the repository`;
  }
  return depth === 0 ? `the path ${path} is the repository itself: name a file in it` : null;
}

/** Null when it cannot be understood. */
function parseExpectation(text: string): FileExpectation | null {
  const words = text.length > 20 ? text : foldWords(text).replace(/\.$/, "");
  if (existsWords.has(words)) return { kind: "exists" };
  if (absentWords.has(words)) return { kind: "absent" };
  const verb = /^\S+/.exec(text)?.[0] ?? "";
  if (!containsWords.has(foldWords(verb))) return null;
  const needle = parseNeedle(text.slice(verb.length).trim());
  return needle === "" || needle === null ? null : { kind: "contains", needle };
}

function parseNeedle(text: string): string | null {
  const closing = closingQuotes[text.charAt(0)];
  if (closing === undefined) return text;
  if (text.length < 3 || !text.endsWith(closing)) return null;
  const inside = text.slice(1, -1);
  const bare = closing === '"' ? inside.replace(/\\["\\]/g, "") : inside;
  // A lone back slash at the end belongs to the closing quote, so the text was never closed.
  if (bare.includes(closing) || (closing === '"' && bare.endsWith("\\"))) return null;
  return closing === '"' ? inside.replace(/\\(["\\])/g, "$1") : inside;
}

function malformed(text: string, reason: string): CriterionParse {
  return { kind: "malformed", text, reason };
}
