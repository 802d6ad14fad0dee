/** `lint: npx eslint .`: how many errors and warnings a checker may find. */
import type { Check } from "../evidence.ts";
import type { ProcessEnd } from "../process-end.ts";
import { commandTrouble, judgeCommand, withSaid } from "./command.ts";
import { countOf, faultOf, readCommand, readForms } from "./conditions.ts";
import type { CriterionParse, LintCriterion } from "./criterion.ts";
import type { LintCount } from "./lint-count.ts";

const written = "write `errors N` or `warnings N` after the command in backticks";

const conditionForms = {
  errorsAtMost: { phrases: ["errors", "erros"], value: countOf },
  warningsAtMost: { phrases: ["warnings", "avisos"], value: countOf },
};

export function parseLint(text: string, value: string): CriterionParse {
  const subject = readCommand(value);
  const read = subject.kind === "fault" ? subject : readForms(subject.value.conditions, conditionForms, written);
  if (subject.kind === "fault" || read.kind === "fault") return { kind: "malformed", text, reason: faultOf(subject, read) };
  return { kind: "lint", text, command: subject.value.command, ...read.value };
}

export interface LintMeasured {
  readonly end: ProcessEnd;
  readonly output: string;
  /** Null = it cannot be counted. */
  readonly count: LintCount | null;
}

/** With counts the exit code is the checker's own opinion; without them it is the verdict. */
export function judgeLint({ errorsAtMost, warningsAtMost }: LintCriterion, { end, output, count }: LintMeasured): Check {
  const figures = count === null ? {} : { figures: { errors: count.errors, warnings: count.warnings } };
  if (errorsAtMost === null && warningsAtMost === null) return { ...judgeCommand(end, output), ...figures };
  const trouble = commandTrouble(end, output);
  if (trouble !== null) return trouble;
  if (count === null)
    return { verdict: "cannot-tell", detail: withSaid(`exit code ${end.code}; what it printed cannot be counted`, end, output) };
  const sum = `${count.errors} errors, ${count.warnings} warnings (${count.checker})`;
  const over = [
    ...(errorsAtMost !== null && count.errors > errorsAtMost ? [`at most ${errorsAtMost} errors are allowed`] : []),
    ...(warningsAtMost !== null && count.warnings > warningsAtMost ? [`at most ${warningsAtMost} warnings are allowed`] : []),
  ];
  if (over.length > 0) return { verdict: "fails", detail: withSaid(`${over.join("; ")}: ${sum}`, end, output), ...figures };
  // A checker that fails and names nothing did not check: it broke.
  if (end.code !== 0 && count.errors + count.warnings === 0)
    return { verdict: "cannot-tell", detail: withSaid(`exit code ${end.code}, and it named nothing`, end, output), ...figures };
  return { verdict: "holds", detail: sum, ...figures };
}
