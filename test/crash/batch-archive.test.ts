/** A batch that is killed on its way to the archive or back is whole on one side, and the next try ends what was begun. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";

const program = join(import.meta.dirname, "../../build/midwatch-faults.js");

function makePlace() {
  const folder = mkdtempSync(join(tmpdir(), "midwatch-archive-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "home"));
  // One small answer, one that lies in a file of its own, one job that failed.
  const jobs = [{ id: "small" }, { id: "large", text: "x".repeat(100_000) }, { id: "none" }];
  writeFileSync(join(folder, "jobs.jsonl"), jobs.map((job) => `${JSON.stringify(job)}\n`).join(""));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: join(folder, "home"),
    XDG_STATE_HOME: join(folder, "state"),
    XDG_CONFIG_HOME: folder,
  };
  const run = (fault: string | null, ...args: readonly string[]) =>
    spawnSync(process.execPath, [program, "batch", ...args], {
      ...{ cwd: folder, encoding: "utf8", timeout: 60_000 },
      env: fault === null ? env : { ...env, MIDWATCH_FAULT: fault },
    });
  const open = () => openStore({ folder: join(folder, "state/midwatch") });
  const archives = () => (existsSync(join(folder, "state/midwatch/archive")) ? readdirSync(join(folder, "state/midwatch/archive")) : []);
  return { run, open, archives, answers: () => readdirSync(join(folder, "state/midwatch/answers")) };
}

type Place = ReturnType<typeof makePlace>;

async function everything({ open }: Place) {
  const store = await open();
  const { batches, archive } = store;
  const jobs = await batches.jobs("b", { limit: 10 });
  const parts = jobs.map(async ({ id }) => [
    await batches.payload("b", id),
    await batches.attempts("b", id),
    await batches.answer("b", id),
    await archive.history("b", id),
  ]);
  const all = { batch: await batches.batch("b"), counts: await batches.counts("b"), jobs, parts: await Promise.all(parts) };
  await store.close();
  return all;
}

async function stateOf({ open }: Place) {
  const store = await open();
  const state = (await store.batches.batch("b"))?.state;
  await store.close();
  return state;
}

function makeEnded(): Place {
  const place = makePlace();
  const command = ["sh", "-c", 'test "$MIDWATCH_JOB" != none && cat'];
  expect(place.run(null, "add", "b", "--jobs", "jobs.jsonl", "--attempts", "1", "--", ...command)).toMatchObject({ status: 0 });
  expect(place.run(null, "run", "b")).toMatchObject({ status: 7 });
  return place;
}

test.each([
  ["archive.written", "closed"],
  ["archive.placed", "closed"],
  ["store.archiveBatch.before-commit", "closed"],
  ["store.archiveBatch.after-commit", "archived"],
])("killed at %s the batch is %s, and the next try archives it whole", async (point, state) => {
  const place = makeEnded();
  const before = await everything(place);
  expect(place.run(`kill:${point}`, "archive", "b").signal).toBe("SIGKILL");
  expect(await stateOf(place)).toBe(state);
  if (state === "closed") {
    expect(await everything(place)).toEqual(before);
    expect(place.run(null, "archive", "b")).toMatchObject({ status: 0 });
  }
  expect(place.archives()).toEqual(["b.db"]);
  expect(await stateOf(place)).toBe("archived");
  expect(place.answers()).toEqual([]);
  expect(place.run(null, "restore", "b")).toMatchObject({ status: 0 });
  expect(await everything(place)).toEqual(before);
});

test.each([
  ["store.restoreBatch.before-commit", "archived"],
  ["store.restoreBatch.after-commit", "closed"],
  ["archive.restored", "closed"],
])("killed at %s on its way back it is %s, and whole in the end", async (point, state) => {
  const place = makeEnded();
  const before = await everything(place);
  place.run(null, "archive", "b");
  expect(place.run(`kill:${point}`, "restore", "b").signal).toBe("SIGKILL");
  expect(await stateOf(place)).toBe(state);
  if (state === "archived") expect(place.run(null, "restore", "b")).toMatchObject({ status: 0 });
  expect(await everything(place)).toEqual(before);
  // A copy that was left behind does not stand in the way of the next archive.
  expect(place.run(null, "archive", "b")).toMatchObject({ status: 0 });
  expect(place.run(null, "restore", "b")).toMatchObject({ status: 0 });
  expect(await everything(place)).toEqual(before);
  expect(place.archives()).toEqual([]);
});
