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

/** What the same conversation sent last: it sends that again, and more. */
export interface LastInput {
  readonly tokens: number;
  readonly bodyBytes: number;
}

/** @param last  null = nothing yet */
export function upperTokens(
  request: Pick<CallRequest, "bodyBytes" | "maxOutputTokens" | "answers">,
  last: LastInput | null = null,
): TokenBounds {
  return {
    input: inputBound(request.bodyBytes, last),
    output: (request.maxOutputTokens ?? unboundedAnswerTokens) * Math.max(1, request.answers),
  };
}

/** Of what was billed once the tokens are known; only what has come to it is guessed. Without that, a long conversation would be held at several times its price. */
function inputBound(bodyBytes: number, last: LastInput | null): number {
  const whole = Math.ceil(bodyBytes / bytesPerToken);
  if (last === null) return whole;
  const grown = last.tokens + Math.ceil(Math.max(0, bodyBytes - last.bodyBytes) / bytesPerToken);
  return Math.max(last.tokens, Math.min(whole, grown));
}

/** For every usage within the request's bounds: its cost is at most this. */
export function upperEstimate(
  request: Pick<CallRequest, "bodyBytes" | "maxOutputTokens" | "answers" | "writesCache">,
  price: ModelPrice,
  last: LastInput | null = null,
): number {
  const { input, output } = upperTokens(request, last);
  // A smaller call may be in a tier that is dearer: nothing says that prices rise.
  const reachable = price.tiers.filter(({ above }, index) => index === 0 || above < input).map(({ prices }) => prices);
  const dearest = (rate: (prices: UnitPrices) => number) => Math.max(0, ...reachable.map(rate));
  const inputRate = dearest((prices) => inputRateOf(prices, request.writesCache));
  return Math.max(0, Math.ceil((input * inputRate + output * dearest((prices) => prices.output)) / 1_000_000 - 1e-9));
}

function inputRateOf(prices: UnitPrices, writesCache: boolean): number {
  const read = Math.max(prices.input, prices.cacheRead);
  return writesCache ? Math.max(read, prices.cacheWrite, prices.cacheWriteLong) : read;
}
