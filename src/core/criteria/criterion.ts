/** Criteria as values: what a person's line asks for. `text` is always the person's own line, whole. */

export type Criterion = MeasuredCriterion | Prose;

/** Told to the agent, shown in the report, never checked. */
export interface Prose {
  readonly kind: "prose";
  readonly text: string;
}

export type MeasuredCriterion =
  | CommandCriterion
  | FileCriterion
  | TestsCriterion
  | LintCriterion
  | HttpCriterion
  | JsonCriterion
  | GitCriterion
  | CoverageCriterion
  | CostCriterion
  | ApprovalCriterion;

export type CriterionKind = MeasuredCriterion["kind"];

interface Measured {
  readonly text: string;
  /** `from 5:`: the number of the run's window from which on it counts; absent = from the first. */
  readonly fromWindow?: number;
}

/** Holds when the command exits with 0 in the working tree. */
export interface CommandCriterion extends Measured {
  readonly kind: "command";
  readonly command: string;
}

export interface FileCriterion extends Measured {
  readonly kind: "file";
  readonly path: string;
  readonly expect: FileExpectation;
}

export type FileExpectation =
  | { readonly kind: "exists" }
  | { readonly kind: "absent" }
  | { readonly kind: "contains"; readonly needle: string };

/** A command whose report is read. Counts are null where the line says nothing of them. */
export interface TestsCriterion extends Measured {
  readonly kind: "tests";
  readonly command: string;
  readonly passedAtLeast: number | null;
  /** So many that pass are not among those of the base, and fail there. */
  readonly newAtLeast: number | null;
  readonly skippedAtMost: number | null;
  readonly assertionsAtLeast: number | null;
  /** Path of the report, relative to the tree; null = what the command printed. */
  readonly report: string | null;
}

/** Without a count it is the exit code that counts. */
export interface LintCriterion extends Measured {
  readonly kind: "lint";
  readonly command: string;
  readonly errorsAtMost: number | null;
  readonly warningsAtMost: number | null;
}

export type HttpMethod = "GET" | "HEAD" | "OPTIONS" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface HttpCriterion extends Measured {
  readonly kind: "http";
  readonly method: HttpMethod;
  /** A whole address, or a path where `start` says who serves it. */
  readonly target: string;
  /** Command of the server, with a free port in PORT; null = it is there already. */
  readonly start: string | null;
  readonly withinMs: number;
  readonly expect: readonly HttpExpectation[];
}

export type HttpExpectation =
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "header"; readonly name: string; readonly expect: TextExpectation }
  | { readonly kind: "body"; readonly expect: TextExpectation }
  | ({ readonly kind: "json" } & PointedExpectation);

/** What came back from a server. */
export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case; several of one name are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most 1 MB of it. */
  readonly body: string;
  readonly isCut: boolean;
}

export type TextExpectation = { readonly kind: "is" | "is-not" | "contains"; readonly text: string };

export interface JsonCriterion extends Measured {
  readonly kind: "json";
  readonly path: string;
  readonly expect: readonly PointedExpectation[];
}

/** What the value at a JSON pointer (RFC 6901) must be. */
export interface PointedExpectation {
  readonly pointer: string;
  readonly value: ValueExpectation;
}

export type ValueExpectation =
  | { readonly kind: "is" | "is-not"; readonly value: unknown }
  | { readonly kind: "at-least" | "at-most"; readonly bound: number }
  | { readonly kind: "contains"; readonly text: string }
  | { readonly kind: "exists" | "absent" };

export interface GitCriterion extends Measured {
  readonly kind: "git";
  readonly expect: readonly GitExpectation[];
}

export type GitExpectation =
  | { readonly kind: "clean" }
  /** Against the base, below the path. */
  | { readonly kind: "changed" | "unchanged"; readonly path: string }
  | { readonly kind: "branch"; readonly name: string }
  /** Of a commit since the base. */
  | { readonly kind: "message"; readonly needle: string };

export const coverageMeasures = ["lines", "branches", "functions", "statements"] as const;
export type CoverageMeasure = (typeof coverageMeasures)[number];

export interface CoverageCriterion extends Measured {
  readonly kind: "coverage";
  readonly command: string;
  readonly report: string;
  /** Per cent, at least; at least one of them is there. */
  readonly least: Readonly<Partial<Record<CoverageMeasure, number>>>;
}

/** What the ledger has for the task. */
export interface CostCriterion extends Measured {
  readonly kind: "cost";
  readonly atMostMicroUsd: number;
}

/** A person says yes to the tree as it is. */
export interface ApprovalCriterion extends Measured {
  readonly kind: "approval";
  readonly statement: string;
  /** Path of what the person should look at; null = nothing but the change. */
  readonly show: string | null;
}

export type CriterionParse = Criterion | Malformed;

/** A line with one of our labels that cannot be understood. */
export interface Malformed {
  readonly kind: "malformed";
  readonly text: string;
  readonly reason: string;
}
