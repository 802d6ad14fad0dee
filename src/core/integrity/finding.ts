/** What speaks against a finish that was claimed: docs/spec/criteria.md, "The rules". */

export interface Finding {
  readonly rule: Rule;
  /** A remark is told and reported, and refuses nothing. */
  readonly weight: "refuses" | "remark";
  /** Null = it is in no one file. */
  readonly path: string | null;
  /** From 1, at HEAD, or at the commit before for what was removed; null = the whole file. */
  readonly line: number | null;
  /** One sentence without the place, for people and for the agent. */
  readonly text: string;
}

export type Rule =
  | "no-change"
  | "worthless"
  | "protected-file"
  | "criterion-weakened"
  | "tests-fewer"
  | "old-tests-fail"
  | "tests-notice-nothing"
  | "new-tests-prove-nothing"
  | "skip-added"
  | "exit-forced"
  | "unmeasured"
  | SourceRule;

/** Those that need the syntax of a language. */
export type SourceRule =
  | "empty-test"
  | "no-assertion"
  | "constant-assertion"
  | "error-swallowed"
  | "assertion-removed"
  | "subject-mocked"
  | "answer-hard-coded"
  | "exit-in-test"
  | "snapshot-rewritten"
  | "coverage-pragma"
  | "body-commented-out"
  | "asks-for-test"
  | "unreferenced-file"
  | "unparsed";
