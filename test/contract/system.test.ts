/** The contracts of `ports/clock.ts` and `ports/ids.ts`, run against the system's own. */
import { describe, expect, test } from "vitest";
import { createClock } from "../../src/adapters/system/clock.ts";
import { createIds } from "../../src/adapters/system/ids.ts";

describe("clock", () => {
  const clock = createClock();

  test("wall and monotonic time are milliseconds", () => {
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1_000);
    const before = clock.monotonicMs();
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(before);
  });

  test.runIf(process.platform === "linux")("the boot has an id", () => {
    expect(clock.bootId).toMatch(/^[\da-f-]{36}$/);
  });

  test("a sleep lasts as long as it was asked to", async () => {
    const before = clock.monotonicMs();
    await clock.sleep(30);
    expect(clock.monotonicMs() - before).toBeGreaterThanOrEqual(30);
  });

  test("an abort ends a sleep at once, before it and within it, and leaves no listener", async () => {
    const stop = new AbortController();
    const asleep = clock.sleep(2 ** 40, stop.signal);
    stop.abort();
    await asleep;
    await clock.sleep(2 ** 40, stop.signal);
  });
});

describe("ids", () => {
  test("an id is a UUID of version 7 that holds its time", () => {
    const id = createIds(() => 0x0198_7654_3210).newRunId();
    expect(id).toMatch(/^01987654-3210-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  test.each([
    ["stands", () => 1_000],
    ["goes back", (call: number) => 1_000_000 - call],
    ["goes on", (call: number) => 1_000 + call],
  ])("10,000 ids are different and sort by the order in which they were made, while the clock %s", (_name, time) => {
    let call = 0;
    const ids = createIds(() => time(call++));
    const made = Array.from({ length: 10_000 }, (_, n): string => (n % 2 === 0 ? ids.newRunId() : ids.newWindowId()));
    expect(made).toEqual([...made].sort());
    expect(new Set(made).size).toBe(made.length);
  });

  test("a secret has 128 bits and may stand in a URL", () => {
    const ids = createIds(Date.now);
    const secrets = Array.from({ length: 100 }, () => ids.newSecret());
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{22}$/);
    expect(new Set(secrets).size).toBe(100);
  });

  test("chance is in [0, 1)", () => {
    const ids = createIds(Date.now);
    const drawn = Array.from({ length: 1_000 }, () => ids.random());
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...drawn)).toBeLessThan(1);
    expect(new Set(drawn).size).toBeGreaterThan(990);
  });
});
