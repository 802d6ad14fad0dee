/** A provider's limit, outage or refused key (E10, G5): the slots wait, longer each time; three jobs in a row pause the batch. An answer ends it. */

export interface Trouble {
  /** Jobs given back in a row. */
  readonly inARow: number;
  readonly reason: string;
  /** Before this nothing is claimed; milliseconds since 1970. */
  readonly holdUntil: number;
}

export const noTrouble: Trouble = { inARow: 0, reason: "", holdUntil: 0 };

const firstWaitMs = 30_000;
const longestWaitMs = 15 * 60_000;
const mostInARow = 3;

export function afterRelease(trouble: Trouble, reason: string, now: number): Trouble {
  const inARow = trouble.inARow + 1;
  return { inARow, reason, holdUntil: now + Math.min(firstWaitMs * 2 ** (inARow - 1), longestWaitMs) };
}

export function mustPause(trouble: Trouble): boolean {
  return trouble.inARow >= mostInARow;
}
