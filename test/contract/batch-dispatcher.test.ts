/** The polling dispatcher in simulated time: nights that are disturbed at every seed's will, and what it does by itself. */
import { expect, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store/memory/open.ts";
import { MidwatchError } from "../../src/core/error.ts";
import { createPollDispatcher } from "../../src/engine/batch/poll-dispatcher.ts";
import type { BatchStore, JobClaim } from "../../src/ports/batch-store.ts";
import type { DispatcherOptions } from "../../src/ports/dispatcher.ts";
import { BatchClock } from "./batch-clock.ts";
import { done, jobs, name, settings, version } from "./batch-kit.ts";
import { jobCount, leaseMs, type Night, playNight } from "./batch-sleepers.ts";

const seeds = Number(process.env["MIDWATCH_SEEDS"] ?? 200);
const atOnce = 20;

/** What a night must not be. */
async function complaintsOf({ batches, ledger, invoice, accepted }: Night): Promise<readonly string[]> {
  const complaints: string[] = [];
  const counts = await batches.counts(name);
  if (counts.done + counts.failed !== jobCount) complaints.push(`V1: ${JSON.stringify(counts)}`);
  for (const { id, state, reason } of await batches.jobs(name, { limit: 99 })) {
    const texts = accepted.get(id) ?? [];
    const stored = await batches.answer(name, id);
    if (texts.length !== (state === "done" ? 1 : 0)) complaints.push(`V2: ${id} is ${state}, and ${texts.length} answers were accepted`);
    if (stored !== null && Buffer.from(stored).toString() !== texts[0])
      complaints.push(`V2: ${id} has another answer than the accepted one`);
    if (state === "failed" && reason === "") complaints.push(`V1: ${id} failed for no reason`);
    const attempts = await batches.attempts(name, id);
    if (attempts.some(({ fence }, index) => fence !== index + 1)) complaints.push(`a claim of ${id} has no attempt`);
  }
  const calls = await ledger.calls({ batch: name, limit: 9999 });
  for (const [place, paid] of invoice) {
    const rows = calls.filter(({ key }) => `${key.key}:${key.seq}` === place);
    // One that is late was under way when its lease ended: listed, like one that is unknown, cut or failed.
    const whole = rows.filter(({ state, late }) => state === "done" && !late).length;
    if (rows.filter(({ result }) => result?.failure !== "limited").length < paid) complaints.push(`V3: ${place} was paid ${paid} times`);
    if (whole > 1) complaints.push(`V4: ${place} has two whole answers`);
    if (paid - whole > rows.length - whole) complaints.push(`V4: ${place} was paid again for nothing`);
  }
  if (calls.some(({ state }) => state === "open")) complaints.push("V3: a call stayed open");
  return complaints;
}

const groups = Array.from({ length: Math.ceil(seeds / atOnce) }, (_, index) => index * atOnce);
test.each(groups)("nights from seed %i on lose no job, store no second answer, pay nothing twice unlisted, and end", async (first) => {
  for (let seed = first; seed < Math.min(first + atOnce, seeds); seed += 1)
    expect(await complaintsOf(await playNight(seed)), `seed ${seed}`).toEqual([]);
});

async function begin(count: number, change: Partial<BatchStore> = {}) {
  const clock = new BatchClock();
  const { batches } = openMemoryStore();
  await batches.addList({ name, version, settings }, jobs(count), 1000);
  const stop = new AbortController();
  const run = (more: Partial<DispatcherOptions>) =>
    createPollDispatcher({ clock, random: () => 0.5 }).run({
      ...{ store: { ...batches, ...change }, batch: name, seat: "0", slots: 2, leaseMs, hold: () => 0, signal: stop.signal },
      ...{ work: async (claim) => void (await batches.finish(claim, done(), clock.now())), ...more },
    });
  return { clock, batches, stop, run };
}

test("slots are named after their seat, from 1, and as many jobs are worked on at once", async () => {
  const { clock, batches, run } = await begin(5);
  const seen: string[] = [];
  let under = 0;
  let most = 0;
  const work = async (claim: JobClaim) => {
    seen.push(claim.slot);
    under += 1;
    most = Math.max(most, under);
    await clock.sleep(1000);
    under -= 1;
    await batches.finish(claim, done(), clock.now());
  };
  const end = run({ work });
  await clock.drive(end, 60_000);
  expect([await end, most, [...new Set(seen)].sort()]).toEqual(["nothing-left", 2, ["0.1", "0.2"]]);
});

test("a long job is renewed, and its work is not disturbed", async () => {
  const { clock, batches, run } = await begin(1);
  const told: unknown[] = [];
  const work = async (claim: JobClaim, lost: AbortSignal) => {
    await clock.sleep(20 * leaseMs);
    told.push(lost.aborted, await batches.finish(claim, done(), clock.now()));
  };
  await clock.drive(run({ work }), 30 * leaseMs);
  expect(told).toEqual([false, true]);
});

test("a lost claim aborts its work at the next renewal", async () => {
  const { clock, batches, run } = await begin(1);
  const startedAt = clock.bootMs();
  const lostAfter: number[] = [];
  const work = async (claim: JobClaim, lost: AbortSignal) => {
    if (claim.fence > 1) return void (await batches.finish(claim, done(), clock.now()));
    await batches.returnSeat(name, "0", { wallMs: clock.now(), bootMs: clock.bootMs(), bootId: clock.bootId });
    await clock.sleep(10 * leaseMs, lost);
    lostAfter.push(clock.bootMs() - startedAt);
  };
  await clock.drive(run({ work }), 20 * leaseMs);
  expect(lostAfter).toEqual([leaseMs / 3]);
});

test("work is aborted before its lease ends when the store cannot renew it", async () => {
  const full = async () => Promise.reject(new MidwatchError("environment", "E_STORE_DISK_FULL", "the disk is full"));
  const { clock, run } = await begin(1, { renew: full });
  const lostAfter: number[] = [];
  const startedAt = clock.bootMs();
  const stop = new AbortController();
  const work = async (_claim: JobClaim, lost: AbortSignal) => {
    await clock.sleep(10 * leaseMs, lost);
    lostAfter.push(clock.bootMs() - startedAt);
    stop.abort();
  };
  await clock.drive(run({ work, signal: stop.signal, slots: 1 }), 20 * leaseMs);
  expect(lostAfter[0]).toBeGreaterThanOrEqual(leaseMs * 0.9);
  expect(lostAfter[0]).toBeLessThan(leaseMs);
});

test("a job past its clock is not renewed", async () => {
  const { clock, run } = await begin(1);
  const stop = new AbortController();
  const lostAfter: number[] = [];
  const startedAt = clock.bootMs();
  const work = async (_claim: JobClaim, lost: AbortSignal) => {
    await clock.sleep(100 * leaseMs, lost);
    lostAfter.push(clock.bootMs() - startedAt);
    stop.abort();
  };
  await clock.drive(run({ work, jobMs: 5 * leaseMs, signal: stop.signal, slots: 1 }), 20 * leaseMs);
  expect(lostAfter[0]).toBeLessThan(6.1 * leaseMs);
});

test("nothing is claimed while the slots are held back", async () => {
  const { clock, batches, run } = await begin(1);
  const until = clock.bootMs() + 12_345;
  const claimedAt: number[] = [];
  const work = async (claim: JobClaim) => {
    claimedAt.push(clock.bootMs());
    await batches.finish(claim, done(), clock.now());
  };
  await clock.drive(run({ work, hold: () => Math.max(0, until - clock.bootMs()) }), 60_000);
  expect(claimedAt).toEqual([until]);
});

test.each<[string, (batches: BatchStore, stop: AbortController) => unknown]>([
  ["it is told to stop", (_batches, stop) => stop.abort()],
  ["the batch is paused", (batches) => batches.setState(name, "paused", "a cap", 2000)],
])("when %s, what runs ends and nothing more begins", async (_what, interrupt) => {
  const { clock, batches, stop, run } = await begin(6);
  const work = async (claim: JobClaim) => {
    await clock.sleep(1000);
    await interrupt(batches, stop);
    await batches.finish(claim, done(), clock.now());
  };
  const end = run({ work });
  await clock.drive(end, 60_000);
  expect(await end).toBe("stopped");
  expect(await batches.counts(name)).toMatchObject({ done: 2, pending: 4, running: 0 });
});

test("what runs elsewhere is waited for, and taken over when its lease ends", async () => {
  const { clock, batches, run } = await begin(2);
  await batches.claim(name, "7.1", leaseMs, () => ({ wallMs: clock.now(), bootMs: clock.bootMs(), bootId: clock.bootId }));
  const end = run({});
  const tookMs = await clock.drive(end, 10 * leaseMs);
  expect([await end, (await batches.counts(name)).done]).toEqual(["nothing-left", 2]);
  expect(tookMs).toBeGreaterThanOrEqual(leaseMs);
  expect(tookMs).toBeLessThan(leaseMs + 1000);
});

test("a busy store is asked again; one that cannot be used ends it, after what runs", async () => {
  let asked = 0;
  const fail = new MidwatchError("environment", "E_STORE_READ_ONLY", "read-only");
  const claim: BatchStore["claim"] = async (...args) => {
    asked += 1;
    if (asked === 1) throw new MidwatchError("busy", "E_STORE_BUSY", "busy");
    if (asked > 3) throw fail;
    return setup.batches.claim(...args);
  };
  const setup = await begin(9, { claim });
  const end = setup.run({});
  await expect(setup.clock.drive(end, 60_000)).rejects.toBe(fail);
  expect(await setup.batches.counts(name)).toMatchObject({ done: 2, running: 0 });
});
