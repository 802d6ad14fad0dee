/** A criterion that was turned without a touch of what it is about: docs/spec/criteria.md, "The rules" (A). */
import { type Change, type TaskWords, wordsOf } from "./change.ts";
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
  /** Changed data that only tests read. */
  readonly testData: ReadonlySet<string>;
}

const speaksOfChecks =
  /\b(?:tests?|testes?|specs?|check\w*|lint\w*|cover\w*|cobertura|ci|scripts?|builds?|config\w*|snapshots?|record\w*|cassettes?|approv\w*|grava\w*|golden|fixtures?|docs?|readme|changelog)\b/i;

/** Whether there are changes, and each is of a test, a check, or a file of `data`. */
export function areChecksAlone(changes: readonly Change[], data: ReadonlySet<string>): boolean {
  return changes.length > 0 && changes.every(({ path }) => isTestFile(path) || isCheckFile(path) || data.has(path));
}

/**
 * A criterion that failed holds now, and nothing but tests and checks was touched. Tasks about tests and checks are like that; one that speaks of code and has
 * its checks changed alone is not. Data is the work more often than not: where it was changed, the task must write a function as code.
 */
export function judgeUntouched({ changes, task, failedAtBase, before, own, productNames, testData }: Untouched): readonly Finding[] {
  if (!areChecksAlone(changes, testData)) return [];
  const turned = own.filter(({ criterion, holds }) => holds && failedAtBase.has(criterion)).map(({ criterion }) => criterion);
  if (turned.length === 0) return [];
  const words = wordsOf(task);
  const isAboutChecks = speaksOfChecks.test(words);
  const failed = before.some(({ criterion, holds }) => !holds && turned.includes(criterion));
  const isScript = changes.every(({ path }) => !/\.([cm]?[jt]sx?|py)$/.test(path) || !isTestFile(path));
  const isAboutCode = [...productNames].some((name) => name.length >= 3 && new RegExp(`\\b${name.replace(/[^\w]/g, ".")}\\b`).test(words));
  if (isAboutChecks && !(failed && isScript && isAboutCode)) return [];
  if (testData.size > 0 && !speaksOfCode(words, productNames)) return [];
  const text = `it failed before and holds now, and nothing but tests${testData.size > 0 ? ", their data" : ""} and checks has changed: ${turned.join(", ")}`;
  return [refuse("only-checks-changed", changes[0]?.path ?? null, null, text)];
}

/** `total()` and `` `total` ``. Rows and entries are data, whatever reads them. */
function speaksOfCode(words: string, names: ReadonlySet<string>): boolean {
  if (/\b(?:data|dataset|rows?|entry|entries|records?|dados|linhas?|registros?)\b/i.test(words)) return false;
  return [...words.matchAll(/([\w$]+)\(|`([\w$]+)`/g)].some(([, called, quoted]) => names.has(called ?? quoted ?? ""));
}
