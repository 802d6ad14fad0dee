/** What a version of an evaluation came to: for the person, for `--json`, and for a comparison. */

import type { JobState } from "../../core/batch/job.ts";
import { type JobScore, mean } from "../../core/eval/comparison.ts";
import type { BatchRecord } from "../../ports/batch-store.ts";
import type { EvaluationRecord, EvaluationSets } from "../../ports/evaluation-sets.ts";
import type { Store } from "../../ports/store.ts";
import { jobLines } from "../batch/report.ts";

export interface EvaluationReport {
  readonly evaluation: string;
  readonly version: string;
  readonly scorer: string;
  readonly jobs: number;
  readonly pending: number;
  readonly failed: number;
  /** Answers of which the scorer could not tell, or that it has not seen yet. */
  readonly unscored: number;
  /** Over all jobs that have ended, those without a score left out: a failed one has 0. Null = there is none. */
  readonly meanScore: number | null;
  readonly costMicroUsd: number;
  readonly calls: number;
  /** Calls that may have cost more. */
  readonly unknown: number;
  /** In the order of the set. */
  readonly lines: readonly EvaluationLine[];
}

export interface EvaluationLine {
  readonly job: string;
  readonly question: string;
  readonly state: JobState;
  readonly score: number | null;
  /** Of a score, of a failure, or why there is none. */
  readonly why: string;
  readonly costMicroUsd: number;
}

export interface ReportParts {
  readonly store: Store;
  readonly sets: EvaluationSets;
}

export interface Reported {
  readonly evaluation: EvaluationRecord;
  readonly batch: BatchRecord;
  readonly mark: string;
}

export async function evaluationReport({ store, sets }: ReportParts, { evaluation, batch, mark }: Reported): Promise<EvaluationReport> {
  const references = new Map([...sets.references(evaluation, mark)].map((one) => [one.job, one]));
  const sums = { costMicroUsd: 0, calls: 0, unknown: 0 };
  const lines: EvaluationLine[] = [];
  for await (const { job, state, reason, ...line } of jobLines(store, batch)) {
    const { question = "", score = null } = references.get(job) ?? {};
    sums.costMicroUsd += line.costMicroUsd;
    sums.calls += line.calls;
    sums.unknown += line.unknown;
    const value = state === "failed" ? 0 : score?.kind === "scored" ? score.score : null;
    lines.push({
      job,
      question,
      state,
      score: value,
      why: state === "done" ? (score?.why ?? "") : reason,
      costMicroUsd: line.costMicroUsd,
    });
  }
  const scores = lines.flatMap(({ score }) => (score === null ? [] : [score]));
  const having = (state: JobState) => lines.filter((line) => line.state === state);
  return {
    ...{ evaluation: evaluation.name, version: evaluation.version, scorer: evaluation.scorer, jobs: lines.length },
    pending: having("pending").length + having("running").length,
    failed: having("failed").length,
    unscored: having("done").filter(({ score }) => score === null).length,
    meanScore: scores.length === 0 ? null : mean(scores),
    ...sums,
    lines,
  };
}

export function jobScores({ lines }: EvaluationReport): readonly JobScore[] {
  return lines.map(({ job, question, score }) => ({ job, question, score }));
}
