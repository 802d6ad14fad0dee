/**
 * Token usage by message. A later report of the same message replaces the earlier one, and none replaces the final one: agents repeat a
 * message's usage on several lines, so adding would count it several times. Memory is bounded: only the latest messages can still change.
 */
import type { Tokens } from "./agent-event.ts";

export const noTokens: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

const maxOpenMessages = 1000;

export class TokenSum {
  readonly #open = new Map<string, { readonly tokens: Tokens; readonly final: boolean }>();
  #total = noTokens;

  get total(): Tokens {
    return this.#total;
  }

  report(key: string, tokens: Tokens, final: boolean): void {
    const before = this.#open.get(key);
    if (before?.final === true && !final) return;
    this.#open.set(key, { tokens, final });
    this.#total = plusTokens(this.#total, tokens, before?.tokens ?? noTokens);
    if (this.#open.size > maxOpenMessages) this.#open.delete(this.#open.keys().next().value ?? "");
  }
}

/** `a + b - c`, field by field. */
function plusTokens(a: Tokens, b: Tokens, c: Tokens): Tokens {
  return {
    input: a.input + b.input - c.input,
    output: a.output + b.output - c.output,
    cacheRead: a.cacheRead + b.cacheRead - c.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite - c.cacheWrite,
  };
}

/** Field by field the larger one. */
export function largerTokens(a: Tokens, b: Tokens): Tokens {
  return {
    input: Math.max(a.input, b.input),
    output: Math.max(a.output, b.output),
    cacheRead: Math.max(a.cacheRead, b.cacheRead),
    cacheWrite: Math.max(a.cacheWrite, b.cacheWrite),
  };
}
