/** `midwatch report`: what the night brought. */
import type { Report, Spread } from "../core/report.ts";
import { runReport } from "../engine/report.ts";
import type { App } from "./app.ts";
import { type JsonOption, withRun } from "./command.ts";
import { duration, json, money, type Paint, painter, plain } from "./print.ts";

export async function reportCommand(app: App, options: JsonOption): Promise<number> {
  const report = await withRun(app, (store, run) => runReport(store, run, app.clock.now()));
  app.terminal.out(options.json ? json(report) : reportText(report, painter(app.terminal)));
  return 0;
}

export function reportText(report: Report, paint: Paint): string {
  return `${[...headLines(report, paint), "", ...taskLines(report, paint), "", ...windowLines(report, paint), "", ...figureLines(report), ...questionLines(report, paint)].join("\n")}\n`;
}

function headLines(report: Report, paint: Paint): readonly string[] {
  const { tasks } = report;
  const done = tasks.verified + tasks.claimed + tasks.byPerson;
  return [
    `${paint("bold", `${done}/${tasks.total} tasks done`)}: ${tasks.verified} verified, ${tasks.claimed} only claimed, ${tasks.byPerson} by a person; ${tasks.open} open, ${tasks.blocked} blocked, ${tasks.failed} failed`,
    report.stopReason === null
      ? `it has not ended (${report.phase})`
      : `${paint("bold", `stop: ${report.stopReason}`)}  ${plain(report.stopDetail)}`,
    `${report.windows.length} windows, ${money(report.spentMicroUsd)} of ${money(report.capMicroUsd)}${report.unknownCostWindows === 0 ? "" : `, of which ${report.unknownCostWindows} windows of unknown cost were charged by the floor`}`,
    `time: ${duration(report.wallMs)} in all, ${duration(report.workMs)} at work, ${duration(report.waitedPersonMs)} waiting for a person, ${duration(report.waitedProviderMs)} waiting for the provider`,
  ];
}

function taskLines({ tasks }: Report, paint: Paint): readonly string[] {
  return tasks.list.map((task) => {
    const state =
      task.state === "done" ? paint("green", task.doneBy ?? "done") : task.state === "failed" ? paint("red", "failed") : task.state;
    return `  ${plain(task.key)}  ${state}  ${plain(task.title)}${task.reason === "" ? "" : `  (${plain(task.reason)})`}`;
  });
}

function windowLines({ windows }: Report, paint: Paint): readonly string[] {
  return windows.map((window) => {
    const closed = window.tasksClosed.length === 0 ? "-" : window.tasksClosed.map(plain).join(", ");
    const notes = window.notes.length === 0 ? "" : paint("dim", `  (${window.notes.map(plain).join("; ")})`);
    return `  w${window.number}${window.counted ? "" : " (not counted)"}  ${paint(window.end === "good" ? "green" : "yellow", window.exit)}  closed ${closed}  ${window.commits} commits  ${money(window.costMicroUsd)}  ${duration(window.durationMs)}  ${plain(window.detail)}${notes}`;
  });
}

function figureLines(report: Report): readonly string[] {
  return [
    `per task: ${spreadText(report.perTask.minutes, (value) => `${value.toFixed(1)} min`)}; ${spreadText(report.perTask.costMicroUsd, money)}`,
    `per window: ${spreadText(report.window.durationMs, duration)}; ${spreadText(report.window.costMicroUsd, money)}; context ${spreadText(report.window.contextTokens, (value) => `${Math.round(value)} tokens`)}`,
    `people: ${report.interventions.questions} questions, ${report.interventions.byPerson} answered by a person, ${report.interventions.byDefault} by their default, ${report.interventions.open} open`,
    ...(report.notMeasured.length === 0 ? [] : [`not measured: ${report.notMeasured.join(", ")}`]),
  ];
}

function questionLines({ questions }: Report, paint: Paint): readonly string[] {
  return questions.map(
    (question) =>
      `  ${paint("cyan", question.id)} ${plain(question.text)}  ${question.answer === null ? "open" : `-> ${plain(question.answer)} (${question.answeredBy})`}`,
  );
}

function spreadText(spread: Spread | null, format: (value: number) => string): string {
  return spread === null
    ? "not measured"
    : `median ${format(spread.median)} (${format(spread.min)} to ${format(spread.max)}, n=${spread.n})`;
}
