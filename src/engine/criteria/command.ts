import { judgeCommand } from "../../core/criteria/command.ts";
import { figuresOf } from "../../core/criteria/tests.ts";
import { type Evaluate, stoppedCheck } from "./measuring.ts";
import { printedReport } from "./printed-report.ts";
import { runShell } from "./shell-command.ts";

/** A report in its output is counted, and changes nothing of the verdict: the exit code is all that was asked for. */
export const evaluateCommand: Evaluate<"command"> = async (measuring, { command }) => {
  const run = await runShell(measuring, command);
  if (run === null) return stoppedCheck;
  const check = judgeCommand(run.end, run.output);
  const report = run.end.kind === "exited" ? printedReport(measuring, run) : null;
  return report === null ? check : { ...check, figures: figuresOf(report) };
};
