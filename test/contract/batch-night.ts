/** A batch, step by step: each step is one call of the port, so that a test can be killed within it. */
import type { JobClaim, NewJob } from "../../src/ports/batch-store.ts";
import type { Store } from "../../src/ports/store.ts";
import { at, done, failed, jobs, name, released, settings, take, version } from "./batch-kit.ts";

/** The attempt that a slot has; a killed step is not gone on with, so nothing has to be remembered. */
const claimOf = (id: string, fence: number): JobClaim => ({
  ...{ batch: name, id, key: `${name}:${id}:${version}`, payload: "", attempt: fence, fence, round: 0, slot: "0.1" },
});

const many: readonly NewJob[] = jobs(6000);

export const steps: readonly ((store: Store) => Promise<unknown>)[] = [
  ({ batches }) => batches.addBatch({ name: "empty", version, settings }, 900),
  ({ batches }) => batches.addList({ name, version, settings }, jobs(5), 1000),
  ({ batches }) => batches.addJobs(name, many, 1100),
  ({ batches }) => batches.addJobs(name, [...jobs(7000), { id: "j1", payload: "other" }], 1200),
  ({ batches }) => take(batches, "0.1"),
  ({ batches }) => take(batches, "0.2"),
  ({ batches }) => batches.renew([claimOf("j1", 1), claimOf("j2", 1)], 700_000, () => at(10)),
  ({ batches }) => batches.finish(claimOf("j1", 1), done("small"), 1_000_100),
  ({ batches }) => batches.finish(claimOf("j2", 1), { kind: "done", answer: Buffer.alloc(70_000, 3) }, 1_000_200),
  ({ batches }) => take(batches, "0.1", 300),
  ({ batches }) => batches.finish(claimOf("j3", 1), { ...failed(), forGood: true }, 1_000_400),
  ({ batches }) => take(batches, "0.1", 500),
  ({ batches }) => batches.finish(claimOf("j4", 1), released("limit", 1_009_000), 1_000_600),
  ({ batches }) => take(batches, "0.1", 700),
  ({ batches }) => batches.returnSeat(name, "0", at(800)),
  ({ batches }) => batches.setRequest(name, "stop", 1_000_900),
  ({ batches }) => batches.setState(name, "paused", "a person", 1_001_000),
  ({ batches }) => batches.setSettings(name, { ...settings, batchMicroUsd: 7 }, 1_001_050),
  ({ batches }) => batches.retry(name, [], 1_001_100),
];

/** All that the port tells, in one text. */
export async function readBatches({ batches }: Store): Promise<string> {
  const told: unknown[] = [await batches.batches()];
  for (const { name: batch } of await batches.batches()) {
    const first = await batches.jobs(batch, { limit: 6 });
    told.push(await batches.counts(batch), await batches.nextChangeAt(batch), first);
    for (const { id } of first) told.push(await batches.attempts(batch, id), (await batches.answer(batch, id))?.byteLength);
  }
  return JSON.stringify(told);
}
