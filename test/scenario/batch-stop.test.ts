/** The kill switch of a batch, from wherever it is pulled: jobs end within the grace or are given back, nothing is lost, and the next start goes on. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type BatchNight, batch, complaintsOf, makeBatchNight } from "./night-batch.ts";
import { eventually, type Finished, type Running } from "./program.ts";

const hanging = [
  { id: "1", calls: 1, end: "hang" },
  { id: "2", calls: 1, end: "hang" },
  { id: "3", calls: 1, end: "hang" },
] as const;
const stopFile = (night: BatchNight) => join(night.state, `batches/${batch}/stop`);

async function atWork(night: BatchNight) {
  const supervisor = night.supervise();
  await eventually(() => night.invoice().length >= 2, "two jobs at work");
  return supervisor;
}

/** Two signals in one moment are one to the system. */
async function insist(supervisor: Running): Promise<void> {
  let isOver = false;
  const over = supervisor.ended.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    supervisor.signal("SIGTERM");
    await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 200))]);
  }
}

/** A signal that meets it when all is written, on its way out, ends it as the system does. */
function expectStopped({ code, signal }: Finished): void {
  expect([130, "SIGTERM"]).toContain(code ?? signal);
}

/** Given back: no attempt is lost, and nothing is claimed any more. */
async function expectGivenBack(night: BatchNight): Promise<void> {
  expect((await night.jobs()).map(({ state, attempts }) => [state, attempts])).toEqual(hanging.map(() => ["pending", 0]));
  expect((await night.attempts("1")).map(({ end, reason }) => [end, reason])).toEqual([["released", "it was stopped"]]);
}

test("stop --now from another terminal ends the jobs and gives them back", async () => {
  const night = await makeBatchNight({ jobs: hanging });
  const supervisor = await atWork(night);
  expect(await night.run(["batch", "stop", batch, "--now"])).toMatchObject({ code: 0 });
  expect(await supervisor.ended).toMatchObject({ code: 130, signal: null });
  await expectGivenBack(night);
});

test("a file named stop does the same, and holds until it is removed", async () => {
  const night = await makeBatchNight({ jobs: [{ id: "0", calls: 1 }, ...hanging] });
  const supervisor = await atWork(night);
  writeFileSync(stopFile(night), "");
  const end = await supervisor.ended;
  expect(end).toMatchObject({ code: 130, signal: null });
  expect(end.stdout).toContain("the file ");
  const paid = night.invoice().length;
  expect(await night.supervise().ended).toMatchObject({ code: 130 });
  expect(night.invoice()).toHaveLength(paid);
  rmSync(stopFile(night));
  const again = night.supervise({ slots: 4 });
  await eventually(() => night.invoice().length > paid, "work");
  await insist(again);
  expectStopped(await again.ended);
});

test("SIGTERM once lets jobs end within the grace, and begins no other", async () => {
  const jobs = ["1", "2", "3", "4"].map((id) => ({ id, calls: 4 }));
  const night = await makeBatchNight({ jobs, firstByteMs: 100, settings: { graceMs: 15_000 } });
  const supervisor = await atWork(night);
  supervisor.signal("SIGTERM");
  expect(await supervisor.ended).toMatchObject({ code: 130, signal: null });
  expect((await night.jobs()).map(({ state }) => state)).toEqual(["done", "done", "pending", "pending"]);
  expect(await night.supervise().ended).toMatchObject({ code: 0 });
  expect(night.invoice()).toHaveLength(16);
  expect(await complaintsOf(night)).toEqual([]);
});

test.each([
  ["SIGTERM once ends what has not ended when the grace is over", { graceMs: 300 }, async (one: Running) => one.signal("SIGTERM")],
  ["SIGTERM again ends the jobs now", { graceMs: 60_000 }, insist],
])("%s", async (_title, settings, stop) => {
  const night = await makeBatchNight({ jobs: hanging, settings });
  const supervisor = await atWork(night);
  await stop(supervisor);
  expectStopped(await supervisor.ended);
  await expectGivenBack(night);
});

test("pause lets what runs end, however long that takes, and begins no other", async () => {
  const night = await makeBatchNight({
    jobs: ["1", "2", "3"].map((id) => ({ id, calls: 8 })),
    firstByteMs: 100,
    settings: { graceMs: 100 },
  });
  const supervisor = await atWork(night);
  expect(await night.run(["batch", "pause", batch])).toMatchObject({ code: 0 });
  expect(await supervisor.ended).toMatchObject({ code: 130, signal: null });
  expect((await night.jobs()).map(({ state }) => state)).toEqual(["done", "done", "pending"]);
  expect(await night.supervise().ended).toMatchObject({ code: 0 });
  expect(await complaintsOf(night)).toEqual([]);
});
