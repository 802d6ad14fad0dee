/**
 * TAP 13 and 14: results, plans, subtests before their parent (node:test) or in braces after it (vitest). Leaves are counted, and a parent only where it
 * failed by itself. A level whose plan does not fit its results was cut, and a report without a plan is none.
 */
import { type TestReport, wholeNames } from "./report.ts";

interface Level {
  readonly indent: number;
  readonly title: string;
  results: number;
  planned: number | null;
  /** Of the results here and below that no parent has taken yet. */
  hasFailed: boolean;
  /** Whether results of a deeper level wait for their parent. */
  hasChildren: boolean;
  childFailed: boolean;
}

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  names: string[];
}

export function readTap(lines: readonly string[]): TestReport | null {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0, names: [] };
  const levels: Level[] = [newLevel(0, "")];
  const titles: string[] = [];
  let yamlIndent: number | null = null;
  let isBroken = false;
  const close = () => {
    const level = levels.pop();
    const outer = levels.at(-1);
    if (level === undefined || outer === undefined) return;
    isBroken ||= level.planned !== null && level.planned !== level.results;
    outer.hasChildren = true;
    outer.childFailed ||= level.hasFailed;
  };
  for (const raw of lines) {
    const line = raw.trimEnd();
    const indent = line.length - line.trimStart().length;
    const rest = line.slice(indent);
    if (yamlIndent !== null) {
      if (rest === "..." && indent === yamlIndent) yamlIndent = null;
      continue;
    }
    if (/^Bail out!/i.test(rest)) isBroken = true;
    if (rest === "}" && levels.length > 1) close();
    const subtest = /^# Subtest: (.*)$/.exec(rest);
    if (subtest !== null) titles[indent / 4] = subtest[1] ?? "";
    const plan = /^1\.\.(\d{1,9})(\s*#.*)?$/.exec(rest);
    const result = /^(not )?ok\b(?:\s+\d+)?(?:\s+-)?\s*(.*)$/.exec(rest);
    if (plan === null && result === null) {
      if (rest === "---" && (levels.at(-1)?.results ?? 0) > 0) yamlIndent = indent;
      continue;
    }
    while (levels.length > 1 && indent < (levels.at(-1)?.indent ?? 0)) close();
    if (indent > (levels.at(-1)?.indent ?? 0)) levels.push(newLevel(indent, titles[indent / 4 - 1] ?? ""));
    const level = levels.at(-1) ?? newLevel(0, "");
    if (plan !== null) {
      isBroken ||= level.planned !== null;
      level.planned = Number(plan[1]);
    } else if (result !== null) {
      level.results += 1;
      const isOpening = / \{$/.test(rest);
      countResult(tally, { levels, level, isOk: result[1] === undefined, title: result[2] ?? "", isOpening });
      if (isOpening) levels.push(newLevel(indent + 4, titleOf(result[2] ?? "")));
    }
    if (levels.length > 200) return null;
  }
  while (levels.length > 1) close();
  const [top] = levels;
  if (isBroken || yamlIndent !== null || top?.planned == null || top.planned !== top.results) return null;
  return { runner: "tap", ...tally, assertions: null, names: wholeNames(tally.names, tally.passed) };
}

function newLevel(indent: number, title: string): Level {
  return { indent, title, results: 0, planned: null, hasFailed: false, hasChildren: false, childFailed: false };
}

interface Result {
  readonly levels: readonly Level[];
  readonly level: Level;
  readonly isOk: boolean;
  readonly title: string;
  readonly isOpening: boolean;
}

function countResult(tally: Tally, { levels, level, isOk, title, isOpening }: Result): void {
  const directive = /(?<!\\)#\s*(skip|todo)\b/i.test(title);
  const isParent = isOpening || level.hasChildren;
  // A parent in braces is known before its children: what of it failed is theirs to tell.
  const ownFailure = !isOk && !directive && !(isParent && (isOpening || level.childFailed));
  level.hasFailed ||= !isOk && !directive;
  level.hasChildren = false;
  level.childFailed = false;
  if (ownFailure) tally.failed += 1;
  if (isParent || ownFailure) return;
  if (directive) tally.skipped += 1;
  else if (isOk) {
    tally.passed += 1;
    tally.names.push([...levels.slice(1).map((one) => one.title), titleOf(title)].filter((part) => part !== "").join(" > "));
  }
}

function titleOf(title: string): string {
  return title
    .replace(/ \{$/, "")
    .replace(/\s(?<!\\)#\s*(time=|skip|todo).*$/i, "")
    .trim();
}
