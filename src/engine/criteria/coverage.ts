import { type CoverageReading, judgeCoverage } from "../../core/criteria/coverage.ts";
import { readCoverage } from "../../core/criteria/coverage-report.ts";
import { type Evaluate, type Measuring, stoppedCheck } from "./measuring.ts";
import { type ReportFile, watchReport } from "./report-file.ts";
import { runShell } from "./shell-command.ts";

export const evaluateCoverage: Evaluate<"coverage"> = async (measuring, criterion) => {
  const readFile = await watchReport(measuring, criterion.report);
  const run = await runShell(measuring, criterion.command);
  if (run === null) return stoppedCheck;
  return judgeCoverage(criterion, { ...run, reading: readingOf(measuring, criterion.report, await readFile()) });
};

function readingOf({ ports }: Measuring, path: string, file: ReportFile): CoverageReading {
  if (file.kind === "none") return file;
  const covered = readCoverage(file.text, ports.parseXml);
  return covered === null
    ? { kind: "none", reason: `${path} is no whole report of lcov, cobertura or istanbul (coverage-summary.json)` }
    : { kind: "covered", covered };
}
