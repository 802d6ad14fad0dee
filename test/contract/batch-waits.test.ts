/** Until when a batch waits, and for what: what is shown of that which supervisors told, and of leases that still run. */
import { describe, expect, test } from "vitest";
import { batchStatus } from "../../src/engine/batch/status.ts";
import type { SlotWait } from "../../src/ports/batch-store.ts";
import type { Store } from "../../src/ports/store.ts";
import { bodies, done, leaseMs, name, take, withJobs } from "./batch-kit.ts";

const now = 1_000_000;
const provider = { kind: "provider", until: now + 60_000, reason: "the provider's limit is reached (429)" } as const;
const money = { kind: "money", until: now + 3_600_000, reason: "the day's cap is reached" } as const;

async function statusOf(store: Store, seats: readonly string[], at = now) {
  const batch = await store.batches.batch(name);
  if (batch === null) throw new Error("there is no batch");
  const { why, waits } = await batchStatus({ store, seats: async () => seats, now: at }, batch);
  return { why, waits };
}

describe.each(bodies)("%s", (_name, make) => {
  test.each<[string, Omit<SlotWait, "seat">, "open" | "paused", readonly string[], number, boolean]>([
    ["a provider's limit, told by a supervisor that lives", provider, "open", ["0"], now, true],
    ["not of one that died", provider, "open", ["1"], now, false],
    ["not when it is over", provider, "open", ["0"], provider.until, false],
    ["not when the batch was paused since", provider, "paused", ["0"], now, false],
    ["a day's cap, when its supervisor has left", money, "paused", [], now, true],
    ["not when that day is over", money, "paused", [], money.until, false],
  ])("%s is shown", async (_what, wait, state, seats, at, isShown) => {
    const store = await withJobs(make, 1);
    await store.batches.setWait(name, "0", wait);
    if (state === "paused") await store.batches.setState(name, "paused", "why", now);
    expect((await statusOf(store, seats, at)).waits).toEqual(isShown ? [{ ...wait, seat: "0" }] : []);
  });

  test("a seat tells one at a time, and takes it back; opening the batch makes all void", async () => {
    const store = await withJobs(make, 1);
    await store.batches.setWait(name, "0", provider);
    await store.batches.setWait(name, "1", { ...provider, until: now + 1 });
    await store.batches.setWait(name, "0", money);
    expect(await store.batches.waits(name)).toEqual([
      { ...money, seat: "0" },
      { ...provider, seat: "1", until: now + 1 },
    ]);
    await store.batches.setWait(name, "1", null);
    expect(await store.batches.waits(name)).toEqual([{ ...money, seat: "0" }]);
    await store.batches.setState(name, "paused", "why", now);
    expect(await store.batches.waits(name)).toHaveLength(1);
    await store.batches.setState(name, "open", "", now);
    expect(await store.batches.waits(name)).toEqual([]);
  });

  test("leases of a dead seat are shown where somebody else is at work, together", async () => {
    const store = await withJobs(make, 4);
    await take(store.batches, "0.1");
    for (const [slot, ms] of [
      ["1.1", 0],
      ["1.2", 500],
    ] as const)
      await take(store.batches, slot, ms);
    const lease = { kind: "lease", seat: "1", until: now + leaseMs, reason: "the lease of 2 jobs of a supervisor that died" };
    expect(await statusOf(store, ["0"])).toEqual({ why: "it is at work", waits: [lease] });
    expect((await statusOf(store, ["0", "1"])).waits).toEqual([]);
    expect((await statusOf(store, [])).waits).toEqual([]);
  });

  test("its first line says so when all of its slots wait, and not while a job runs", async () => {
    const store = await withJobs(make, 2);
    await store.batches.setWait(name, "0", provider);
    expect((await statusOf(store, ["0"])).why).toBe("its slots wait: the provider's limit is reached (429)");
    expect((await statusOf(store, ["0", "1"])).why).not.toContain("its slots wait");
    const claim = await take(store.batches);
    expect((await statusOf(store, ["0"])).why).toBe("it is at work");
    await store.batches.finish(claim, done(), now);
    expect((await statusOf(store, ["0"])).why).toContain("its slots wait");
  });
});
