/** A list of any length in parts that are small enough to be held, and to be written while others wait. */
import type { NewJob } from "../../../ports/batch-store.ts";

const mostJobs = 5000;
const mostBytes = 4 * 1024 * 1024;

export interface JobPart {
  readonly jobs: readonly { readonly id: string; readonly body: Buffer }[];
  readonly isLast: boolean;
}

/** At least one; only the last one may be empty. */
export function* partsOf(list: Iterable<NewJob>): Generator<JobPart, void> {
  let jobs: { readonly id: string; readonly body: Buffer }[] = [];
  let bytes = 0;
  for (const { id, payload } of list) {
    const body = Buffer.from(payload);
    jobs.push({ id, body });
    bytes += body.byteLength;
    if (jobs.length < mostJobs && bytes < mostBytes) continue;
    yield { jobs, isLast: false };
    jobs = [];
    bytes = 0;
  }
  yield { jobs, isLast: true };
}
