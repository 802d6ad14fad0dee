/** Killed at each of its fault points, the store has what was done before the step or after it, and nothing between (F02). */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store/memory/open.ts";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { startChild } from "../contract/store-child.ts";
import { night, readNight } from "../contract/store-night.ts";

const root = mkdtempSync(join(tmpdir(), "midwatch-store-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const program = join(root, "night.mjs");
const migrations = join(import.meta.dirname, "../../src/adapters/store/sqlite/migrations");
const sql = Object.fromEntries(
  readdirSync(migrations).map((name) => [`adapters/store/sqlite/migrations/${name}`, readFileSync(join(migrations, name), "utf8")]),
);
// One file, as it is published but for the fault points: it starts in a fraction of the time, and has its migrations within.
buildSync({
  entryPoints: [join(import.meta.dirname, "../contract/store-night-program.ts")],
  outfile: program,
  bundle: true,
  format: "esm",
  platform: "node",
  define: { MIDWATCH_FAULTS: "true", MIDWATCH_SQL: JSON.stringify(sql) },
});

async function play(env: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(root, "n-"));
  await startChild(program, [folder], { env }).end();
  return folder;
}

async function readFolder(folder: string): Promise<string> {
  const store = await openStore({ folder });
  const told = await readNight(store);
  await store.close();
  return told;
}

/** What a store tells after no step, after the first, and so on. */
async function readAfterEach(): Promise<readonly string[]> {
  const store = openMemoryStore();
  const told = [await readNight(store)];
  for (const step of night) {
    await step(store);
    told.push(await readNight(store));
  }
  await store.close();
  return told;
}

const expected = await readAfterEach();
const log = join(root, "points.log");
const whole = await play({ MIDWATCH_FAULT_LOG: log });
const points = readFileSync(log, "utf8").trim().split("\n");

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
