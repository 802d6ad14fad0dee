/** Rules over what was measured in copies of the tree: docs/spec/criteria.md, "The rules" (A). */
import type { Evidence } from "../evidence.ts";
import type { Change } from "./change.ts";
import { type Finding, refuse, remark } from "./finding.ts";

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
    return [refuse("exit-forced", null, null, `the command ended with 0, and its report says that ${failed} failed: ${criterion}`)];
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
 * A trial of the claim's own tree in a copy: one that does not hold there although it holds in the tree says that what is measured there proves nothing.
 * @param own  of HEAD as it is, in a copy
 */
export function unmeasured(own: readonly Trial[]): readonly Finding[] {
  return own
    .filter(({ holds }) => !holds)
    .map(({ criterion }) => {
      const text = `${criterion} holds in the tree and not in a copy of it: what the change is worth could not be measured there`;
      return remark("unmeasured", null, null, text);
    });
}

/** What holds in the tree and not in what was committed, while git was told not to look at files of it. */
export function judgeHidden(own: readonly Trial[], hidden: readonly string[]): readonly Finding[] {
  if (hidden.length === 0 || own.every(({ holds }) => holds)) return [];
  const text = `git was told not to see changes of ${hidden.slice(0, 5).join(", ")}, and what is committed does not hold`;
  return [refuse("hidden-change", hidden[0] ?? null, null, text)];
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
  const several = paths.length > 1 ? ` (${paths.slice(0, 5).join(", ")})` : "";
  return failingIn(own, bent, rule === "old-tests-fail").map(({ criterion }) =>
    refuse(rule, paths[0] ?? null, null, `${words}: ${criterion}${several}`),
  );
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
    const found = (make: typeof refuse, text: string) => make("tests-fewer", null, null, `${text}: ${criterion}`);
    return [
      ...(counts.passed < before.passed
        ? [found(excused ? remark : refuse, `${before.passed} tests passed before, and now ${counts.passed}`)]
        : []),
      // New tests that need what is not here are skipped, too: a test that ran before and is skipped now is one fewer that passed.
      ...(counts.skipped > before.skipped ? [found(remark, `${before.skipped} tests were skipped before, and now ${counts.skipped}`)] : []),
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
  /\b(?:undefined|null|None|Nothing|nothing|falsy|toBeFalsy|assertFalse|doesNotThrow|doesNotReject|noop)\b|not\.toThrow/;

export function judgeHollow({ own, before, without, over }: HollowTrials, tests: readonly Change[]): readonly Finding[] {
  const of = (trials: readonly Trial[], criterion: string) => trials.find((trial) => trial.criterion === criterion);
  const running = own.filter((trial) => trial.holds && !isSame(trial, of(without, trial.criterion)));
  const blind = running.filter((trial) =>
    isBlind(trial, { before: of(before, trial.criterion), without: of(without, trial.criterion), over: of(over, trial.criterion) }),
  );
  if (running.length === 0 || blind.length < running.length) return [];
  const make = tests.some(({ after }) => expectsNothing.test(after ?? "")) ? remark : refuse;
  const text = `the tests say the same when the functions that they test give back nothing: ${running.map(({ criterion }) => criterion).join(", ")}`;
  return [make("tests-notice-nothing", tests[0]?.path ?? null, null, text)];
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

/** @param atBase  whether each criterion that could be measured there held when the run began */
export function judgeWorth(atBase: readonly Pick<Trial, "criterion" | "holds">[]): readonly Finding[] {
  return atBase
    .filter(({ holds }) => holds)
    .map(({ criterion }) => remark("worthless", null, null, `it held before any work was done: ${criterion}`));
}
