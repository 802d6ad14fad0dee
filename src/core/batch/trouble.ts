/**
 * A provider's limit, outage or refused key (E10, G5): the slots wait, longer each time; three in a row pause the batch. What was under way when the first one met it
 * meets the same trouble, and is no further one. An answer ends it.
 */

export interface Trouble {
  /** How often in a row a job was given back, those that ran side by side as one. */
  readonly inARow: number;
  readonly reason: string;
  /** When the last one was counted; milliseconds since 1970. */
  readonly since: number;
  /** Before this nothing is claimed. */
  readonly holdUntil: number;
}

export const noTrouble: Trouble = { inARow: 0, reason: "", since: 0, holdUntil: 0 };

export interface Waits {
  readonly firstMs: number;
  readonly longestMs: number;
}

const mostInARow = 3;

/** @param startedAt  of the attempt that was given back */
export function afterRelease(
  trouble: Trouble,
  released: { readonly reason: string; readonly startedAt: number; readonly now: number },
  waits: Waits,
): Trouble {
  const { reason, startedAt, now } = released;
  if (trouble.inARow > 0 && startedAt <= trouble.since) return { ...trouble, reason };
  const inARow = trouble.inARow + 1;
  return { inARow, reason, since: now, holdUntil: now + Math.min(waits.firstMs * 2 ** (inARow - 1), waits.longestMs) };
}

export function mustPause(trouble: Trouble): boolean {
  return trouble.inARow >= mostInARow;
}
