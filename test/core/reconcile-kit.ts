/** Rows and charges for the tables of the reconciliation. Times are seconds of one night. */
import type { BookedCall } from "../../src/core/money/reconcile/booked.ts";
import type { Charge } from "../../src/core/money/reconcile/charge.ts";

export const night = Date.parse("2026-11-30T00:00:00Z");
export const at = (seconds: number): number => night + seconds * 1000;

/** A call that was paid and cost 1,000 micro-dollars. */
export function booked(number: number, change: Partial<BookedCall> = {}): BookedCall {
  return {
    id: `call-${number}`,
    label: `w1 #${number}.1`,
    place: `window:w#${number}`,
    provider: "anthropic",
    isAsked: true,
    state: "done",
    failure: null,
    sentAt: at(number * 10),
    endedAt: at(number * 10 + 5),
    model: "claude-opus-4-5",
    costMicroUsd: 1_000,
    upperMicroUsd: 5_000,
    price: null,
    tokens: { input: 100, output: 20 },
    upperTokens: { input: 500, output: 1_000 },
    bodyHash: `body-${number}`,
    ids: [`call-${number}`, `req-${number}`, `msg-${number}`],
    ...change,
  };
}

/** A call of whose end nothing is known: no name of the provider's either. */
export function unknown(number: number, change: Partial<BookedCall> = {}): BookedCall {
  return booked(number, {
    state: "unknown",
    failure: "died",
    costMicroUsd: null,
    tokens: null,
    endedAt: at(number * 10 + 60),
    ids: [`call-${number}`],
    ...change,
  });
}

export function charge(number: number, change: Partial<Charge> = {}): Charge {
  return {
    line: number,
    at: at(number * 10 + 1),
    ids: [`req-${number}`],
    bodyHash: `body-${number}`,
    model: "claude-opus-4-5",
    microUsd: 1_000,
    tokens: { input: 100, output: 20 },
    ...change,
  };
}
