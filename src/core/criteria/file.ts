/** `file: PATH [exists | absent | contains "TEXT"]` (arquivo: existe, ausente, contém). */
import type { CriterionParse, FileExpectation } from "./criterion.ts";
import { pathFault } from "./path.ts";
import { closingQuotes, foldWords, unquote } from "./words.ts";

const existsWords = new Set(["", "exists", "existe"]);
const absentWords = new Set(["absent", "ausente", "does not exist", "nao existe"]);
const containsWords = new Set(["contains", "contem"]);
const forms = 'write `file: PATH exists`, `file: PATH absent` or `file: PATH contains "TEXT"`, with quotes round a path that has spaces';

export function parseFile(text: string, value: string): CriterionParse {
  const [path, rest] = takePath(value);
  const fault = path === "" ? `it names no file: ${forms}` : pathFault(path);
  if (fault !== null) return { kind: "malformed", text, reason: fault };
  const expect = parseExpectation(rest);
  return expect === null ? { kind: "malformed", text, reason: forms } : { kind: "file", text, path, expect };
}

function takePath(value: string): readonly [path: string, rest: string] {
  const closing = closingQuotes[value.charAt(0)];
  const end = closing === undefined ? value.search(/\s/) : value.indexOf(closing, 1);
  if (end < 0) return closing === undefined ? [value, ""] : ["", ""];
  return closing === undefined ? [value.slice(0, end), value.slice(end).trim()] : [value.slice(1, end), value.slice(end + 1).trim()];
}

/** Null when it cannot be understood. */
function parseExpectation(text: string): FileExpectation | null {
  const words = text.length > 20 ? text : foldWords(text).replace(/\.$/, "");
  if (existsWords.has(words)) return { kind: "exists" };
  if (absentWords.has(words)) return { kind: "absent" };
  const verb = /^\S+/.exec(text)?.[0] ?? "";
  if (!containsWords.has(foldWords(verb))) return null;
  const needle = unquote(text.slice(verb.length).trim());
  return needle === "" || needle === null ? null : { kind: "contains", needle };
}
