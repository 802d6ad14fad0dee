import { judgeLint } from "../../core/criteria/lint.ts";
import { countLint } from "../../core/criteria/lint-count.ts";
import { type Evaluate, stoppedCheck } from "./measuring.ts";
import { runShell } from "./shell-command.ts";

const tailCharacters = 8000;

export const evaluateLint: Evaluate<"lint"> = async (measuring, criterion) => {
  const run = await runShell(measuring, criterion.command);
  if (run === null) return stoppedCheck;
  const { end, output, isWhole } = run;
  const isClean = end.kind === "exited" && end.code === 0;
  const printed = countLint(output, isClean && end.stderrTail.trim() === "");
  // clippy writes to standard error, of which only the end is known: what was cut is not counted.
  const told = printed === null && end.stderrTail.length < tailCharacters ? countLint(end.stderrTail, false) : null;
  return judgeLint(criterion, { end, output, count: isWhole ? (printed ?? told) : null });
};
