/** What differs from one provider's API to another's. A script says what is said; a dialect says in which shape. */
import type { Tokens } from "../core/agent-event.ts";
import type { PlainFault, ProviderRequest, ScriptStep } from "../ports/provider.ts";
import type { HttpAnswer } from "./http-answer.ts";

/** What is to be said, to whom. */
export interface Saying {
  readonly step: ScriptStep;
  readonly request: ProviderRequest;
  /** Unique: ids of answer and tool calls are made of it. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface Dialect {
  /** The header in which an answer tells the id of its request. */
  readonly requestIdHeader: string;
  /** Null = no request in the shape of this API. */
  readRequest(body: unknown): ProviderRequest | null;
  /** Of the answer: what an invoice names. */
  answerId(name: string): string;
  /** Whom the request names as its user, in its own words; null = nobody. */
  userOf(request: ProviderRequest): unknown;
  /** Tokens as this API bills them. */
  tokensOf(step: ScriptStep): Tokens;
  whole(saying: Saying): object;
  /** The events of a stream, each as it is written. */
  events(saying: Saying): readonly string[];
  /** How many of them come up to half of the first words. */
  untilHalf(step: ScriptStep): number;
  /** The body of an error. */
  error(type: string, message: string): object;
  /** An error in the midst of a stream. @param type  null = the usual one */
  errorEvent(type: string | null): string;
  readonly faults: Readonly<Record<PlainFault, (model: string) => HttpAnswer>>;
  rateLimited(afterMs: number): HttpAnswer;
  /** The limit of a subscription. */
  usageLimit(resetsAtS: number): HttpAnswer;
}

export function billedTokens(step: ScriptStep): Tokens {
  return { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, ...step.usage };
}
