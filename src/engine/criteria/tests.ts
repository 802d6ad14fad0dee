import type { TestsCriterion } from "../../core/criteria/criterion.ts";
import { readReportFile, reportHint } from "../../core/criteria/test-report/read.ts";
import { judgeTests, type ReportReading, type TestsMeasured } from "../../core/criteria/tests.ts";
import { type Evaluate, type Measuring, stoppedCheck } from "./measuring.ts";
import { printedReport } from "./printed-report.ts";
import { type ReportFile, watchReport } from "./report-file.ts";
import { type CommandRun, runShell } from "./shell-command.ts";

export const evaluateTests: Evaluate<"tests"> = async (measuring, criterion) => {
  const measured = await measureTests(measuring, criterion);
  if (measured === null) return stoppedCheck;
  const { reading } = measured;
  const isAsked = criterion.newAtLeast !== null && reading.kind === "report" && measuring.fresh !== undefined;
  return judgeTests(criterion, { ...measured, fresh: isAsked ? await measuring.fresh(criterion, reading.report) : null });
};

/** Runs the command and reads its report, with the names of what passed where they are told; null = a person said stop. */
export async function measureTests(
  measuring: Measuring,
  { command, report: path }: Pick<TestsCriterion, "command" | "report">,
): Promise<Omit<TestsMeasured, "fresh"> | null> {
  const readFile = path === null ? null : await watchReport(measuring, path);
  const run = await runShell(measuring, command);
  if (run === null) return null;
  const reading = path === null || readFile === null ? fromOutput(measuring, run) : fromFile(measuring, path, await readFile());
  return { end: run.end, output: run.output, reading };
}

function fromFile({ ports }: Measuring, path: string, file: ReportFile): ReportReading {
  if (file.kind === "none") return file;
  const report = readReportFile(file.text, ports.parseXml);
  return report === null
    ? { kind: "none", reason: `the report ${path} is neither whole JUnit XML nor whole TAP` }
    : { kind: "report", report };
}

function fromOutput(measuring: Measuring, run: CommandRun): ReportReading {
  const report = printedReport(measuring, run);
  return report === null
    ? { kind: "none", reason: `no test report can be read in what it printed${reportHint(run.output)}` }
    : { kind: "report", report };
}
