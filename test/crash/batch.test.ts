/**
 * F02 for a batch: killed at each named point of its supervisor once, and once more while the death is cleared up, it goes on by the same command and ends as if
 * nothing had been: what is on the invoice and not in the books is among the unknown rows, and never more than was in flight.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type BatchNight, complaintsOf, makeBatchNight } from "../scenario/night-batch.ts";
import { batchPoints } from "./points.ts";

vi.setConfig({ testTimeout: 120_000 });

const slots = 2;
const jobs = ["1", "2", "3"].map((id) => ({ id, calls: 3 }));
const makeNight = () => makeBatchNight({ jobs, settings: { slots } });

/** @returns how it ended */
async function play(night: BatchNight, fault: string | null) {
  const log = { MIDWATCH_FAULT_LOG: join(night.folder, "points.log") };
  return night.supervise({ faults: true, env: fault === null ? log : { ...log, MIDWATCH_FAULT: fault } }).ended;
}

function points(night: BatchNight): readonly string[] {
  const path = join(night.folder, "points.log");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}

async function expectSound(night: BatchNight, deaths: number): Promise<void> {
  expect(await play(night, null)).toMatchObject({ code: 0, signal: null });
  expect(await complaintsOf(night)).toEqual([]);
  const calls = jobs.length * 3;
  expect(night.invoice().length).toBeGreaterThanOrEqual(calls);
  expect(night.invoice().length).toBeLessThanOrEqual(calls + deaths * slots);
}

test("a night of a batch passes every point that is named for it, but those of a pause", async () => {
  const night = await makeNight();
  expect((await play(night, "kill:attempt.finished")).signal).toBe("SIGKILL");
  await expectSound(night, 1);
  const passed = new Set(points(night));
  expect(batchPoints.filter((point) => !passed.has(point))).toEqual([]);
});

test.for([...batchPoints, "call.opened", "call.answered", "call.closed"])(
  "killed at %s it has lost nothing and paid nothing twice",
  async (point) => {
    const night = await makeNight();
    expect((await play(night, `kill:${point}`)).signal).toBe("SIGKILL");
    await expectSound(night, 1);
  },
);

test.for(batchPoints.filter((point) => /^seat|returnSeat|giveUp/.test(point)))(
  "killed again at %s, while the first death is cleared up",
  async (point) => {
    const night = await makeNight();
    expect((await play(night, "kill:call.answered:4")).signal).toBe("SIGKILL");
    expect((await play(night, `kill:${point}`)).signal).toBe("SIGKILL");
    await expectSound(night, 2);
  },
);
