/** What a witness settled, or could settle, of the unknown calls. */
import { exactAmount } from "../core/money/amount.ts";
import type { LeftReason, Settlement, Settlements } from "../core/money/reconcile/settlement.ts";
import { amountText } from "./ledger-amounts.ts";
import type { LedgerFlags } from "./ledger-question.ts";
import { count, exactMoney, type Paint, plain } from "./print.ts";

const mostLines = 50;

/** @param settled  those that were closed now; null = nobody asked for it */
export function settleLines(
  { settled: could, left }: Settlements,
  { settled, command, paint }: { readonly settled: readonly Settlement[] | null; readonly command: string; readonly paint: Paint },
): readonly string[] {
  const kept = left.map(({ call, reason }) => `  ${plain(call.label)}: ${reasons[reason]}`);
  return [
    ...(settled === null ? offer(could, command) : told(settled, paint)),
    ...(settled === null || kept.length === 0
      ? []
      : ["", paint("bold", `${count(kept.length, "unknown call")} ${kept.length === 1 ? "stays" : "stay"} held as before`)]),
    ...(settled === null
      ? []
      : [...kept.slice(0, mostLines), ...(kept.length > mostLines ? [`  and ${kept.length - mostLines} more`] : [])]),
  ];
}

function offer(could: readonly Settlement[], command: string): readonly string[] {
  if (could.length === 0) return [];
  const held = `${count(could.length, "unknown call")} ${could.length === 1 ? "holds" : "hold"} up to ${exactMoney(heldOf(could))} of every cap they count for`;
  return ["", `${held}; the witness explains them, so settle them with: ${command}`];
}

function told(settled: readonly Settlement[], paint: Paint): readonly string[] {
  if (settled.length === 0) return ["", "nothing was settled"];
  const lines = settled.map((one) =>
    one.kind === "charged"
      ? `  ${plain(one.call.label)}: charged ${amountText(one.charge, one.call)}`
      : `  ${plain(one.call.label)}: not charged, costs nothing`,
  );
  const spent = settled.reduce((sum, one) => sum + (one.kind === "charged" ? one.amount.microUsd : 0), 0);
  return [
    "",
    paint("bold", `settled ${count(settled.length, "unknown call")}: US$ ${exactAmount(spent)} spent, nothing held for them any longer`),
    ...lines.slice(0, mostLines),
    ...(lines.length > mostLines ? [`  and ${lines.length - mostLines} more`] : []),
  ];
}

function heldOf(could: readonly Settlement[]): number {
  return could.reduce((sum, { call }) => sum + Math.max(0, (call.upperMicroUsd ?? 0) - (call.costMicroUsd ?? 0)), 0);
}

const reasons: Readonly<Record<LeftReason, string>> = {
  closed: "its row is closed with what was seen of it and is not changed again; what it holds stays held",
  "under-way": "it is under way, or its run or batch was not taken up again since; take that up first",
  "no-amount":
    "it was charged, and the witness tells neither an amount nor tokens that we have a price for; set one with: midwatch prices set",
  differs: "what the witness says of it does not fit; look at the difference first",
  "not-whole": "the witness was not read whole, and its charge may be in the rest",
  stranger: "a charge of that time belongs to nobody, and may be its",
  outside: "the witness shows no charge of its provider from before and after it; give it a file of the whole night",
};

/** The command as it was given, with `--settle`. */
export function settleCommand(path: string, flags: Pick<LedgerFlags, "run" | "window" | "batch" | "since" | "until">): string {
  const picked = (["run", "window", "batch", "since", "until"] as const).flatMap((name) => {
    const value = flags[name];
    return value === undefined ? [] : [`--${name}`, quoted(value)];
  });
  return ["midwatch ledger reconcile", quoted(path), ...picked, "--settle"].join(" ");
}

/** As a shell takes it. */
function quoted(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
