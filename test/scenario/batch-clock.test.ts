/**
 * F08 with the whole program: the wall clock that two supervisors see jumps at each call, for each of them to another time, while a batch runs. Leases are short,
 * so that a jump that counted would end them. Needs libfaketime (Debian: faketime); without it nothing is shown and the tests say so.
 */
import { existsSync, globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder } from "../fixtures/repositories.ts";
import { complaintsOf, makeBatchNight } from "./night-batch.ts";

const library = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1")[0] ?? "/usr/lib/faketime/libfaketimeMT.so.1";
const [hour, day] = [3600, 86_400];
const until = (date: string) => Math.round((Date.parse(date) - Date.now()) / 1000);

/** The environment of a program whose clock is moved by `jump`. The monotonic clock stays true, as in a machine whose time is set. */
function makeClock() {
  const file = join(makeFolder(), "offset");
  const jump = (seconds: number): void => writeFileSync(file, `${seconds < 0 ? "" : "+"}${seconds}\n`);
  jump(0);
  const env = { LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: "1", FAKETIME_DONT_FAKE_MONOTONIC: "1" };
  return { env, jump };
}

describe.skipIf(!existsSync(library))("the clock jumps at each call", () => {
  test.for<readonly [string, readonly number[], string]>([
    ["an hour to and fro", [hour, -hour, 0, hour], "UTC"],
    ["a day to and fro", [day, -day, day, 0], "UTC"],
    ["to 1970 and back", [until("1970-01-02T00:00:00Z"), 0], "UTC"],
    ["over 2038", [until("2038-01-19T03:14:00Z"), until("2038-01-19T03:14:12Z")], "UTC"],
    ["over a leap day", [until("2028-02-28T23:59:59Z"), until("2028-02-29T12:00:00Z"), until("2028-03-01T00:00:01Z")], "UTC"],
    ["into summer time in London", [until("2027-03-28T00:59:58Z"), until("2027-03-28T01:00:02Z")], "Europe/London"],
    ["out of summer time in London", [until("2027-10-31T00:59:58Z"), until("2027-10-31T01:00:02Z")], "Europe/London"],
    ["into summer time in New York", [until("2027-03-14T06:59:58Z"), until("2027-03-14T07:00:02Z")], "America/New_York"],
    ["out of summer time in Lord Howe", [until("2027-04-03T14:59:58Z"), until("2027-04-03T15:00:02Z")], "Australia/Lord_Howe"],
  ])("%s: each job is done once, in one attempt, and nothing is paid twice", async ([, offsets, zone]) => {
    const jobs = Array.from({ length: 6 }, (_, index) => ({ id: `${index + 1}`, calls: 3 }));
    const night = await makeBatchNight({ jobs, settings: { leaseMs: 1500 }, firstByteMs: 200 });
    const clocks = [makeClock(), makeClock()] as const;
    let calls = 0;
    night.onCall(() => {
      calls += 1;
      for (const [index, clock] of clocks.entries()) clock.jump(offsets[(calls + index) % offsets.length] ?? 0);
    });
    const ends = await Promise.all(clocks.map(({ env }) => night.supervise({ env: { ...env, TZ: zone } }).ended));
    expect(ends.map(({ code, signal }) => [code, signal])).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(await complaintsOf(night)).toEqual([]);
    expect(night.invoice()).toHaveLength(18);
    const attempts = await Promise.all(jobs.map(({ id }) => night.attempts(id)));
    expect(attempts.map((list) => list.map(({ end }) => end))).toEqual(jobs.map(() => ["done"]));
    // The jumps were seen: a row bears the time at which its supervisor thought to be.
    const times = (await night.rows()).map(({ sentAt }) => sentAt);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(3000);
  });
});
