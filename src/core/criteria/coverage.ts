/** `` coverage: `npm run cover` lines 80, report coverage/lcov.info ``. */
import type { Check, Figures } from "../evidence.ts";
import type { ProcessEnd } from "../process-end.ts";
import { commandTrouble, withSaid } from "./command.ts";
import { faultOf, percentOf, readCommand, readForms, type Token } from "./conditions.ts";
import { type CoverageCriterion, type CoverageMeasure, type CriterionParse, coverageMeasures } from "./criterion.ts";
import { pathFault } from "./path.ts";

const written =
  "write `lines N`, `branches N`, `functions N` or `statements N` (per cent), and `report PATH` (lcov, cobertura XML or coverage-summary.json) after the command in backticks";

const conditionForms = {
  lines: { phrases: ["lines", "linhas"], value: percentOf },
  branches: { phrases: ["branches", "ramos"], value: percentOf },
  functions: { phrases: ["functions", "funcoes"], value: percentOf },
  statements: { phrases: ["statements", "instrucoes"], value: percentOf },
  report: { phrases: ["report", "relatorio"], value: ({ value }: Token) => value },
};

export function parseCoverage(text: string, value: string): CriterionParse {
  const subject = readCommand(value);
  const read = subject.kind === "fault" ? subject : readForms(subject.value.conditions, conditionForms, written);
  if (subject.kind === "fault" || read.kind === "fault") return { kind: "malformed", text, reason: faultOf(subject, read) };
  const { report, ...percents } = read.value;
  const least = Object.fromEntries(Object.entries(percents).flatMap(([name, percent]) => (percent === null ? [] : [[name, percent]])));
  if (report === null || Object.keys(least).length === 0) return { kind: "malformed", text, reason: written };
  const unsafe = pathFault(report);
  return unsafe === null
    ? { kind: "coverage", text, command: subject.value.command, report, least }
    : { kind: "malformed", text, reason: unsafe };
}

/** What is covered, per cent; null = the report does not say, or there is nothing of the kind to cover. */
export type Covered = Readonly<Record<CoverageMeasure, number | null>>;

export type CoverageReading = { readonly kind: "covered"; readonly covered: Covered } | { readonly kind: "none"; readonly reason: string };

export function judgeCoverage(
  { least }: CoverageCriterion,
  { end, output, reading }: { readonly end: ProcessEnd; readonly output: string; readonly reading: CoverageReading },
): Check {
  const trouble = commandTrouble(end, output);
  if (trouble !== null) return trouble;
  if (end.code !== 0) return { verdict: "fails", detail: withSaid(`exit code ${end.code}`, end, output) };
  if (reading.kind === "none") return { verdict: "cannot-tell", detail: reading.reason };
  const { covered } = reading;
  const figures = figuresOf(covered);
  const asked = coverageMeasures.filter((measure) => least[measure] !== undefined);
  const low = asked.filter((measure) => (covered[measure] ?? 100) < (least[measure] ?? 0));
  const sum = asked.map((measure) => `${measure} ${covered[measure] ?? "not told"}${covered[measure] === null ? "" : " %"}`).join(", ");
  if (low.length > 0)
    return {
      verdict: "fails",
      detail: `${low.map((measure) => `at least ${least[measure]} % of ${measure}`).join(", ")}: ${sum}`,
      figures,
    };
  const unknown = asked.filter((measure) => covered[measure] === null);
  return unknown.length > 0
    ? { verdict: "cannot-tell", detail: `the report does not tell ${unknown.join(", ")}`, figures }
    : { verdict: "holds", detail: sum, figures };
}

function figuresOf(covered: Covered): Figures {
  return Object.fromEntries(coverageMeasures.flatMap((measure) => (covered[measure] === null ? [] : [[measure, covered[measure]]])));
}
