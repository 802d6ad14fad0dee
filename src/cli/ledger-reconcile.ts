/** `midwatch ledger reconcile FILE`: the ledger beside what the provider or a gateway wrote down. */
import { MidwatchError } from "../core/error.ts";
import { bucketFormats, type Charge, callFormats, type LogFormat } from "../core/money/reconcile/charge.ts";
import type { BucketLine, Measure, PerBucketResult } from "../core/money/reconcile/per-bucket.ts";
import type { Difference, Explanation, PerCallResult } from "../core/money/reconcile/per-call.ts";
import { findAsked } from "../engine/ledger-calls.ts";
import { type Reconciliation, reconcile } from "../engine/ledger-reconcile.ts";
import type { App } from "./app.ts";
import { tell, wrap } from "./layout.ts";
import { exactMoney, withLedger } from "./ledger.ts";
import { type LedgerFlags, questionOf } from "./ledger-question.ts";
import { count, json, type Paint, painter, plain } from "./print.ts";

export async function ledgerReconcileCommand(app: App, path: string, flags: LedgerFlags & { readonly format?: string }): Promise<number> {
  const format = formatOf(flags.format);
  return withLedger(app, async (store) => {
    const asked = await findAsked(store, questionOf(flags, app.clock.now()), app.treeTop);
    const result = await reconcile({ ledger: store.ledger, logs: app.chargeLogs }, asked, { path, format });
    if (flags.json) app.terminal.out(json(result));
    else printReconciliation(app, result);
    return result.agrees ? 0 : 10;
  });
}

export const logFormats: readonly LogFormat[] = [...callFormats, ...bucketFormats];

export function formatOf(text: string | undefined): LogFormat | null {
  if (text === undefined) return null;
  const format = logFormats.find((one) => one === text);
  if (format !== undefined) return format;
  throw new MidwatchError("usage", "E_FLAG", `--format ${text} is not known`, { hint: `there are ${logFormats.join(", ")}` });
}

const mostLines = 50;

export function printReconciliation({ terminal }: App, reconciliation: Reconciliation): void {
  const paint = painter(terminal);
  const lines = reconciliation.kind === "calls" ? callLines(reconciliation.result, paint) : bucketLines(reconciliation.result, paint);
  const all = [...logLines(reconciliation, paint), ...lines];
  terminal.out(`${all.map((line) => wrap(line, terminal.columns.out, 4)).join("\n")}\n`);
  tell(
    terminal,
    reconciliation.agrees ? paint("green", "the books agree with the witness") : paint("red", "the books do not agree with the witness"),
  );
}

function logLines({ log }: Reconciliation, paint: Paint): readonly string[] {
  const free = log.free === 0 ? "" : `, ${log.free} of them not charged`;
  const lines = log.unreadableLines.length < log.unreadable ? `${log.unreadableLines.join(", ")}, …` : log.unreadableLines.join(", ");
  return [
    `${plain(log.path)}: ${log.format ?? "empty"}, ${count(log.records, "record")}${free}`,
    ...(log.unreadable === 0
      ? []
      : [paint("yellow", `${count(log.unreadable, "record")} could not be read, so nothing is proved of them: line ${lines}`)]),
    ...(log.hasMore ? [paint("yellow", "the export says that more pages follow: fetch them too")] : []),
  ];
}

function callLines(result: PerCallResult, paint: Paint): readonly string[] {
  const { calls, charges, ledgerMicroUsd, chargedMicroUsd, aside, differences, explanations } = result;
  const theirs = chargedMicroUsd === null ? "no amounts" : exactMoney(chargedMicroUsd);
  return [
    `ledger: ${count(calls, "call")}, ${exactMoney(ledgerMicroUsd)} for certain; witness: ${count(charges, "charge")}, ${theirs}`,
    ...(aside.charges === 0
      ? []
      : [`not compared: ${count(aside.charges, "charge")} of other runs or times, ${exactMoney(aside.microUsd)}`]),
    "",
    paint("bold", differences.length === 0 ? "no difference" : count(differences.length, "difference")),
    ...shortened(differences.map((one) => paint("red", `  ${differenceText(one)}`))),
    ...(explanations.length === 0 ? [] : ["", paint("bold", `${count(explanations.length, "unknown call")}, explained by the witness`)]),
    ...shortened(explanations.map((one) => `  ${explanationText(one)}`)),
  ];
}

function shortened(lines: readonly string[]): readonly string[] {
  return lines.length <= mostLines ? lines : [...lines.slice(0, mostLines), `  and ${lines.length - mostLines} more; all with --json`];
}

function differenceText(one: Difference): string {
  switch (one.kind) {
    case "charged-not-booked":
      return `charged, and nobody booked it: ${chargeText(one.charge)}`;
    case "charged-though-refused":
      return `charged, though the ledger says ${one.call.failure ?? one.call.state}: ${one.call.label}, ${chargeText(one.charge)}`;
    case "charged-twice":
      return `charged ${one.charges.length} times: ${one.call.label}, ${one.charges.map(chargeText).join("; ")}`;
    case "only-in-ledger":
      return `booked as paid, and not charged: ${one.call.label}, ${amountText(one.call.costMicroUsd)}`;
    case "amount-differs":
      return `${exactMoney(one.ours)} in the ledger, ${exactMoney(one.theirs)} charged: ${one.call.label}, line ${one.charge.line}`;
    case "tokens-differ":
      return `other tokens: ${one.call.label}, ${tokensText(one.call.tokens)} in the ledger, ${tokensText(one.charge.tokens)} in line ${one.charge.line}`;
    case "outside-estimate":
      return `unknown, and charged ${amountText(one.charge.microUsd)}, which is not between ${exactMoney(one.atLeast)} and ${amountText(one.atMost)}: ${one.call.label}, line ${one.charge.line}`;
  }
}

function explanationText(one: Explanation): string {
  const { label } = one.call;
  if (one.kind === "never-charged") return `${label}: never charged`;
  const by = one.by === "id" ? "" : ` (found by ${one.by === "body" ? "its request's body" : "its model and time"})`;
  return `${label}: charged ${amountText(one.charge.microUsd)}, line ${one.charge.line}${by}`;
}

function chargeText({ line, ids, model, microUsd }: Charge): string {
  return `line ${line}, ${[ids[0] ?? "without a name", model ?? "", amountText(microUsd)]
    .filter((part) => part !== "")
    .map(plain)
    .join(", ")}`;
}

function amountText(microUsd: number | null): string {
  return microUsd === null ? "no amount told" : exactMoney(microUsd);
}

function tokensText(tokens: Charge["tokens"]): string {
  return tokens === null ? "none" : `${tokens.input} in and ${tokens.output} out`;
}

function bucketLines({ calls, unknown, totals, lines, uncovered }: PerBucketResult, paint: Paint): readonly string[] {
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
