/** Leases: how long they last whatever the clocks do, and who is told that one is lost. */
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { at, bodies, done, jobs, leaseMs, name, released, settings, take, version, withJobs } from "./batch-kit.ts";
import { newFolder } from "./ledger-kit.ts";
import { startChild } from "./store-child.ts";

const hour = 3_600_000;
const jumps: readonly [what: string, ms: number][] = [
  ["stays", 0],
  ["goes on by an hour, as when summer begins", hour],
  ["goes back by an hour, as when summer ends", -hour],
  ["goes on by a day", 24 * hour],
  ["goes back by a day", -24 * hour],
  ["goes to 1970", -1_000_000],
  ["goes past 2038", 2 ** 31 * 1000],
];

describe.each(bodies)("%s", (_name, make) => {
  test.each(jumps)("a lease is neither longer nor shorter when the wall clock %s (F08)", async (_what, ms) => {
    const { batches } = await withJobs(make, 1);
    await take(batches, "0.1", 0);
    const later = (boot: number) => () => at(boot, { wallMs: Math.max(0, 1_000_000 + boot + ms) });
    expect(await batches.claim(name, "1.1", leaseMs, later(leaseMs - 1))).toBeNull();
    expect(await batches.claim(name, "1.1", leaseMs, later(leaseMs))).toMatchObject({ id: "j1", attempt: 2, fence: 2 });
    expect((await batches.attempts(name, "j1"))[0]).toMatchObject({ end: "returned", reason: "its lease ended" });
  });

  test("after another boot of the machine whoever held a lease is gone", async () => {
    const { batches } = await withJobs(make, 1);
    await take(batches);
    expect(await batches.claim(name, "0.1", leaseMs, () => at(1, { bootId: "boot-2", bootMs: 1 }))).toMatchObject({ fence: 2 });
  });

  test("where there is no boot id the wall clock decides", async () => {
    const { batches } = await withJobs(make, 1);
    const none = (ms: number) => () => at(ms, { bootId: "", bootMs: 0 });
    await batches.claim(name, "0.1", leaseMs, none(0));
    expect(await batches.claim(name, "1.1", leaseMs, none(leaseMs - 1))).toBeNull();
    expect(await batches.claim(name, "1.1", leaseMs, none(leaseMs))).toMatchObject({ fence: 2 });
  });

  test("a renewal lasts from its own time, and names what is lost", async () => {
    const { batches } = await withJobs(make, 3);
    const claims = [await take(batches, "0.1"), await take(batches, "0.2"), await take(batches, "0.3")];
    await batches.finish(claims[1]!, done(), 1_000_100);
    expect(await batches.renew(claims, leaseMs, () => at(400_000))).toEqual([claims[1]]);
    expect(await batches.claim(name, "1.1", leaseMs, () => at(999_999))).toBeNull();
    expect(await batches.claim(name, "1.1", leaseMs, () => at(1_000_000))).toMatchObject({ id: "j1", fence: 2 });
    expect(await batches.renew([], leaseMs, () => at(0))).toEqual([]);
  });

  test("a lease that ended is renewed while nobody took the job: it is still ours", async () => {
    const { batches } = await withJobs(make, 1);
    const claim = await take(batches);
    expect(await batches.renew([claim], leaseMs, () => at(700_000))).toEqual([]);
    expect(await batches.claim(name, "1.1", leaseMs, () => at(700_001))).toBeNull();
  });

  test("of two slots that find an ended lease one takes the job (B107)", async () => {
    const { batches } = await withJobs(make, 1);
    await take(batches);
    const found = await Promise.all(["1.1", "2.1"].map((slot) => batches.claim(name, slot, leaseMs, () => at(700_000))));
    expect(found.map((claim) => claim?.fence)).toEqual([2, undefined]);
  });

  test("a job that slept past its lease for the third time failed (B106)", async () => {
    const { batches } = await withJobs(make, 1);
    for (const round of [0, 1, 2]) await take(batches, "0.1", round * 700_000);
    expect(await batches.claim(name, "0.1", leaseMs, () => at(2_100_000))).toBeNull();
    expect(await batches.job(name, "j1")).toMatchObject({ state: "failed", attempts: 3, reason: "its lease ended" });
  });

  test.each(jumps.filter(([, ms]) => ms < 0))("a job that waits is not held for longer when the clock %s", async (_what, ms) => {
    const { batches } = await withJobs(make, 1);
    await batches.finish(await take(batches), released("limit", 1_060_000), 1_000_100);
    expect(await batches.claim(name, "0.1", leaseMs, () => at(200))).toBeNull();
    expect(await batches.claim(name, "0.1", leaseMs, () => at(300, { wallMs: Math.max(0, 1_000_300 + ms) }))).toMatchObject({ id: "j1" });
  });
});

test("a lease that waited two seconds for the file is not born expired (B113)", async () => {
  const folder = newFolder();
  const store = await openStore({ folder });
  onTestFinished(() => store.close());
  await store.batches.addList({ name, version, settings }, jobs(1), Date.now());
  const other = startChild("batch-probe.ts", [folder]);
  onTestFinished(() => other.end());
  expect(await other.hear()).toBe("open");
  expect(await other.ask("hold 2000")).toBe("held");
  const askedAt = Date.now();
  const claim = await store.batches.claim(name, "0.1", 1000, () => ({ wallMs: Date.now(), bootMs: performance.now(), bootId: "b" }));
  expect(claim).not.toBeNull();
  expect((await store.batches.nextChangeAt(name)) ?? 0).toBeGreaterThanOrEqual(askedAt + 2900);
});

test.each([2, 8])("of %i processes that claim at the same time no two get one job", async (count) => {
  const folder = join(newFolder(), "many");
  const store = await openStore({ folder, busyMs: 30_000 });
  onTestFinished(() => store.close());
  await store.batches.addList({ name, version, settings }, jobs(160), 1000);
  const workers = Array.from({ length: count }, () => startChild("batch-probe.ts", [folder]));
  onTestFinished(() => Promise.all(workers.map((worker) => worker.end())).then(() => undefined));
  await Promise.all(workers.map((worker) => worker.hear()));
  const taken = (await Promise.all(workers.map((worker, seat) => worker.ask(`work ${seat}.1`)))) as string[][];
  expect(taken.flat().sort()).toEqual(
    jobs(160)
      .map(({ id }) => id)
      .sort(),
  );
  expect(await store.batches.counts(name)).toEqual({ pending: 0, running: 0, done: 160, failed: 0, attempts: 160 });
});
