/** JavaScript and TypeScript, with JSX where the ending allows it. */
import type { Parser } from "@lezer/common";
import { parser } from "@lezer/javascript";
import type { SourceFacts } from "../../core/integrity/source.ts";
import { literalsOf } from "./constants.ts";
import { readYesToAll } from "./equalities.ts";
import { readFunctions } from "./javascript-functions.ts";
import { readMocks } from "./javascript-mocks.ts";
import { readExits, readImports, readTestQuestions } from "./javascript-modules.ts";
import { readTests } from "./javascript-tests.ts";
import { namesOf } from "./names.ts";
import { lineCounter, walk } from "./nodes.ts";
import { isEmptyFile } from "./stubs.ts";
import { type Node, type Parsed, parseText, type Source } from "./tree.ts";

const dialects: Readonly<Record<string, string>> = {
  ts: "ts",
  mts: "ts",
  cts: "ts",
  tsx: "ts jsx",
  js: "jsx",
  mjs: "jsx",
  cjs: "jsx",
  jsx: "jsx",
};
const parsers = new Map<string, Parser>();

/** What the readers of one file share. */
export interface Script {
  readonly path: string;
  readonly parser: Parser;
  readonly source: Source;
  /** Every node, in the order of the text. */
  readonly nodes: readonly Node[];
  readonly lineOf: (position: number) => number;
}

export function knowsJavaScript(ending: string): boolean {
  return Object.hasOwn(dialects, ending);
}

export function isTypeScript(ending: string): boolean {
  return dialects[ending]?.startsWith("ts") === true;
}

export function parserOf(ending: string): Parser {
  const dialect = dialects[ending] ?? "";
  const known = parsers.get(dialect) ?? parser.configure({ strict: true, dialect });
  parsers.set(dialect, known);
  return known;
}

export function parseJavaScript(ending: string, text: string): Parsed {
  const first = parseText(parserOf(ending), text);
  if (first.kind === "tree") return first;
  const masked = maskGaps(text);
  if (masked === text) return first;
  const second = parseText(parserOf(ending), masked);
  return second.kind === "tree" ? { kind: "tree", source: { ...second.source, text } } : first;
}

/** What the grammar does not know yet, as blanks of the same length: a text that stays in place keeps its lines. */
const gaps: readonly RegExp[] = [
  // Type predicates of arrows, and of types of functions.
  /(?<=(?:\)\s*:|=>)\s*)(?:asserts\s+)?[\w$]+\s+is\s/g,
  /(?<=(?:\)\s*:|=>)\s*)asserts\s+/g,
  // Optional members of tuples; `import a, * as b`; attributes of imports; `async <T,>(…)`.
  /(?<=[[,]\s*[\w$]+)\?(?=:)/g,
  /(?<=import\s+[\w$]+)\s*,\s*\*\s*as\s+[\w$]+/g,
  /(?<=from\s*["'][^"'\n]*["']\s*)with\s*\{[^}]*\}/g,
  /(?<=\basync\s*)<[\w$,\s]*>(?=\s*\()/g,
];

function maskGaps(text: string): string {
  const named = text.replace(/\bdefault\s+class(?=\s*(\{|extends\b))/g, (found) => `class ${"_".repeat(found.length - 6)}`);
  return gaps.reduce((masked, gap) => masked.replace(gap, (found) => found.replace(/[^\r\n]/g, " ")), named);
}

export function readJavaScript(path: string, ending: string, source: Source): SourceFacts {
  const nodes = [...walk(source.root)];
  const script: Script = { path, parser: parserOf(ending), source, nodes, lineOf: lineCounter(source.text) };
  return {
    tests: readTests(script),
    functions: readFunctions(script),
    imports: readImports(script),
    mocks: readMocks(script),
    exits: readExits(script),
    testQuestions: readTestQuestions(script),
    literals: literalsOf(source, nodes),
    names: namesOf(source, nodes),
    yesToAll: readYesToAll(script),
    isEmpty: isEmptyFile(source.root),
  };
}
