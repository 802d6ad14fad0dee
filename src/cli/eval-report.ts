/** `midwatch eval status` and `eval report`: the versions of all evaluations or of one, and what one version came to. */

import type { EvaluationReport } from "../engine/eval/report.ts";
import { evaluationReport } from "../engine/eval/report.ts";
import type { App } from "./app.ts";
import type { JsonOption } from "./command.ts";
import { requireVersion, withEvaluations } from "./eval-command.ts";
import { reportLines, scoreText, usd } from "./eval-text.ts";
import { columns, showLines } from "./layout.ts";
import { count, json, painter } from "./print.ts";

export interface EvalReportFlags extends JsonOption {
  readonly version?: string;
}

export async function evalStatusCommand(app: App, name: string | undefined, flags: JsonOption): Promise<number> {
  return withEvaluations(app, "read", async (books) => {
    if (name !== undefined) await requireVersion(app, books, name);
    const all: EvaluationReport[] = [];
    for (const { name: one, version } of name === undefined ? books.sets.all() : books.sets.versions(name))
      all.push(await evaluationReport(books, await requireVersion(app, books, one, version)));
    if (flags.json) app.terminal.out(json({ evaluations: all.map(({ lines, ...sums }) => sums) }));
    else showLines(app.terminal, columns(all.map((report) => statusCells(app, report))));
    return 0;
  });
}

function statusCells(app: App, { evaluation, version, jobs, pending, failed, unscored, meanScore, costMicroUsd }: EvaluationReport) {
  return [
    painter(app.terminal)("bold", evaluation),
    version,
    `${jobs - pending}/${count(jobs, "job")} answered`,
    failed === 0 ? "" : `${failed} failed`,
    unscored === 0 ? "" : `${unscored} without a score`,
    `score ${scoreText(meanScore)}`,
    usd(costMicroUsd),
  ];
}

export async function evalReportCommand(app: App, name: string, flags: EvalReportFlags): Promise<number> {
  return withEvaluations(app, "read", async (books) => {
    const report = await evaluationReport(books, await requireVersion(app, books, name, flags.version));
    if (flags.json) app.terminal.out(json(report));
    else showLines(app.terminal, reportLines(report, painter(app.terminal)));
    return report.failed + report.unscored === 0 ? 0 : 7;
  });
}
