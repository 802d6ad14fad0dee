/** What speaks against a finish that was claimed: docs/spec/criteria.md, "The rules". */
import type { Criterion } from "../criteria/criterion.ts";

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
  | "only-checks-changed"
  | "runner-replaced"
  | "hidden-change"
  | "old-tests-fail"
  | "tests-notice-nothing"
  | "skip-added"
  | "exit-forced"
  | "check-silenced"
  | "text-in-comment"
  | "unmeasured"
  | "secret-committed"
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
  | "coverage-pragma"
  | "body-commented-out"
  | "asks-for-test"
  | "unreferenced-file"
  | "twin-tests"
  | "unfinished"
  | "never-runs"
  | "yes-to-all"
  | "not-taken-out"
  | "lost-in-move"
  | "not-used"
  | "unparsed";

/** @param line  from 1, at HEAD; null = the whole file */
export function refuse(rule: Rule, path: string | null, line: number | null, text: string): Finding {
  return { rule, weight: "refuses", path, line, text };
}

/** @param line  from 1, at HEAD; null = the whole file */
export function remark(rule: Rule, path: string | null, line: number | null, text: string): Finding {
  return { rule, weight: "remark", path, line, text };
}

export function refuses({ weight }: Finding): boolean {
  return weight === "refuses";
}

/** Whether each criterion that can be measured held before any work was done: then nothing was verified. */
export function isWorthless(criteria: readonly Pick<Criterion, "kind">[], findings: readonly Finding[]): boolean {
  const measured = criteria.filter(({ kind }) => kind !== "prose").length;
  return measured > 0 && findings.filter(({ rule }) => rule === "worthless").length >= measured;
}

/** For the agent and for people: those that refuse, then the remarks, a line each. */
export function describeFindings(findings: readonly Finding[]): string {
  const sorted = [...findings.filter(refuses), ...findings.filter((one) => !refuses(one))];
  return sorted.map(describeFinding).join("\n");
}

export function describeFinding({ rule, weight, path, line, text }: Finding): string {
  const place = path === null ? "" : `${path}${line === null ? "" : `:${line}`}: `;
  return `${place}${text} (${rule}${weight === "remark" ? ", a remark" : ""})`;
}
