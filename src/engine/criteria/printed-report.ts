/** The test report in what a command printed: jest and unittest print theirs to standard error, of which only the end is known. */
import { readPrinted } from "../../core/criteria/test-report/read.ts";
import { joinReports, type TestReport } from "../../core/criteria/test-report/report.ts";
import type { Measuring } from "./measuring.ts";
import type { CommandRun } from "./shell-command.ts";

const tailCharacters = 8000;

export function printedReport({ ports }: Measuring, { end, output, isWhole }: CommandRun): TestReport | null {
  const tail = end.stderrTail === "" ? null : readPrinted(`${end.stderrTail}\n`, end.stderrTail.length < tailCharacters, ports.parseXml);
  return joinReports([readPrinted(output, isWhole, ports.parseXml), tail].filter((one) => one !== null));
}
