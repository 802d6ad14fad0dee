/** Killed at each point of a write, the store has the jobs from before it or from after it: of a list all or none, and no file that nobody names. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { settings, version } from "../contract/batch-kit.ts";
import { readBatches, steps } from "../contract/batch-night.ts";
import { batchStorePoints } from "./points.ts";
import { buildStoreProgram, logPoints, readAfterEach } from "./store-program.ts";

const play = buildStoreProgram('import "../contract/batch-night-program.ts";');
const { points: passed } = await logPoints(play);
const kills = passed.flatMap((point, index) =>
  batchStorePoints.includes(point) || point === "answer.written" ? [[point, index + 1] as const] : [],
);
const told = await readAfterEach(steps, readBatches);

test("every write of batches is among the points", () => {
  expect(batchStorePoints.filter((point) => !passed.includes(point))).toEqual([]);
});

test.each(kills)("killed at %s, the %i-th point", async (_point, index) => {
  const folder = await play({ MIDWATCH_FAULT: `kill-nth:${index}` });
  const store = await openStore({ folder });
  const found = await readBatches(store);
  expect(told).toContain(found);
  expect((await store.batches.jobs("2026-11", { limit: 7001 }).catch(() => [])).length).toBeOneOf([0, 5, 6000]);
  // Whoever goes on finds nothing in the way.
  await store.batches.addList({ name: "empty", version, settings }, [{ id: "x", payload: "1" }], 9000);
  expect(await store.batches.counts("empty")).toMatchObject({ pending: 1 });
  await store.close();
  const answers = readdirSync(folder).includes("answers") ? readdirSync(join(folder, "answers")).length : 0;
  expect(answers).toBe(found.includes("70000") ? 1 : 0);
});
