/** `midwatch eval compare`: two versions of an evaluation, job by job. Both must have been scored by the same. */

import { MidwatchError } from "../core/error.ts";
import { type Comparison, compareScores } from "../core/eval/comparison.ts";
import { evaluationReport, jobScores } from "../engine/eval/report.ts";
import type { App } from "./app.ts";
import type { JsonOption } from "./command.ts";
import { requireVersion, withEvaluations } from "./eval-command.ts";
import { usd } from "./eval-text.ts";
import { columns, labelled, showLines } from "./layout.ts";
import { count, json, painter, someOf } from "./print.ts";

export interface Versions {
  readonly a: string;
  readonly b: string;
}

export async function evalCompareCommand(app: App, name: string, { a, b }: Versions, flags: JsonOption): Promise<number> {
  return withEvaluations(app, "read", async (books) => {
    const [one, other] = [await requireVersion(app, books, name, a), await requireVersion(app, books, name, b)];
    if (one.mark !== other.mark) throw otherScorers(one.evaluation.scorer, other.evaluation.scorer);
    const [ofA, ofB] = [await evaluationReport(books, one), await evaluationReport(books, other)];
    const comparison = compareScores(jobScores(ofA), jobScores(ofB));
    const cost = { a: ofA.costMicroUsd, b: ofB.costMicroUsd };
    if (flags.json) app.terminal.out(json({ evaluation: name, a, b, ...comparison, costMicroUsd: cost }));
    else {
      const title = `${painter(app.terminal)("bold", name)}  ${b} beside ${a}, by ${one.evaluation.scorer}`;
      const lines = [title, ...comparisonLines(comparison, { a, b }), `  cost: ${a} ${usd(cost.a)}, ${b} ${usd(cost.b)}`];
      showLines(app.terminal, lines);
    }
    return 0;
  });
}

function otherScorers(a: string, b: string): MidwatchError {
  return new MidwatchError(
    "usage",
    "E_EVAL_SCORER",
    `one version is scored by ${a}, the other by ${b}: their scores say nothing of each other`,
    {
      hint: "add one of them again with the --score of the other; answers are kept, and none is paid again",
    },
  );
}

const mostShown = 50;

function comparisonLines(comparison: Comparison, { a, b }: Versions): readonly string[] {
  const { jobs, leftOut, meanA, meanB, meanDifference, spread, wins, losses, ties, pValue } = comparison;
  const differing = jobs.filter(({ difference }) => difference !== 0).sort((one, other) => one.difference - other.difference);
  return [
    ...columns(differing.slice(0, mostShown).map((job) => [`  ${job.job}`, job.a.toFixed(3), job.b.toFixed(3), signed(job.difference)])),
    ...(differing.length > mostShown ? [`  and ${differing.length - mostShown} more, with --json`] : []),
    ...labelled([
      ["compared", `${count(jobs.length, "job")}${leftOut.length === 0 ? "" : `; left out ${someOf(leftOut)}`}`],
      ["mean", `${a} ${meanA.toFixed(3)}, ${b} ${meanB.toFixed(3)}, difference ${signed(meanDifference)}, spread ${spread.toFixed(3)}`],
      [b, `${count(wins, "win")}, ${losses} ${losses === 1 ? "loss" : "losses"}, ${count(ties, "tie")}`],
      ["chance", `p = ${pValue.toPrecision(2)} (sign test, two-sided)`],
    ]).map((line) => `  ${line}`),
  ];
}

const signed = (value: number): string => `${value > 0 ? "+" : ""}${value.toFixed(3)}`;
