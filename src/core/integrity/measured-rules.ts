/** Rules over what was measured in scratch checkouts: docs/spec/criteria.md, "The rules" (A). */
import type { Change } from "./change.ts";
import type { Finding } from "./finding.ts";

/** What a criterion's command said in some tree. */
export interface Trial {
  readonly criterion: string;
  readonly holds: boolean;
  /** What it printed, without what differs from run to run. */
  readonly said: string;
  /** Null where no report could be read. */
  readonly counts: { readonly passed: number; readonly skipped: number } | null;
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
  return failingIn(own, bent).map(({ criterion }) => ({
    ...{ rule, weight: "refuses", path: paths[0] ?? null, line: null },
    text: `${words}: ${criterion}${paths.length > 1 ? ` (${paths.slice(0, 5).join(", ")})` : ""}`,
  }));
}

function failingIn(own: readonly Trial[], bent: readonly Trial[]): readonly Trial[] {
  return bent.filter((trial) => !trial.holds && own.some(({ criterion, holds }) => criterion === trial.criterion && holds));
}

/**
 * @param last  trials of the last accepted claim's tree
 * @param excused  the task speaks of tests that go, or what they tested went too
 */
export function judgeCounts(own: readonly Trial[], last: readonly Trial[], excused: boolean): readonly Finding[] {
  return own.flatMap(({ criterion, counts }) => {
    const before = last.find((trial) => trial.criterion === criterion)?.counts ?? null;
    if (counts === null || before === null) return [];
    const fewer = counts.passed < before.passed ? `${before.passed} tests passed before, and now ${counts.passed}` : null;
    const skipped = counts.skipped > before.skipped ? `${before.skipped} tests were skipped before, and now ${counts.skipped}` : null;
    return [fewer, skipped]
      .filter((text) => text !== null)
      .map(
        (text): Finding => ({
          rule: "tests-fewer",
          weight: excused ? "remark" : "refuses",
          path: null,
          line: null,
          text: `${text}: ${criterion}`,
        }),
      );
  });
}

/**
 * @param without  trials of HEAD without the tests that were added or changed: a criterion that says the same then does not run them
 * @param hollow  trials of HEAD over hollow functions
 */
export function judgeHollow(
  own: readonly Trial[],
  without: readonly Trial[],
  hollow: readonly Trial[],
  tests: readonly Change[],
): readonly Finding[] {
  const of = (trials: readonly Trial[], criterion: string) => trials.find((trial) => trial.criterion === criterion);
  const running = own.filter((trial) => trial.holds && !isSame(trial, of(without, trial.criterion)));
  if (running.length === 0 || !running.every((trial) => isSame(trial, of(hollow, trial.criterion)))) return [];
  return [
    {
      ...{ rule: "tests-notice-nothing", weight: "refuses", path: tests[0]?.path ?? null, line: null },
      text: `the tests say the same when the functions that they test give back nothing: ${running.map(({ criterion }) => criterion).join(", ")}`,
    },
  ];
}

function isSame(one: Trial, other: Trial | undefined): boolean {
  return other !== undefined && one.holds === other.holds && one.said === other.said;
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

/** Test files that the claim changed or took away, and whose words speak of nothing that went with them. */
export function oldTests(
  changes: readonly Change[],
  isTest: (path: string) => boolean,
  isNamed: (path: string) => boolean,
): readonly Change[] {
  const gone = changes.filter(({ path, kind }) => kind === "removed" && !isTest(path)).map(({ path }) => stemOf(path));
  return changes.filter(
    ({ path, kind, before }) =>
      kind !== "added" && isTest(path) && !isNamed(path) && !gone.some((stem) => stem !== "" && (before ?? "").includes(stem)),
  );
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
}
