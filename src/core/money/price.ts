/**
 * Money of tokens. All sums are integer micro-dollars, rounded up, so that many small calls never look cheaper than they are.
 * Prices come from a table with a date; both are kept with each call, so that a later table changes no past sum.
 */
import { inputTokens, type Usage } from "./usage.ts";

/** Micro-dollars for a million tokens, and for a thousand searches. */
export interface UnitPrices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cacheWriteLong: number;
  readonly searches: number;
}

/** What is not told is taken dear: a read as plain input, a write as the dearest that is usual (1.25 times input, 2 times for an hour). */
export function completePrices(
  told: Pick<UnitPrices, "input" | "output"> & { readonly [Name in keyof UnitPrices]?: UnitPrices[Name] | undefined },
): UnitPrices {
  const { input, output } = told;
  return {
    input,
    output,
    cacheRead: told.cacheRead ?? input,
    cacheWrite: told.cacheWrite ?? Math.ceil(input * 1.25),
    cacheWriteLong: told.cacheWriteLong ?? Math.max(input * 2, told.cacheWrite ?? 0),
    searches: told.searches ?? 0,
  };
}

export interface ModelPrice {
  /** Name and date of the table it comes from, for people: `genai-prices 0.1.8 (2026-09-23)`, `set on 2026-11-30`. */
  readonly table: string;
  /** Rising by `above`; the last one whose `above` is under the call's input size holds for the whole call. The first has `above: -1`. */
  readonly tiers: readonly { readonly above: number; readonly prices: UnitPrices }[];
}

export function pricesFor(price: ModelPrice, contextTokens: number): UnitPrices {
  const tier = price.tiers.findLast(({ above }) => contextTokens > above) ?? price.tiers[0];
  return tier?.prices ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0, searches: 0 };
}

export function costMicroUsd(price: ModelPrice, usage: Usage): number {
  return sumOf(pricesFor(price, inputTokens(usage)), usage);
}

function sumOf(prices: UnitPrices, usage: Usage): number {
  const tokens =
    usage.input * prices.input +
    usage.output * prices.output +
    usage.cacheRead * prices.cacheRead +
    usage.cacheWrite * prices.cacheWrite +
    usage.cacheWriteLong * prices.cacheWriteLong;
  // One rounding, of the whole: 0.1 + 0.2 must not become a micro-dollar more.
  return Math.max(0, Math.ceil((tokens + usage.searches * prices.searches * 1000) / 1_000_000 - 1e-9));
}
