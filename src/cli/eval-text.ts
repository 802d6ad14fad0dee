/** How an evaluation is told to a person: money in words that stand beside a multiplication, scores, and a version's page. */
import { exactAmount } from "../core/money/amount.ts";
import type { EvaluationLine, EvaluationReport } from "../engine/eval/report.ts";
import { labelled } from "./layout.ts";
import { count, type Paint, plain } from "./print.ts";

/** `US$ 49.20`, to its last digit. */
export function usd(microUsd: number): string {
  return `US$ ${exactAmount(microUsd)}`;
}

export function scoreText(score: number | null): string {
  return score === null ? "none" : score.toFixed(3);
}

const mostShown = 10;

export function reportLines(report: EvaluationReport, paint: Paint): readonly string[] {
  const { evaluation, version, jobs, pending, failed, unscored, meanScore, costMicroUsd, calls, unknown, scorer } = report;
  const poor = report.lines
    .filter(({ state, score }) => state === "failed" || (state === "done" && score !== 1))
    .sort((a, b) => (a.score ?? -1) - (b.score ?? -1));
  return [
    `${paint("bold", evaluation)}  version ${version}`,
    ...labelled([
      ["mean score", `${scoreText(meanScore)} over ${count(jobs - pending - unscored, "job")}, by ${plain(scorer)}`],
      [
        "failures",
        `${failed} of ${count(jobs, "job")} gave no answer${failed === 0 ? "" : `, and have a score of 0; another try: midwatch eval run ${evaluation} --version ${version} --retry`}`,
      ],
      ["unscored", unscored === 0 ? "" : `${count(unscored, "answer")}: the scorer could not tell`],
      ["pending", pending === 0 ? "" : String(pending)],
      ["cost", `${usd(costMicroUsd)} in ${count(calls, "call")}${unknown === 0 ? "" : `, at least: ${count(unknown, "call")} unknown`}`],
    ]).map((line) => `  ${line}`),
    ...(poor.length === 0 ? [] : ["", paint("bold", "not right")]),
    ...poor.slice(0, mostShown).map(lineText),
    ...(poor.length > mostShown
      ? [`  and ${poor.length - mostShown} more: midwatch eval report ${evaluation} --version ${version} --json`]
      : []),
  ];
}

function lineText({ job, state, score, why }: EvaluationLine): string {
  return `  ${job}  ${state === "failed" ? "failed" : scoreText(score)}${why === "" ? "" : `  ${plain(why)}`}`;
}
