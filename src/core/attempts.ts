/** What a run's agents tried and must not do, for its report: same ones of a window together. */
export interface Attempt {
  readonly window: number | null;
  readonly what: string;
  readonly reason: string;
  /** False = nothing of ours stood before it: that it came to nothing is the sandbox's work, or luck. */
  readonly denied: boolean;
}

export interface CountedAttempt extends Attempt {
  readonly times: number;
}

export function countAttempts(attempts: readonly Attempt[]): readonly CountedAttempt[] {
  const byWords = new Map<string, CountedAttempt>();
  for (const attempt of attempts) {
    const words = JSON.stringify([attempt.window, attempt.what, attempt.reason, attempt.denied]);
    byWords.set(words, { ...attempt, times: (byWords.get(words)?.times ?? 0) + 1 });
  }
  return [...byWords.values()];
}
