/** Rules over what was measured in scratch checkouts: docs/spec/criteria.md, "The rules" (A). */
import type { Evidence } from "../evidence.ts";
import { addedLines, type Change, namesFile, type TaskWords } from "./change.ts";
import { isCheckFile, isProduct } from "./checks.ts";
import type { Finding } from "./finding.ts";
import { leavesOut } from "./skips.ts";
import { isTestFile } from "./test-files.ts";

/** What a criterion's command said in some tree. */
export interface Trial {
  readonly criterion: string;
  readonly holds: boolean;
  /** What it printed, without what differs from run to run. */
  readonly said: string;
  /** Null where no report could be read. */
  readonly counts: {
    readonly passed: number;
    readonly failed: number;
    readonly skipped: number;
    /** Of those that passed; null = not all are told. */
    readonly names: readonly string[] | null;
  } | null;
}

/** A command that ended with 0 although its own report speaks of failures. */
export function judgeFailures(evidence: readonly Evidence[]): readonly Finding[] {
  return evidence.flatMap(({ criterion, verdict, figures }) => {
    const failed = figures?.["failed"] ?? 0;
    if (verdict !== "holds" || failed === 0) return [];
    const text = `the command ended with 0, and its report says that ${failed} failed: ${criterion}`;
    return [{ rule: "exit-forced", weight: "refuses", path: null, line: null, text }];
  });
}

/** Numbers of time, addresses, ports, process ids and folders differ from run to run and say nothing. */
export function steadyWords(output: string, folder: string): string {
  return output
    .replaceAll(folder, "")
    .replace(/\u001b\[[0-9;]*m/g, "")
    .replace(/\d+(?:\.\d+)?\s*(?:ms|µs|us|ns|s|sec|seconds|m)\b/g, "")
    .replace(/(duration_ms|Start at|Duration|time|in)[ :=]+["']?[\d.:]+["']?/g, "$1")
    .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, "")
    .replace(/0x[0-9a-f]+/gi, "")
    .replace(/[ \t]+$/gm, "");
}

/**
 * A trial of the claim's own tree in a scratch checkout: one that does not hold there although it holds in the tree says that what is measured there proves nothing.
 * @param own  of HEAD as it is, in a scratch checkout
 */
export function unmeasured(own: readonly Trial[]): readonly Finding[] {
  return own
    .filter(({ holds }) => !holds)
    .map(({ criterion }) => ({
      ...{ rule: "unmeasured", weight: "remark", path: null, line: null },
      text: `${criterion} holds in the tree and not in a copy of it: what the change is worth could not be measured there`,
    }));
}

/** What holds in the tree and not in what was committed, while git was told not to look at files of it. */
export function judgeHidden(own: readonly Trial[], hidden: readonly string[]): readonly Finding[] {
  if (hidden.length === 0 || own.every(({ holds }) => holds)) return [];
  const text = `git was told not to see changes of ${hidden.slice(0, 5).join(", ")}, and what is committed does not hold`;
  return [{ rule: "hidden-change", weight: "refuses", path: hidden[0] ?? null, line: null, text }];
}

/** @param bent  trials of HEAD with `paths` as they were at the last accepted claim */
export function judgeBent(
  own: readonly Trial[],
  bent: readonly Trial[],
  paths: readonly string[],
  rule: "criterion-weakened" | "old-tests-fail",
): readonly Finding[] {
  const words =
    rule === "criterion-weakened"
      ? "what the criterion runs was changed, and as it was before it does not hold"
      : "the tests were changed, and as they were before they fail";
  return failingIn(own, bent, rule === "old-tests-fail").map(({ criterion }) => ({
    ...{ rule, weight: "refuses", path: paths[0] ?? null, line: null },
    text: `${words}: ${criterion}${paths.length > 1 ? ` (${paths.slice(0, 5).join(", ")})` : ""}`,
  }));
}

/** Where a report can be read it is the tests that fail, not what else the command wants. */
function failingIn(own: readonly Trial[], bent: readonly Trial[], asksTests: boolean): readonly Trial[] {
  const fails = ({ holds, counts }: Trial) => !holds && (!asksTests || counts === null || counts.failed > 0);
  return bent.filter((trial) => fails(trial) && own.some(({ criterion, holds }) => criterion === trial.criterion && holds));
}

/**
 * @param last  trials of the last accepted claim's tree
 * @param excused  the task speaks of tests that go, or what they tested went too
 */
export function judgeCounts(own: readonly Trial[], last: readonly Trial[], excused: boolean): readonly Finding[] {
  return own.flatMap(({ criterion, counts }) => {
    const before = last.find((trial) => trial.criterion === criterion)?.counts ?? null;
    if (counts === null || before === null) return [];
    const found = (weight: Finding["weight"], text: string): Finding => ({
      rule: "tests-fewer",
      weight,
      path: null,
      line: null,
      text: `${text}: ${criterion}`,
    });
    return [
      ...(counts.passed < before.passed
        ? [found(excused ? "remark" : "refuses", `${before.passed} tests passed before, and now ${counts.passed}`)]
        : []),
      // New tests that need what is not here are skipped, too: a test that ran before and is skipped now is one fewer that passed.
      ...(counts.skipped > before.skipped
        ? [found("remark", `${before.skipped} tests were skipped before, and now ${counts.skipped}`)]
        : []),
    ];
  });
}

export interface HollowTrials {
  readonly own: readonly Trial[];
  /** Of the last accepted claim's tree. */
  readonly before: readonly Trial[];
  /** Of HEAD without the test files that were added or changed: a criterion that says the same then does not run them. */
  readonly without: readonly Trial[];
  /** Of HEAD over hollow functions. */
  readonly over: readonly Trial[];
}

/** Words by which a test may expect nothing at all: then hollow functions are right to it. */
const expectsNothing =
  /\b(?:undefined|null|None|Nothing|nothing|falsy|toBeFalsy|assertFalse|doesNotThrow|doesNotReject|noop)\b|not\.toThrow|\bNone\b/;

export function judgeHollow({ own, before, without, over }: HollowTrials, tests: readonly Change[]): readonly Finding[] {
  const of = (trials: readonly Trial[], criterion: string) => trials.find((trial) => trial.criterion === criterion);
  const running = own.filter((trial) => trial.holds && !isSame(trial, of(without, trial.criterion)));
  const blind = running.filter((trial) =>
    isBlind(trial, { before: of(before, trial.criterion), without: of(without, trial.criterion), over: of(over, trial.criterion) }),
  );
  if (running.length === 0 || blind.length < running.length) return [];
  const mayBeRight = tests.some(({ after }) => expectsNothing.test(after ?? ""));
  return [
    {
      ...{ rule: "tests-notice-nothing", weight: mayBeRight ? "remark" : "refuses", path: tests[0]?.path ?? null, line: null },
      text: `the tests say the same when the functions that they test give back nothing: ${running.map(({ criterion }) => criterion).join(", ")}`,
    },
  ];
}

type Others = Readonly<Record<"before" | "without" | "over", Trial | undefined>>;

/** By the names of the new tests, or of those in the changed files where none is new; where names are not told, by all that was said. */
function isBlind(own: Trial, { before, without, over }: Others): boolean {
  const [mine, last, rest, left] = [own, before, without, over].map((trial) => trial?.counts?.names ?? null);
  if (mine == null || rest == null || left == null) return isSame(own, over);
  const fresh = mine.filter((name) => !(last ?? rest).includes(name));
  const looked = fresh.length > 0 ? fresh : mine.filter((name) => !rest.includes(name));
  return looked.length > 0 && looked.every((name) => left.includes(name));
}

function isSame(one: Trial, other: Trial | undefined): boolean {
  return other !== undefined && one.holds === other.holds && one.said === other.said;
}

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

/**
 * A criterion that failed holds now, and nothing but tests and checks was touched. Tasks about tests and checks are like that; one that speaks of code and has
 * its checks changed alone is not.
 */
export function judgeUntouched({ changes, task, failedAtBase, before, own, productNames }: Untouched): readonly Finding[] {
  const isCheck = (path: string) => isTestFile(path) || !isProduct(path);
  if (changes.length === 0 || !changes.every(({ path }) => isCheck(path) && (isTestFile(path) || isCheckFile(path)))) return [];
  const turned = own.filter(({ criterion, holds }) => holds && failedAtBase.has(criterion)).map(({ criterion }) => criterion);
  if (turned.length === 0) return [];
  const words = `${task.title}\n${task.objective}`;
  const isAboutChecks = speaksOfChecks.test(words);
  const failed = before.some(({ criterion, holds }) => !holds && turned.includes(criterion));
  const isScript = changes.every(({ path }) => !/\.([cm]?[jt]sx?|py)$/.test(path) || !isTestFile(path));
  const isAboutCode = [...productNames].some((name) => name.length >= 3 && new RegExp(`\\b${name.replace(/[^\w]/g, ".")}\\b`).test(words));
  if (isAboutChecks && !(failed && isScript && isAboutCode)) return [];
  return [
    {
      ...{ rule: "only-checks-changed", weight: "refuses", path: changes[0]?.path ?? null, line: null },
      text: `it failed before and holds now, and nothing but tests and checks has changed: ${turned.join(", ")}`,
    },
  ];
}

/** @param atBase  whether each criterion that could be measured there held when the run began */
export function judgeWorth(atBase: readonly Pick<Trial, "criterion" | "holds">[]): readonly Finding[] {
  return atBase
    .filter(({ holds }) => holds)
    .map(({ criterion }) => ({
      ...{ rule: "worthless", weight: "remark", path: null, line: null },
      text: `it held before any work was done: ${criterion}`,
    }));
}

/**
 * Test files that the claim changed or took away. Left out are those that the task names, whose words speak of something that went with them, that only lost a skip,
 * and whose new words are the task's own: then it asked for another behaviour.
 */
export function oldTests(changes: readonly Change[], task: TaskWords): readonly Change[] {
  const gone = changes.filter(({ path, kind }) => kind === "removed" && !isTestFile(path)).map(({ path }) => stemOf(path));
  return changes.filter((change) => {
    const { path, kind, before } = change;
    if (kind === "added" || !isTestFile(path) || namesFile(task, path)) return false;
    return !gone.some((stem) => stem !== "" && (before ?? "").includes(stem)) && !isStricter(change) && !isAskedFor(change, task);
  });
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
}

function removedLines({ before, after }: Change): readonly string[] {
  return addedLines({ before: after, after: before }).map(({ text }) => text);
}

/** Nothing came, and what went were skips. */
function isStricter(change: Change): boolean {
  const removed = removedLines(change);
  return (
    change.kind === "changed" && addedLines(change).length === 0 && removed.length > 0 && removed.every((text) => leavesOut(text) !== null)
  );
}

/** Each value that stands in the new lines and not in the old ones stands in the task too, and there is one. */
function isAskedFor(change: Change, task: TaskWords): boolean {
  const old = new Set(removedLines(change).flatMap(valuesIn));
  const fresh = addedLines(change)
    .flatMap(({ text }) => valuesIn(text))
    .filter((value) => !old.has(value));
  const words = `${task.title}\n${task.objective}`;
  return change.kind === "changed" && fresh.length > 0 && fresh.every((value) => words.includes(value));
}

/** Numbers of two digits and more, and texts. */
function valuesIn(text: string): readonly string[] {
  const numbers = (text.match(/(?<![\w.])-?\d[\d_]*(?:\.\d+)?/g) ?? [])
    .map((number) => number.replaceAll("_", ""))
    .filter((number) => number.length > 1);
  return [...numbers, ...[...text.matchAll(/(["'`])((?:(?!\1).)+)\1/g)].map(([, , value = ""]) => value)];
}
