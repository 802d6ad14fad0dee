/** Counts errors and warnings in what a checker printed: eslint, biome, tsc, ruff, clippy; as JSON or as text. */
import { fieldAt, readJson } from "../json.ts";
import { linesOf } from "./test-report/lines.ts";

export interface LintCount {
  readonly checker: string;
  readonly errors: number;
  readonly warnings: number;
}

/**
 * @param silentIsClean  the command ended with 0, so that nothing printed means nothing found
 * @returns null = it cannot be counted
 */
export function countLint(text: string, silentIsClean: boolean): LintCount | null {
  const lines = linesOf(text);
  const counted = countJson(text) ?? countCargoJson(lines) ?? countText(lines);
  if (counted !== null) return counted;
  // What npm and its like print before a script is no finding.
  const isSilent = lines.every((line) => line.trim() === "" || /^(> |\$ )/.test(line));
  return silentIsClean && isSilent ? { checker: "silent", errors: 0, warnings: 0 } : null;
}

/** A document alone, or one in a line of its own. */
function countJson(text: string): LintCount | null {
  const start = text.search(/^[[{]/m);
  const value = start < 0 ? undefined : (readJson(text.slice(start).trim()) ?? readJson(text.slice(start).split("\n", 1)[0] ?? ""));
  if (Array.isArray(value)) return countList(value);
  const summary = fieldAt(value, ["summary"]);
  const [errors, warnings] = [fieldAt(summary, ["errors"]), fieldAt(summary, ["warnings"])];
  return isCount(errors) && isCount(warnings) ? { checker: "biome", errors, warnings } : null;
}

function countList(list: readonly unknown[]): LintCount | null {
  if (list.length === 0) return { checker: "JSON", errors: 0, warnings: 0 };
  const sums = list.map((one) => [fieldAt(one, ["errorCount"]), fieldAt(one, ["warningCount"])] as const);
  if (sums.every(([errors, warnings]) => isCount(errors) && isCount(warnings)))
    return { checker: "eslint", errors: sum(sums.map(([errors]) => errors)), warnings: sum(sums.map(([, warnings]) => warnings)) };
  const isRuff = list.every((one) => fieldAt(one, ["code"]) !== undefined && typeof fieldAt(one, ["filename"]) === "string");
  return isRuff ? { checker: "ruff", errors: list.length, warnings: 0 } : null;
}

function countCargoJson(lines: readonly string[]): LintCount | null {
  const values = lines.filter((line) => line.startsWith('{"reason":')).map(readJson);
  if (!values.some((value) => fieldAt(value, ["reason"]) === "build-finished")) return null;
  const messages = values.filter((value) => fieldAt(value, ["reason"]) === "compiler-message").map((value) => fieldAt(value, ["message"]));
  // A message with no place only sums up the others.
  const found = messages.filter((message) => (fieldAt(message, ["spans"]) as readonly unknown[] | undefined)?.length !== 0);
  const of = (level: string) => found.filter((message) => fieldAt(message, ["level"]) === level).length;
  return { checker: "clippy", errors: of("error"), warnings: of("warning") };
}

interface TextForm {
  readonly checker: string;
  /** Lines with counts, by the name of the group: `errors`, `warnings`. All of them are added up. */
  readonly counts: readonly RegExp[];
  /** Lines that say that nothing was found. */
  readonly clean: RegExp | null;
}

const textForms: readonly TextForm[] = [
  { checker: "eslint", counts: [/^✖ \d+ problems? \((?<errors>\d+) errors?, (?<warnings>\d+) warnings?\)$/], clean: null },
  {
    checker: "biome",
    counts: [/^Found (?<errors>\d+) errors?\.$/, /^Found (?<warnings>\d+) warnings?\.$/],
    clean: /^Checked \d+ files? in .+\. (No fixes applied|Fixed \d+ files?)\.$/,
  },
  { checker: "tsc", counts: [/^Found (?<errors>\d+) errors? in (?:\d+ files|\S.*:\d+)\.?\s*$/], clean: /^Found 0 errors\. / },
  { checker: "ruff", counts: [/^Found (?<errors>\d+) errors?(?: \(.+\))?\.$/], clean: /^All checks passed!$/ },
  {
    checker: "clippy",
    counts: [
      /^warning: `.+` \(.+\) generated (?<warnings>\d+) warnings?(?: \(.+\))?$/,
      /^error: could not compile `.+` \(.+\) due to (?<errors>\d+) previous errors?(?:; (?<warnings>\d+) warnings? emitted)?$/,
    ],
    clean: /^ +Finished `?\w+`? .*target\(s\) in /,
  },
];

function countText(lines: readonly string[]): LintCount | null {
  const short = lines.filter((line) => line.length <= 500);
  // tsc in its plain form sums nothing up.
  const plainTsc = short.filter((line) => /^\S.*\(\d+,\d+\): error TS\d+: /.test(line)).length;
  if (plainTsc > 0) return { checker: "tsc", errors: plainTsc, warnings: 0 };
  const isBiome = short.some((line) => /^Checked \d+ files? in /.test(line));
  for (const { checker, counts, clean } of textForms) {
    if (checker === "ruff" && isBiome) continue;
    const found = short.flatMap((line) => counts.flatMap((form) => groupsOf(form.exec(line))));
    // `Found 2 errors.` is biome's and ruff's: biome says how many files it checked.
    const isOurs = checker !== "biome" || isBiome;
    if (isOurs && (found.length > 0 || (clean !== null && short.some((line) => clean.test(line)))))
      return {
        checker,
        errors: sum(found.map((one) => Number(one["errors"] ?? 0))),
        warnings: sum(found.map((one) => Number(one["warnings"] ?? 0))),
      };
  }
  return null;
}

function groupsOf(match: RegExpExecArray | null): readonly Readonly<Record<string, string | undefined>>[] {
  return match?.groups === undefined ? [] : [match.groups];
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function sum(counts: readonly unknown[]): number {
  return counts.reduce<number>((total, count) => total + (isCount(count) ? count : 0), 0);
}
