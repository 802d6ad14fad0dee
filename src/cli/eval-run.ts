/** `midwatch eval run`: says its price, asks, answers what is not answered yet, scores, and says how good it was. What has not changed is not paid again. */
import { MidwatchError } from "../core/error.ts";
import type { EvaluationPrice } from "../core/eval/price.ts";
import { exitCodeOfBatch } from "../core/exit-codes.ts";
import { batchName } from "../engine/eval/add.ts";
import { evaluationPrice } from "../engine/eval/price.ts";
import { evaluationReport } from "../engine/eval/report.ts";
import { scoreAnswers } from "../engine/eval/score-answers.ts";
import type { App, LoadedConfig } from "./app.ts";
import { createShow, slotsOf, superviseBatch } from "./batch-run.ts";
import type { JsonOption } from "./command.ts";
import { treeTopOrNull } from "./command.ts";
import { type EvaluationBooks, requireVersion, type Version, withEvaluations } from "./eval-command.ts";
import { reportLines, usd } from "./eval-text.ts";
import { showLines, tell } from "./layout.ts";
import { count, painter } from "./print.ts";

export interface EvalRunFlags extends JsonOption {
  readonly version?: string;
  readonly slots?: string;
  readonly yes?: boolean;
  readonly retry?: boolean;
}

export async function evalRunCommand(app: App, name: string, flags: EvalRunFlags): Promise<number> {
  const slots = slotsOf(flags.slots);
  const config = await app.loadConfig(treeTopOrNull(app), []);
  return withEvaluations(app, "read", async (books) => {
    const version = await requireVersion(app, books, name, flags.version);
    if (flags.retry) await books.store.batches.retry(version.batch.name, [], app.clock.now());
    const code = await answerAll(app, { books, version, config, flags, slots });
    const program = await (await app.evaluations()).scoring(config);
    const scored = await scoreAnswers({ ...books, program }, version);
    if (scored > 0) say(app, flags, { kind: "scored", answers: scored }, `${count(scored, "answer")} scored`);
    const reported = await show(app, books, version, flags);
    return code === 0 || code === 7 ? reported : code;
  });
}

interface Asked {
  readonly books: EvaluationBooks;
  readonly version: Version;
  readonly config: LoadedConfig;
  readonly flags: EvalRunFlags;
  readonly slots: number | null;
}

async function answerAll(app: App, { books, version, config, flags, slots }: Asked): Promise<number> {
  const { evaluation, batch } = version;
  const { work } = batch.settings;
  const now = app.clock.now();
  const price = await evaluationPrice({ ...books, prices: () => app.prices(), now }, evaluation, batch);
  if (price.jobs === 0) {
    say(
      app,
      flags,
      { kind: "unchanged" },
      `version ${evaluation.version} of ${evaluation.name} has not changed since it was answered: nothing is paid`,
    );
    return 0;
  }
  if (work.kind === "prompt" && work.provider !== config.evaluation.key.provider) throw otherProvider(work.provider);
  // A key that is not there is told before anybody is asked.
  const ports = await (await app.evaluations()).batchPorts({ store: books.store, config });
  say(app, flags, { kind: "price", ...price }, priceText(price));
  await requireYes(app, price, flags);
  const end = await superviseBatch(app, {
    ...{ ports, slots, show: createShow(app, flags.json === true) },
    name: batchName(evaluation.name, evaluation.version),
  });
  if (end.kind !== "closed") say(app, flags, { ...end }, `${end.kind}: ${end.reason}`);
  return exitCodeOfBatch(end);
}

function otherProvider(provider: string): MidwatchError {
  return new MidwatchError("config", "E_EVAL_PROVIDER", `this evaluation asks a model of ${provider}, and eval.provider says another`, {
    hint: `the key of evaluations is one of that provider; set eval.provider to "${provider}" and the key with it`,
  });
}

function priceText({ jobs, each, totalMicroUsd, leftMicroUsd }: EvaluationPrice): string {
  if (each.kind === "unknown") return `${count(jobs, "job")} of unknown price: at most ${usd(leftMicroUsd)}, which is what its cap leaves`;
  const sources = { "last-run": "by the last run", estimate: "at most, by an upper estimate", "job-cap": "at most, by the cap of a job" };
  const source = each.kind === "last-run" ? `${sources[each.kind]}, of version ${each.version}` : sources[each.kind];
  const over = totalMicroUsd > leftMicroUsd ? `; it pauses at ${usd(leftMicroUsd)}, which is what its cap leaves` : "";
  return `${jobs} x ${usd(each.microUsd)} = ${usd(totalMicroUsd)} (${source})${over}`;
}

async function requireYes(app: App, price: EvaluationPrice, { yes }: EvalRunFlags): Promise<void> {
  if (yes) return;
  const refused = (message: string) =>
    new MidwatchError("usage", "E_EVAL_PRICE", `${message}: ${priceText(price)}`, {
      hint: "nothing was paid; say yes to the price with --yes",
    });
  if (!app.terminal.isInteractive) throw refused("nobody is here to say yes to the price");
  const said = await app.terminal.ask("Pay that? [y/N] ", new AbortController().signal);
  if (!/^y(es)?$/i.test(said?.trim() ?? "")) throw refused("the price was not agreed to");
}

async function show(app: App, books: EvaluationBooks, version: Version, flags: EvalRunFlags): Promise<number> {
  const report = await evaluationReport(books, version);
  const { lines, ...sums } = report;
  if (flags.json) app.terminal.out(`${JSON.stringify({ kind: "report", ...sums })}\n`);
  else showLines(app.terminal, reportLines(report, painter(app.terminal)));
  return report.failed + report.unscored === 0 ? 0 : 7;
}

function say(app: App, { json }: JsonOption, value: object, text: string): void {
  if (json) app.terminal.out(`${JSON.stringify(value)}\n`);
  else tell(app.terminal, text);
}
