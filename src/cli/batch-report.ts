/** `midwatch batch report`: what a batch brought, as a page for a person, or a line a job for other programs. */
import { MidwatchError } from "../core/error.ts";
import { type BatchReport, batchReport, type Figure, type JobLine, jobLines } from "../engine/batch/report.ts";
import { batchStatus } from "../engine/batch/status.ts";
import type { App } from "./app.ts";
import { answerValue, requireStored, withBatches } from "./batch-command.ts";
import { moneyText, statusPorts } from "./batch-status.ts";
import type { JsonOption } from "./command.ts";
import { csvLine } from "./csv-line.ts";
import { labelled, showLines } from "./layout.ts";
import { count, duration, exactMoney, json, type Paint, painter, plain, someOf } from "./print.ts";

export interface BatchReportFlags extends JsonOption {
  readonly jsonl?: boolean;
  readonly csv?: boolean;
}

export async function batchReportCommand(app: App, name: string, flags: BatchReportFlags): Promise<number> {
  const form = formOf(flags);
  return withBatches(app, async (store) => {
    const batch = await requireStored(store, name);
    const lines = jobLines(store, batch);
    if (form === "jsonl" || form === "csv") return printLines(app, lines, form);
    const status = await batchStatus(await statusPorts(app, store), batch);
    const report = await batchReport(lines);
    if (form === "json") app.terminal.out(json({ ...status, report }));
    else {
      const paint = painter(app.terminal);
      const text = [`${paint("bold", name)}  ${status.state}  ${plain(status.why)}`, ...pageLines(report, moneyText(status), name, paint)];
      showLines(app.terminal, text);
    }
    return report.failed.length === 0 ? 0 : 7;
  });
}

function formOf({ json: asJson, jsonl, csv }: BatchReportFlags): "page" | "json" | "jsonl" | "csv" {
  const asked = [asJson ? "json" : null, jsonl ? "jsonl" : null, csv ? "csv" : null].filter((form) => form !== null);
  if (asked.length > 1) throw new MidwatchError("usage", "E_FLAG", "give one of --json, --jsonl and --csv");
  return (asked[0] as "json" | "jsonl" | "csv" | undefined) ?? "page";
}

async function printLines({ terminal }: App, lines: AsyncIterable<JobLine>, form: "jsonl" | "csv"): Promise<number> {
  const names = ["job", "state", "attempts", "calls", "costMicroUsd", "unknown", "workMs", "reason", "answer"] as const;
  if (form === "csv") terminal.out(csvLine(names));
  for await (const { answer, ...line } of lines) {
    const value = { ...line, ...answerValue(answer) };
    if (form === "jsonl") terminal.out(`${JSON.stringify(value)}\n`);
    else terminal.out(csvLine(names.map((name) => String(value[name] ?? (name === "answer" ? (value.answerBase64 ?? "") : "")))));
  }
  return 0;
}

function pageLines(report: BatchReport, spent: string, name: string, paint: Paint): readonly string[] {
  const { jobs, answers, answerBytes, attempts, again, failed, uncertain } = report;
  return [
    ...labelled([
      ["answers", `${answers} of ${count(jobs, "job")}, ${answerBytes} bytes`],
      ["attempts", `${attempts}${again === 0 ? "" : `; ${count(again, "job")} had more than one`}`],
      ["money", spent],
      ["slowest", figures(report.slowest, duration)],
      ["dearest", figures(report.dearest, exactMoney)],
      [
        "unknown",
        uncertain.length === 0 ? "" : `calls that may have cost more, of ${count(uncertain.length, "job")}: ${someOf(uncertain)}`,
      ],
    ]).map((line) => `  ${line}`),
    ...(failed.length === 0 ? [] : ["", paint("red", `${failed.reduce((sum, one) => sum + one.jobs, 0)} failed`)]),
    ...failed.map((one) => `  ${one.jobs}: ${plain(one.reason)}  (${someOf(one.examples)})`),
    "",
    `one job: midwatch batch show ${name} JOB; the answers: midwatch batch export ${name} FOLDER`,
  ];
}

function figures(all: readonly Figure[], format: (value: number) => string): string {
  return all.map(({ job, value }) => `${job} ${format(value)}`).join(", ");
}
