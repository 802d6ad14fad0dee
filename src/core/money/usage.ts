/** Tokens of one call as a provider bills them. Each token is in one field only: `input` holds no cached ones. */

export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** Written to a cache of five minutes / of one hour. */
  readonly cacheWrite: number;
  readonly cacheWriteLong: number;
  /** Web searches that the provider ran for the call. */
  readonly searches: number;
}

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0, searches: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    cacheWriteLong: a.cacheWriteLong + b.cacheWriteLong,
    searches: a.searches + b.searches,
  };
}

/** Size of the conversation that was sent: what fills a context window. */
export function inputTokens(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite + usage.cacheWriteLong;
}
