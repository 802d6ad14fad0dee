/** `midwatch ledger reconcile FILE`: the ledger beside what the provider or a gateway wrote down. */
import { MidwatchError } from "../core/error.ts";
import { isSettled } from "../core/money/call.ts";
import type { BookedCall } from "../core/money/reconcile/booked.ts";
import { bucketFormats, type Charge, callFormats, type LogFormat } from "../core/money/reconcile/charge.ts";
import type { Difference, Explanation, PerCallResult } from "../core/money/reconcile/per-call.ts";
import type { Settlement } from "../core/money/reconcile/settlement.ts";
import { findAsked } from "../engine/ledger-calls.ts";
import { type Reconciliation, reconcile } from "../engine/ledger-reconcile.ts";
import { settle, settlementsIn } from "../engine/ledger-settle.ts";
import type { App } from "./app.ts";
import { showLines, tell } from "./layout.ts";
import { withLedger } from "./ledger.ts";
import { amountText, chargesText, chargeText } from "./ledger-amounts.ts";
import { bucketLines, shortened } from "./ledger-buckets.ts";
import { nextStep } from "./ledger-next.ts";
import { type LedgerFlags, questionOf } from "./ledger-question.ts";
import { settleCommand, settleLines } from "./ledger-settle.ts";
import { againLines } from "./ledger-verdict.ts";
import { count, exactMoney, json, type Paint, painter, plain } from "./print.ts";

export interface ReconcileFlags extends LedgerFlags {
  readonly format?: string;
  readonly settle?: boolean;
}

export async function ledgerReconcileCommand(app: App, path: string, flags: ReconcileFlags): Promise<number> {
  const format = formatOf(flags.format);
  return withLedger(app, async (store) => {
    const asked = await findAsked(store, questionOf(flags, app.clock.now()), app.treeTop);
    const result = await reconcile({ store, logs: app.chargeLogs }, asked, { path, format });
    const settlements = settlementsIn(result);
    if (flags.settle && settlements === null) throw sumsOnly(path);
    const settled = flags.settle && settlements !== null ? await settle(store.ledger, settlements, app.clock.now()) : null;
    if (flags.json) app.terminal.out(json({ ...result, settled, left: settlements?.left ?? [] }));
    else printReconciliation(app, result, { command: settleCommand(path, flags), settled });
    return result.agrees ? 0 : 10;
  });
}

function sumsOnly(path: string): MidwatchError {
  return new MidwatchError("usage", "E_WITNESS_SUMS", `${path} tells sums, which explain no single call, so nothing can be settled by it`, {
    hint: "settle with a log of single calls: the provider's invoice, or that of a gateway; docs/ledger.md says which are read",
  });
}

export const logFormats: readonly LogFormat[] = [...callFormats, ...bucketFormats];

export function formatOf(text: string | undefined): LogFormat | null {
  if (text === undefined) return null;
  const format = logFormats.find((one) => one === text);
  if (format !== undefined) return format;
  throw new MidwatchError("usage", "E_FLAG", `--format ${text} is not known`, { hint: `there are ${logFormats.join(", ")}` });
}

interface Settling {
  /** How the unknown calls are settled by this witness. */
  readonly command: string;
  /** Those that were now; absent or null = nobody asked for it. */
  readonly settled?: readonly Settlement[] | null;
  /** A proof says itself what was bought again. */
  readonly isProof?: boolean;
}

export function printReconciliation(
  { terminal }: App,
  reconciliation: Reconciliation,
  { command, settled = null, isProof = false }: Settling,
): void {
  const paint = painter(terminal);
  const again = reconciliation.kind === "buckets" || isProof ? [] : againLines(reconciliation.result.boughtAgain);
  const lines =
    reconciliation.kind === "calls" ? callLines(reconciliation.result, again, paint) : bucketLines(reconciliation.result, paint);
  const settlements = settlementsIn(reconciliation);
  const settling = settlements === null ? [] : settleLines(settlements, { settled, command, paint });
  const all = [...logLines(reconciliation, paint), ...lines, ...settling];
  showLines(terminal, all);
  tell(
    terminal,
    reconciliation.agrees ? paint("green", "the books agree with the witness") : paint("red", "the books do not agree with the witness"),
  );
  if (!reconciliation.agrees) tell(terminal, `next: ${nextStep(reconciliation)}`);
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

function callLines(result: PerCallResult, again: readonly string[], paint: Paint): readonly string[] {
  const { calls, ledgerMicroUsd, aside, differences, explanations } = result;
  const amount = aside.microUsd === null ? "" : `, ${exactMoney(aside.microUsd)}`;
  return [
    `ledger: ${count(calls, "call")}, ${exactMoney(ledgerMicroUsd)} for certain; witness: ${chargesText(result)}`,
    ...(aside.charges === 0 ? [] : [`not compared: ${count(aside.charges, "charge")} of other runs or times${amount}`]),
    "",
    paint("bold", differences.length === 0 ? "no difference" : count(differences.length, "difference")),
    ...shortened(differences.map((one) => paint("red", `  ${differenceText(one)}`))),
    ...(again.length === 0 ? [] : ["", ...again.map((line, at) => (at === 0 ? paint("yellow", line) : line))]),
    ...(explanations.length === 0 ? [] : ["", paint("bold", `${count(explanations.length, "unknown call")}, explained by the witness`)]),
    ...shortened(explanations.map((one) => `  ${explanationText(one)}`)),
  ];
}

function differenceText(one: Difference): string {
  switch (one.kind) {
    case "charged-not-booked":
      return `charged, and nobody booked it: ${chargeText(one.charge, null)}`;
    case "charged-though-refused":
      return `charged, though ${refusalOf(one.call)}: ${plain(one.call.label)}, ${chargeText(one.charge, one.call)}`;
    case "charged-twice":
      return `charged ${one.charges.length} times: ${plain(one.call.label)}, ${one.charges.map((charge) => chargeText(charge, one.call)).join("; ")}`;
    case "only-in-ledger":
      return `booked as paid, and not charged: ${plain(one.call.label)}, ${one.call.costMicroUsd === null ? "without a price" : exactMoney(one.call.costMicroUsd)}`;
    case "amount-differs":
      return `${exactMoney(one.ours)} in the ledger, ${exactMoney(one.theirs)} charged: ${plain(one.call.label)}, line ${one.charge.line}`;
    case "tokens-differ":
      return `other tokens: ${plain(one.call.label)}, ${tokensText(one.call.tokens)} in the ledger, ${tokensText(one.charge.tokens)} in line ${one.charge.line}`;
    case "outside-estimate":
      return `unknown, and charged ${amountText(one.charge, one.call)}, which is not between ${exactMoney(one.atLeast)} and ${one.atMost === null ? "a most that we know" : exactMoney(one.atMost)}: ${plain(one.call.label)}, line ${one.charge.line}`;
  }
}

function refusalOf(call: BookedCall): string {
  return isSettled(call) ? "it was settled as not charged" : `the ledger says ${call.failure ?? call.state}`;
}

function explanationText(one: Explanation): string {
  const label = plain(one.call.label);
  if (one.kind === "never-charged") return `${label}: never charged`;
  const by = one.by === "id" ? "" : ` (found by ${one.by === "body" ? "its request's body" : "its model and time"})`;
  return `${label}: charged ${amountText(one.charge, one.call)}, line ${one.charge.line}${by}`;
}

function tokensText(tokens: Charge["tokens"]): string {
  return tokens === null ? "none" : `${tokens.input} in and ${tokens.output} out`;
}
