/** What a witness says of money, in words: an amount that it does not tell is never shown as nothing. */
import { amountOf, type Untold } from "../core/money/reconcile/amount.ts";
import type { BookedCall } from "../core/money/reconcile/booked.ts";
import type { Charge } from "../core/money/reconcile/charge.ts";
import { count, exactMoney, plain } from "./print.ts";

const untold = "an amount the witness does not tell";

/** @param call  whose it is; null = nobody's */
export function amountText(charge: Charge, call: BookedCall | null): string {
  const amount = amountOf(charge, call);
  if (amount === null) return untold;
  return amount.by === "witness" ? exactMoney(amount.microUsd) : `${untold}, ${exactMoney(amount.microUsd)} by its tokens`;
}

export function chargeText(charge: Charge, call: BookedCall | null): string {
  const { line, ids, model } = charge;
  const words = [ids[0] ?? "without a name", model ?? ""].filter((part) => part !== "").map(plain);
  return `line ${line}, ${[...words, amountText(charge, call)].join(", ")}`;
}

/** `3 charges, $0.0018`; charges without an amount are told apart. */
export function chargesText({
  charges,
  chargedMicroUsd,
  untold: without,
}: {
  readonly charges: number;
  readonly chargedMicroUsd: number | null;
  readonly untold: Untold;
}): string {
  const told = chargedMicroUsd === null ? "" : `, ${exactMoney(chargedMicroUsd)}`;
  return `${count(charges, "charge")}${told}${untoldText(without, charges)}`;
}

function untoldText({ charges, byTokens, byTokensMicroUsd }: Untold, all: number): string {
  if (charges === 0) return "";
  const which = charges === all ? "amounts that the witness does not tell" : `and ${charges} of them with ${untold}`;
  if (byTokens === 0) return `, ${which}`;
  const priced = byTokens === charges ? "" : `${byTokens} of these: `;
  return `, ${which} (${priced}${exactMoney(byTokensMicroUsd)} by tokens at our prices)`;
}

/** `$0.01`, or `between $0.01 and $0.02`. @param atMost  null = nobody knows */
export function rangeText(atLeast: number, atMost: number | null): string {
  if (atMost === null) return `at least ${exactMoney(atLeast)}`;
  return atLeast >= atMost ? exactMoney(atLeast) : `between ${exactMoney(atLeast)} and ${exactMoney(atMost)}`;
}
