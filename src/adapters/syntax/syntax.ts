/** The port `Syntax` over the grammars of JavaScript, TypeScript, Python and the shell. Total: what cannot be read is said to be so. */
import type { SourceReading, Syntax } from "../../ports/syntax.ts";
import { type Cut, hollowJavaScript } from "./hollow-javascript.ts";
import { hollowPython } from "./hollow-python.ts";
import { isTypeScript, knowsJavaScript, parseJavaScript, readJavaScript } from "./javascript.ts";
import { knowsPython, readPython } from "./python.ts";
import { parsePython } from "./python-parser.ts";
import { knowsShell, readShell } from "./shell.ts";
import type { Parsed } from "./tree.ts";

/** Characters; a text of so many takes some seconds at worst. */
const longest = 1_000_000;
const byteOrderMark = "\uFEFF";

export const syntax: Syntax = { read, hollow };

function read(path: string, text: string): SourceReading {
  const ending = endingOf(path);
  if (knowsShell(ending)) return readShell(path, text);
  const parsed = parse(ending, withoutMark(text));
  if (parsed === null) return { kind: "unknown" };
  if (parsed.kind === "broken") return parsed;
  const facts = knowsPython(ending) ? readPython(path, parsed.source) : readJavaScript(path, ending, parsed.source);
  return { kind: "facts", facts };
}

function hollow(path: string, text: string): string | null {
  const ending = endingOf(path);
  const bare = withoutMark(text);
  const parsed = parse(ending, bare);
  if (parsed === null || parsed.kind === "broken") return null;
  const cuts = knowsPython(ending) ? hollowPython(parsed.source) : hollowJavaScript(parsed.source, isTypeScript(ending));
  if (cuts.length === 0) return null;
  const result = apply(bare, cuts);
  if (parse(ending, result)?.kind !== "tree") return null;
  return text === bare ? result : byteOrderMark + result;
}

function parse(ending: string, text: string): Parsed | null {
  if (text.length > longest) return null;
  if (knowsJavaScript(ending)) return parseJavaScript(ending, text);
  return knowsPython(ending) ? parsePython(text) : null;
}

function apply(text: string, cuts: readonly Cut[]): string {
  let result = "";
  let at = 0;
  for (const cut of cuts) {
    result += text.slice(at, cut.from) + cut.text;
    at = cut.to;
  }
  return result + text.slice(at);
}

function endingOf(path: string): string {
  return /\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}

function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}
