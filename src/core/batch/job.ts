/** A job: one item of a batch, and the moves it may make. */

export const jobStates = ["pending", "running", "done", "failed"] as const;
export type JobState = (typeof jobStates)[number];

/**
 * claim    pending -> running   a slot takes it: one more attempt, the next fencing number
 * finish   running -> done      its answer is stored
 * fail     running -> pending   the attempt failed and another is left; running -> failed after the last
 * return   running -> pending   *retomado*: its slot starts again, or its lease ended; the attempt counts. -> failed after the last
 * release  running -> pending   the provider's trouble, or a stop within the grace: the attempt is given back
 * retry    failed  -> pending   a person's word; attempts begin anew, and with `--anew` the next round: nothing paid before is served again
 */
export const jobMoves = {
  claim: { from: ["pending"], to: ["running"] },
  finish: { from: ["running"], to: ["done"] },
  fail: { from: ["running"], to: ["pending", "failed"] },
  return: { from: ["running"], to: ["pending", "failed"] },
  release: { from: ["running"], to: ["pending"] },
  retry: { from: ["failed"], to: ["pending"] },
} as const satisfies Readonly<Record<string, { readonly from: readonly JobState[]; readonly to: readonly JobState[] }>>;

/** `batch:job:version`: the same key is the same question, and what was paid for it is never paid again (E4). */
export function jobKey(batch: string, job: string, version: string): string {
  return `${batch}:${job}:${version}`;
}

/** Names that may stand in a key: no colon, nothing that a shell, a path or a screen would take for something else. */
export function isKeyPart(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text);
}

/** Where a job goes after an attempt that did not finish it. */
export function afterAttempt(attempts: number, most: number): "pending" | "failed" {
  return attempts >= most ? "failed" : "pending";
}
