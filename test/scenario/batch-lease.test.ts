/**
 * F05: of two supervisors one is halted in the midst of a call until its lease is over, and wakes. MIDWATCH_CHAOS=all: at each of the 25 calls; else at three of them.
 */
import { expect, test } from "vitest";
import { batch, complaintsOf, keyOf, makeBatchNight } from "./night-batch.ts";
import { eventually } from "./program.ts";

const calls = process.env["MIDWATCH_CHAOS"] === "all" ? Array.from({ length: 25 }, (_, index) => index + 1) : [1, 13, 25];
const leaseMs = 2000;

test.for(calls)(
  "a supervisor that sleeps past its lease at call %i changes nothing when it wakes, and what it paid is listed as late",
  async (call) => {
    const night = await makeBatchNight({ jobs: [{ id: "1" }, { id: "2", calls: 2 }], settings: { leaseMs, slots: 1 } });
    const sleeper = night.supervise();
    let isAsleep = false;
    night.onCall(({ request }) => {
      if (isAsleep || request?.prompt !== `job 1 call ${call}.`) return;
      sleeper.signal("SIGSTOP");
      isAsleep = true;
    });
    await eventually(() => isAsleep, "the call at which it sleeps");
    const other = await night.supervise().ended;
    expect(other).toMatchObject({ code: 0, signal: null });
    const before = { job: await night.job("1"), answer: await night.answer("1"), charges: night.invoice().length };

    sleeper.signal("SIGCONT");
    expect(await sleeper.ended).toMatchObject({ code: 0, signal: null });
    expect({ job: await night.job("1"), answer: await night.answer("1"), charges: night.invoice().length }).toEqual(before);
    expect(before).toMatchObject({ job: { state: "done", attempts: 2 }, answer: { id: "1", calls: 25, attempt: 2 }, charges: 28 });
    expect((await night.attempts("1")).map(({ end, slot, reason }) => [end, slot, reason])).toEqual([
      ["returned", "0.1", "its lease ended"],
      ["done", "1.1", ""],
    ]);
    const rows = await night.rows();
    const late = rows
      .filter((row) => row.late)
      .map(({ key, state, owner }) => ({ key, state, attempt: owner.kind === "job" && owner.attempt }));
    expect(late).toEqual([{ key: { key: keyOf("1"), seq: call, try: 1 }, state: "done", attempt: 1 }]);
    expect(await complaintsOf(night)).toEqual([]);
    const { rows: twice } = await night.withStore(({ ledger }) => ledger.duplicates({ batch }));
    expect(twice).toEqual([{ key: keyOf("1"), seq: call, charges: 2 }]);
  },
);

test("two supervisors share a batch: each job is done once, and nothing is paid twice", async () => {
  const jobs = Array.from({ length: 8 }, (_, index) => ({ id: `${index + 1}`, calls: 3 }));
  const night = await makeBatchNight({ jobs });
  const ends = await Promise.all([night.supervise().ended, night.supervise().ended]);
  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  expect(night.invoice()).toHaveLength(24);
  expect(await complaintsOf(night)).toEqual([]);
  const attempts = await Promise.all(jobs.map(({ id }) => night.attempts(id)));
  expect(attempts.map((list) => list.map(({ end }) => end))).toEqual(jobs.map(() => ["done"]));
});
