/** A person's word that a job is asked anew, and deaths around it: before its commit nothing happened; after it, what was paid since is served, and nothing of before. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type BatchNight, batch, makeBatchNight } from "../scenario/night-batch.ts";

vi.setConfig({ testTimeout: 120_000 });

const program = join(import.meta.dirname, "../../build/midwatch-faults.js");
const calls = 3;

/** Its job has paid for all its answers, and fails each time. */
async function makeFailed(): Promise<BatchNight> {
  const night = await makeBatchNight({ jobs: [{ id: "1", calls, end: "fail" }], settings: { attempts: 1, slots: 1 } });
  expect((await night.supervise().ended).code).toBe(7);
  expect(night.invoice()).toHaveLength(calls);
  return night;
}

const retryAnew = (night: BatchNight, fault: string | null) =>
  spawnSync(process.execPath, [program, "batch", "retry", batch, "1", "--anew"], {
    ...{ cwd: night.folder, encoding: "utf8", timeout: 60_000 },
    env: { ...night.env, ...(fault === null ? {} : { MIDWATCH_FAULT: fault }) },
  });

const duplicates = (night: BatchNight) => night.withStore(async ({ ledger }) => (await ledger.duplicates({ batch })).rows);

test.each([
  ["store.retryJobs.before-commit", { state: "failed", round: 0 }, calls],
  ["store.retryJobs.after-commit", { state: "pending", round: 1 }, 2 * calls],
])("killed at %s, the next run pays as the mark says", async (point, job, paid) => {
  const night = await makeFailed();
  expect(retryAnew(night, `kill:${point}`).signal).toBe("SIGKILL");
  expect(await night.job("1")).toMatchObject(job);
  expect((await night.supervise().ended).code).toBe(7);
  expect(night.invoice()).toHaveLength(paid);
  expect(await duplicates(night)).toEqual([]);
});

test.each([
  ["attempt.before-start", 0],
  ["store.claimJob.after-commit", 0],
  ["call.opened", 0],
  ["call.answered:2", 1],
  ["call.closed:2", 0],
  ["attempt.before-finish", 0],
])("killed at %s of the new round, the next attempt pays no more than what was on its way", async (point, lost) => {
  const night = await makeFailed();
  expect(retryAnew(night, null)).toMatchObject({ status: 0 });
  await night.withStore(({ batches }) =>
    batches.batch(batch).then((one) => batches.setSettings(batch, { ...one!.settings, attempts: 2 }, 0)),
  );
  expect((await night.supervise({ faults: true, env: { MIDWATCH_FAULT: `kill:${point}` } }).ended).signal).toBe("SIGKILL");
  expect((await night.supervise().ended).code).toBe(7);
  expect(await night.job("1")).toMatchObject({ state: "failed", round: 1 });
  expect(night.invoice()).toHaveLength(2 * calls + lost);
  expect((await night.rows()).filter(({ state, owner }) => state === "done" && owner.kind === "job" && owner.round === 1)).toHaveLength(
    calls,
  );
  expect(await duplicates(night)).toEqual([]);
});
