/** What charges come to. Where the witness tells no amount, its tokens tell one at the row's own prices; what remains is counted and never taken for nothing. */
import { costMicroUsd } from "../price.ts";
import { noUsage } from "../usage.ts";
import type { BookedCall } from "./booked.ts";
import type { Charge } from "./charge.ts";

export interface ChargeAmount {
  readonly microUsd: number;
  /** `tokens`: the witness tells none; all of its input is priced as if none had been cached. */
  readonly by: "witness" | "tokens";
}

/** @param call  whose charge it is; null = nobody's. @returns null = nothing tells it */
export function amountOf({ microUsd, tokens }: Charge, call: Pick<BookedCall, "price"> | null): ChargeAmount | null {
  if (microUsd !== null) return { microUsd, by: "witness" };
  if (tokens === null || call === null || call.price === null) return null;
  return { microUsd: costMicroUsd(call.price, { ...noUsage, ...tokens }), by: "tokens" };
}

/** Charges of which the witness tells no amount. */
export interface Untold {
  readonly charges: number;
  /** So many of them are priced by their tokens, at so much together. */
  readonly byTokens: number;
  readonly byTokensMicroUsd: number;
}

export function untoldOf(charges: readonly { readonly charge: Charge; readonly call: BookedCall | null }[]): Untold {
  const untold = charges.filter(({ charge }) => charge.microUsd === null);
  const priced = untold.flatMap(({ charge, call }) => amountOf(charge, call) ?? []);
  return { charges: untold.length, byTokens: priced.length, byTokensMicroUsd: priced.reduce((sum, { microUsd }) => sum + microUsd, 0) };
}
