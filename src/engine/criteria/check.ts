/**
 * Measures the criteria of a task: in our own process, at HEAD, never by reading a claim. One after another, in the order of the plan, and all of them, so
 * that the agent is told everything at once.
 */
import type { Criterion, MeasuredCriterion } from "../../core/criteria/criterion.ts";
import type { Check, Evidence } from "../../core/evidence.ts";
import { evaluateApproval, evaluateCost } from "./asked.ts";
import { evaluateCommand } from "./command.ts";
import { evaluateCoverage } from "./coverage.ts";
import { evaluateFile } from "./file.ts";
import { evaluateGit } from "./git.ts";
import { evaluateHttp } from "./http.ts";
import { evaluateJson } from "./json.ts";
import { evaluateLint } from "./lint.ts";
import type { Measuring } from "./measuring.ts";
import { evaluateTests } from "./tests.ts";

export interface Scene {
  /** HEAD; "" = no commit yet. */
  readonly commit: string;
  /** Number of the window in which it is claimed, 0 before the first; null = outside of a run, where everything counts. */
  readonly window: number | null;
}

/** Only what can be measured; prose gives no evidence. */
export async function checkCriteria(measuring: Measuring, criteria: readonly Criterion[], scene: Scene): Promise<readonly Evidence[]> {
  const evidence: Evidence[] = [];
  for (const criterion of criteria) if (criterion.kind !== "prose") evidence.push(await measure(measuring, criterion, scene));
  return evidence;
}

async function measure(measuring: Measuring, criterion: MeasuredCriterion, { commit, window }: Scene): Promise<Evidence> {
  const { clock } = measuring.ports;
  const startedAt = clock.monotonicMs();
  const check = await evaluate(measuring, criterion);
  const { fromWindow, text, kind } = criterion;
  return {
    criterion: text,
    kind,
    ...check,
    ...(fromWindow !== undefined && window !== null && window < fromWindow ? { countsFrom: fromWindow } : {}),
    commit,
    durationMs: Math.round(clock.monotonicMs() - startedAt),
  };
}

function evaluate(measuring: Measuring, criterion: MeasuredCriterion): Promise<Check> {
  switch (criterion.kind) {
    case "command":
      return evaluateCommand(measuring, criterion);
    case "file":
      return evaluateFile(measuring, criterion);
    case "tests":
      return evaluateTests(measuring, criterion);
    case "lint":
      return evaluateLint(measuring, criterion);
    case "http":
      return evaluateHttp(measuring, criterion);
    case "json":
      return evaluateJson(measuring, criterion);
    case "git":
      return evaluateGit(measuring, criterion);
    case "coverage":
      return evaluateCoverage(measuring, criterion);
    case "cost":
      return evaluateCost(measuring, criterion);
    case "approval":
      return evaluateApproval(measuring, criterion);
  }
}
