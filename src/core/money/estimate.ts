/**
 * The most that a call may cost, before it leaves: what caps hold for it until its result is in. Too high is a refusal too early, too low is a cap that was passed,
 * so every doubt goes upward. Not in it: searches that the provider runs on its own, which no request bounds.
 */
import type { CallRequest } from "./call.ts";
import type { ModelPrice, UnitPrices } from "./price.ts";

/** Of an answer, where the request names no maximum. */
const unboundedAnswerTokens = 32_000;

/** A token is hardly ever shorter than two bytes of a request's JSON. */
const bytesPerToken = 2;

export interface TokenBounds {
  readonly input: number;
  readonly output: number;
}

/** @param lastInputTokens  size of what the same conversation sent last: it sends that again. Null = nothing yet */
export function upperTokens(
  request: Pick<CallRequest, "bodyBytes" | "maxOutputTokens" | "answers">,
  lastInputTokens: number | null = null,
): TokenBounds {
  return {
    input: Math.max(Math.ceil(request.bodyBytes / bytesPerToken), lastInputTokens ?? 0),
    output: (request.maxOutputTokens ?? unboundedAnswerTokens) * Math.max(1, request.answers),
  };
}

/** For every usage within the request's bounds: its cost is at most this. */
export function upperEstimate(
  request: Pick<CallRequest, "bodyBytes" | "maxOutputTokens" | "answers" | "writesCache">,
  price: ModelPrice,
  lastInputTokens: number | null = null,
): number {
  const { input, output } = upperTokens(request, lastInputTokens);
  // A smaller call may be in a tier that is dearer: nothing says that prices rise.
  const reachable = price.tiers.filter(({ above }, index) => index === 0 || above < input).map(({ prices }) => prices);
  const dearest = (rate: (prices: UnitPrices) => number) => Math.max(0, ...reachable.map(rate));
  const inputRate = dearest((prices) => inputRateOf(prices, request.writesCache));
  return Math.ceil((input * inputRate + output * dearest((prices) => prices.output)) / 1_000_000 - 1e-9);
}

function inputRateOf(prices: UnitPrices, writesCache: boolean): number {
  const read = Math.max(prices.input, prices.cacheRead);
  return writesCache ? Math.max(read, prices.cacheWrite, prices.cacheWriteLong) : read;
}
