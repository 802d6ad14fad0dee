/** Killed at each point of a write, the store has the jobs from before it or from after it: of a list all or none, and no file that nobody names. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { openMemoryStore } from "../../src/adapters/store/memory/open.ts";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { settings, version } from "../contract/batch-kit.ts";
import { readBatches, steps } from "../contract/batch-night.ts";
import { startChild } from "../contract/store-child.ts";
import { batchStorePoints } from "./points.ts";

const root = mkdtempSync(join(tmpdir(), "midwatch-batch-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const program = join(root, "batch.mjs");
const migrations = join(import.meta.dirname, "../../src/adapters/store/sqlite/migrations");
const sql = Object.fromEntries(
  readdirSync(migrations).map((name) => [`adapters/store/sqlite/migrations/${name}`, readFileSync(join(migrations, name), "utf8")]),
);
buildSync({
  entryPoints: [join(import.meta.dirname, "../contract/batch-night-program.ts")],
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

async function readAfterEach(): Promise<readonly string[]> {
  const store = openMemoryStore();
  const told = [await readBatches(store)];
  for (const step of steps) {
    await step(store);
    told.push(await readBatches(store));
  }
  await store.close();
  return told;
}

const log = join(root, "points");
await play({ MIDWATCH_FAULT_LOG: log });
const passed = readFileSync(log, "utf8").trim().split("\n");
const kills = passed.flatMap((point, index) =>
  batchStorePoints.includes(point) || point === "answer.written" ? [[point, index + 1] as const] : [],
);
const told = await readAfterEach();

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
