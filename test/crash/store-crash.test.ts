/** Killed at each of its fault points, the store has what was done before the step or after it, and nothing between (F02). */
import { expect, test } from "vitest";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { night, readNight } from "../contract/store-night.ts";
import { buildStoreProgram, logPoints, readAfterEach } from "./store-program.ts";

const play = buildStoreProgram('import "../contract/store-night-program.ts";');

async function readFolder(folder: string): Promise<string> {
  const store = await openStore({ folder });
  const told = await readNight(store);
  await store.close();
  return told;
}

const expected = await readAfterEach(night, readNight);
const { whole, points } = await logPoints(play);

test("the night alone ends as it does in memory", async () => {
  expect(await readFolder(whole)).toBe(expected.at(-1));
});

test("every write has a point before its commit and one after it", () => {
  const steps = points.slice(2).map((point) => /^store\.(\w+)\.(before|after)-commit$/.exec(point));
  const pairs = Array.from({ length: night.length }, (_, n) => [
    steps[2 * n]?.[1] === steps[2 * n + 1]?.[1],
    steps[2 * n]?.[2],
    steps[2 * n + 1]?.[2],
  ]);
  expect(points.slice(0, 2)).toEqual(["store.migrating", "store.migrated"]);
  expect(pairs).toEqual(night.map(() => [true, "before", "after"]));
  const writes = [
    "createRun",
    "syncTasks",
    "setPlanText",
    "setSettings",
    "setDecision",
    "openWindow",
    "startWindow",
    "appendEvents",
    "recordClaim",
    "endWindow",
    "ask",
    "setPhase",
    "answer",
    "changeTasks",
    "setRequest",
    "setSupervisor",
    "putOnBoard",
    "joinTeam",
    "setActivity",
    "tellMember",
    "claimTask",
    "renewTasks",
    "releaseTasks",
    "moveOnBoard",
    "endRun",
    "prune",
  ];
  expect(new Set(steps.map((step) => step?.[1]))).toEqual(new Set(writes));
});

test.each(points.map((point, index): [string, number, number] => [point, index + 1, Math.floor((index + 1 - 2) / 2)]))(
  "killed at %s (number %i), the store tells of %i steps",
  async (_point, number, done) => {
    expect(await readFolder(await play({ MIDWATCH_FAULT: `kill-nth:${number}` }))).toBe(expected[Math.max(0, done)]);
  },
);
