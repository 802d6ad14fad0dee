/** An export of sums beside the ledger, in words: a line for each stretch of time that differs. */
import type { BucketLine, Measure, PerBucketResult } from "../core/money/reconcile/per-bucket.ts";
import { count, exactMoney, type Paint } from "./print.ts";

const mostLines = 50;

export function shortened(lines: readonly string[]): readonly string[] {
  return lines.length <= mostLines ? lines : [...lines.slice(0, mostLines), `  and ${lines.length - mostLines} more; all with --json`];
}

export function bucketLines({ calls, unknown, totals, lines, uncovered }: PerBucketResult, paint: Paint): readonly string[] {
  const wrong = lines.filter(({ agrees }) => !agrees);
  return [
    `ledger: ${count(calls, "call")} in that time, ${unknown} unknown`,
    ...(totals.length === 0 ? [paint("red", "the export tells no sum that can be compared")] : totals.map((line) => lineText(line, paint))),
    ...(uncovered === 0 ? [] : [paint("red", `${count(uncovered, "call")} that you asked for lie outside of the export's time`)]),
    ...(wrong.length === 0 ? [] : ["", paint("bold", `${wrong.length} of ${lines.length} sums differ`)]),
    ...shortened(wrong.map((line) => `  ${lineText(line, paint)}`)),
  ];
}

const measureWords: Readonly<Record<Measure, string>> = {
  microUsd: "money",
  calls: "calls",
  inputTokens: "input tokens",
  outputTokens: "output tokens",
};

function lineText({ from, to, measure, theirs, atLeast, atMost, agrees }: BucketLine, paint: Paint): string {
  const amount = (value: number) => (measure === "microUsd" ? exactMoney(value) : String(value));
  const most = atMost === null ? "without a bound, since a call has no price" : `at most ${amount(atMost - atLeast)}`;
  const apart = theirs < atLeast ? `-${amount(atLeast - theirs)}` : amount(theirs - atLeast);
  const text = `${time(from)} to ${time(to)}: ${measureWords[measure]} ${amount(theirs)} at the provider, ${amount(atLeast)} in the ledger; ${apart} apart, ${most} explained`;
  return paint(agrees ? "green" : "red", text);
}

function time(at: number): string {
  return new Date(at).toISOString().replace(/:00\.000Z$/, "Z");
}
