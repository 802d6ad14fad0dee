/** `tests: npm test`: the report of a command, and how many of its tests must have passed. */
import type { Check } from "../evidence.ts";
import type { ProcessEnd } from "../process-end.ts";
import { commandTrouble, withSaid } from "./command.ts";
import { countOf, faultOf, readCommand, readForms } from "./conditions.ts";
import type { CriterionParse, TestsCriterion } from "./criterion.ts";
import { pathFault } from "./path.ts";
import type { TestReport } from "./test-report/report.ts";

const written = "write `at least N`, `new N`, `skipped N`, `assertions N` or `report PATH` after the command in backticks";

const conditionForms = {
  passedAtLeast: { phrases: ["at least", "pelo menos", "ao menos", "no minimo"], value: countOf },
  newAtLeast: { phrases: ["new", "novos", "novas"], value: countOf },
  skippedAtMost: { phrases: ["skipped", "pulados", "ignorados"], value: countOf },
  assertionsAtLeast: { phrases: ["assertions", "assercoes"], value: countOf },
  report: { phrases: ["report", "relatorio"], value: ({ value }: { readonly value: string }) => value },
};

export function parseTests(text: string, value: string): CriterionParse {
  const subject = readCommand(value);
  const read = subject.kind === "fault" ? subject : readForms(subject.value.conditions, conditionForms, written);
  if (subject.kind === "fault" || read.kind === "fault") return { kind: "malformed", text, reason: faultOf(subject, read) };
  const unsafe = read.value.report === null ? null : pathFault(read.value.report);
  if (unsafe !== null) return { kind: "malformed", text, reason: unsafe };
  return { kind: "tests", text, command: subject.value.command, ...read.value };
}

/** The report that a command left, or why there is none. */
export type ReportReading = { readonly kind: "report"; readonly report: TestReport } | { readonly kind: "none"; readonly reason: string };

export interface TestsMeasured {
  readonly end: ProcessEnd;
  /** The end of what it printed. */
  readonly output: string;
  readonly reading: ReportReading;
  /** How many that passed are new and fail on the base; null = that was not measured. */
  readonly fresh: number | null;
}

/** The command must end with 0, and its report say that tests ran and none failed. */
export function judgeTests(criterion: TestsCriterion, { end, output, reading, fresh }: TestsMeasured): Check {
  const trouble = commandTrouble(end, output);
  if (trouble !== null) return trouble;
  if (reading.kind === "none") {
    if (end.code !== 0) return { verdict: "fails", detail: withSaid(`exit code ${end.code}; ${reading.reason}`, end, output) };
    return { verdict: "cannot-tell", detail: withSaid(reading.reason, end, output) };
  }
  const { report } = reading;
  const figures = { ...figuresOf(report), ...(fresh === null ? {} : { new: fresh }) };
  const failed = testsFaults(criterion, report, fresh);
  const sum = `${report.passed} passed, ${report.failed} failed, ${report.skipped} skipped (${report.runner})`;
  if (end.code !== 0) return { verdict: "fails", detail: withSaid(`exit code ${end.code}; ${sum}`, end, output), figures };
  if (failed.length > 0) return { verdict: "fails", detail: withSaid(`${failed.join("; ")}: ${sum}`, end, output), figures };
  const unknown = testsUnknown(criterion, report, fresh);
  if (unknown.length > 0) return { verdict: "cannot-tell", detail: `${unknown.join("; ")}: ${sum}`, figures };
  return { verdict: "holds", detail: sum, figures };
}

export function figuresOf({ passed, failed, skipped, assertions }: TestReport) {
  return { passed, failed, skipped, ...(assertions === null ? {} : { assertions }) };
}

function testsFaults(criterion: TestsCriterion, report: TestReport, fresh: number | null): readonly string[] {
  const { passedAtLeast, newAtLeast, skippedAtMost, assertionsAtLeast } = criterion;
  const { passed, failed, skipped, assertions } = report;
  return [
    ...(failed > 0 ? [`${failed} failed, and the command ended with 0 all the same`] : []),
    ...(passed + failed === 0 ? ["no test ran"] : []),
    ...(passedAtLeast !== null && passed < passedAtLeast ? [`at least ${passedAtLeast} must pass`] : []),
    ...(skippedAtMost !== null && skipped > skippedAtMost ? [`at most ${skippedAtMost} may be skipped`] : []),
    ...(assertionsAtLeast !== null && assertions !== null && assertions < assertionsAtLeast
      ? [`at least ${assertionsAtLeast} assertions are asked for, and there were ${assertions}`]
      : []),
    ...(newAtLeast !== null && fresh !== null && fresh < newAtLeast
      ? [`at least ${newAtLeast} new tests are asked for that fail without the change, and there are ${fresh}`]
      : []),
  ];
}

function testsUnknown(criterion: TestsCriterion, report: TestReport, fresh: number | null): readonly string[] {
  return [
    ...(criterion.assertionsAtLeast !== null && report.assertions === null ? [`${report.runner} does not count assertions`] : []),
    ...(criterion.newAtLeast !== null && fresh === null ? ["which tests are new was not measured here"] : []),
  ];
}
