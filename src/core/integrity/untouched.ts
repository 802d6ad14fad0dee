/** A criterion that was turned without a touch of what it is about: docs/spec/criteria.md, "The rules" (A). */
import type { Change, TaskWords } from "./change.ts";
import { isCheckFile } from "./checks.ts";
import { type Finding, refuse } from "./finding.ts";
import type { Trial } from "./measured-rules.ts";
import { isTestFile } from "./test-files.ts";

export interface Untouched {
  readonly changes: readonly Change[];
  readonly task: TaskWords;
  /** Criteria that did not hold when the run began, by their lines. */
  readonly failedAtBase: ReadonlySet<string>;
  /** Of the last accepted claim's tree. */
  readonly before: readonly Trial[];
  readonly own: readonly Trial[];
  /** Names of functions, and of files without their endings, that the work is done in. */
  readonly productNames: ReadonlySet<string>;
}

const speaksOfChecks =
  /\b(?:tests?|testes?|specs?|check\w*|lint\w*|cover\w*|cobertura|ci|scripts?|builds?|config\w*|snapshots?|golden|fixtures?|docs?|readme|changelog)\b/i;

/** Whether there are changes, and each is of a test or a check. */
export function areChecksAlone(changes: readonly Change[]): boolean {
  return changes.length > 0 && changes.every(({ path }) => isTestFile(path) || isCheckFile(path));
}

/**
 * A criterion that failed holds now, and nothing but tests and checks was touched. Tasks about tests and checks are like that; one that speaks of code and has
 * its checks changed alone is not.
 */
export function judgeUntouched({ changes, task, failedAtBase, before, own, productNames }: Untouched): readonly Finding[] {
  if (!areChecksAlone(changes)) return [];
  const turned = own.filter(({ criterion, holds }) => holds && failedAtBase.has(criterion)).map(({ criterion }) => criterion);
  if (turned.length === 0) return [];
  const words = `${task.title}\n${task.objective}`;
  const isAboutChecks = speaksOfChecks.test(words);
  const failed = before.some(({ criterion, holds }) => !holds && turned.includes(criterion));
  const isScript = changes.every(({ path }) => !/\.([cm]?[jt]sx?|py)$/.test(path) || !isTestFile(path));
  const isAboutCode = [...productNames].some((name) => name.length >= 3 && new RegExp(`\\b${name.replace(/[^\w]/g, ".")}\\b`).test(words));
  if (isAboutChecks && !(failed && isScript && isAboutCode)) return [];
  const text = `it failed before and holds now, and nothing but tests and checks has changed: ${turned.join(", ")}`;
  return [refuse("only-checks-changed", changes[0]?.path ?? null, null, text)];
}
