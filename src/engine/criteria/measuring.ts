/** What an evaluator needs to measure one criterion: ports, limits, and what only the run knows. It never decides what follows. */
import type { ApprovalStanding } from "../../core/criteria/approval.ts";
import type { ApprovalCriterion, CriterionKind, MeasuredCriterion, TestsCriterion } from "../../core/criteria/criterion.ts";
import type { TestReport } from "../../core/criteria/test-report/report.ts";
import type { Check } from "../../core/evidence.ts";
import type { Spend } from "../../core/money/cap.ts";
import type { ParseXml } from "../../core/xml-element.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Files } from "../../ports/files.ts";
import type { Processes } from "../../ports/processes.ts";
import type { Web } from "../../ports/web.ts";
import type { Workspace } from "../../ports/workspace.ts";

export interface MeasuringPorts {
  readonly processes: Processes;
  readonly files: Files;
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly web: Web;
  readonly parseXml: ParseXml;
  /** Environment of what a criterion starts, already without keys. */
  readonly criterionEnv: Readonly<Record<string, string>>;
}

export interface Measuring {
  readonly ports: MeasuringPorts;
  /** Of the processes that are started; one word. */
  readonly mark: string;
  readonly limits: { readonly criterionMs: number; readonly graceMs: number };
  readonly bookkeeping: readonly string[];
  /** HEAD when the run began, "" = no commit; null = nobody said which it is. */
  readonly base: () => Promise<string | null>;
  /** A person's word to stop at once. */
  readonly stop: { isSaid(): boolean; onSaid(listener: () => void): () => void };
  /** How many tests of a report are new and fail without the change; null or absent = it is not measured. */
  readonly fresh?: (criterion: TestsCriterion, report: TestReport) => Promise<number | null>;
  /** Called when something was run, that may have changed the tree. */
  readonly onRan: () => void;
  /** What the ledger has of the task; null = none. */
  readonly spend: () => Promise<Spend | null>;
  readonly approval: (criterion: ApprovalCriterion) => Promise<ApprovalStanding>;
}

export type Evaluate<K extends CriterionKind> = (
  measuring: Measuring,
  criterion: Extract<MeasuredCriterion, { kind: K }>,
) => Promise<Check>;

/** Absolute path of something in the working tree. */
export function pathIn({ ports }: Measuring, relative: string): string {
  return `${ports.workspace.location.top}/${relative}`;
}

export const stoppedCheck: Check = { verdict: "cannot-tell", detail: "it was stopped" };
