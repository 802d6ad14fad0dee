/**
 * The report of a test run, whatever wrote it. Readers are total: a text is a report of theirs, or null. They read whole reports only: one that
 * contradicts itself, or was cut, is none, so that nothing is ever a count of nothing.
 */

export interface TestReport {
  /** Who wrote it, such as `vitest` or `tap`. */
  readonly runner: string;
  readonly passed: number;
  readonly failed: number;
  /** Skipped, pending, to do, or expected to fail. */
  readonly skipped: number;
  /** Null = it does not count them. */
  readonly assertions: number | null;
  /** Full names of those that passed; null = they are not told, or not all of them. */
  readonly names: readonly string[] | null;
}

/** Several reports of one command are one. */
export function joinReports(reports: readonly TestReport[]): TestReport | null {
  const [first, ...rest] = reports;
  return first === undefined ? null : rest.reduce(join, first);
}

function join(one: TestReport, other: TestReport): TestReport {
  return {
    runner: one.runner === other.runner ? one.runner : `${one.runner} and ${other.runner}`,
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    assertions: one.assertions === null || other.assertions === null ? null : one.assertions + other.assertions,
    names: one.names === null || other.names === null ? null : [...one.names, ...other.names],
  };
}

/** Names only where they are those of all that passed. */
export function wholeNames(names: readonly string[], passed: number): readonly string[] | null {
  return names.length === passed && new Set(names).size === passed ? names : null;
}
