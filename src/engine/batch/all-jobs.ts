/** The jobs of a batch in the order of its list, read one page after another: memory does not grow with the list. */
import type { JobState } from "../../core/batch/job.ts";
import type { BatchStore, JobRecord } from "../../ports/batch-store.ts";

const page = 500;

/** @param state  absent = all of them */
export async function* jobPages(store: BatchStore, batch: string, state?: JobState): AsyncGenerator<readonly JobRecord[]> {
  for (let after: string | undefined; ; ) {
    const jobs: readonly JobRecord[] = await store.jobs(batch, {
      ...(after === undefined ? {} : { after }),
      ...(state === undefined ? {} : { state }),
      limit: page,
    });
    yield jobs;
    after = jobs.at(-1)?.id;
    if (after === undefined || jobs.length < page) return;
  }
}
