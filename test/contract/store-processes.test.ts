/** Several processes on one state file. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { runId } from "../../src/core/ids.ts";
import { type Child, startChild } from "./store-child.ts";
import { newRun } from "./store-samples.ts";

const root = mkdtempSync(join(tmpdir(), "midwatch-store-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const newFolder = () => join(mkdtempSync(join(root, "s-")), "state");

function startProbes(folder: string, count: number): readonly Child[] {
  const probes = Array.from({ length: count }, () => startChild("store-probe.ts", [folder]));
  onTestFinished(() => Promise.all(probes.map((probe) => probe.end())).then(() => undefined));
  return probes;
}

const each = (probes: readonly Child[], line: (n: number) => string) => Promise.all(probes.map((probe, n) => probe.ask(line(n))));

test("four processes that start on an absent folder make one store", async () => {
  const folder = newFolder();
  const probes = startProbes(folder, 4);
  expect(await Promise.all(probes.map((probe) => probe.hear()))).toEqual(["open", "open", "open", "open"]);
  expect(await each(probes, (n) => `run r${n}`)).toEqual(["r0", "r1", "r2", "r3"]);
  const store = await openStore({ folder });
  onTestFinished(() => store.close());
  expect((await store.runs({ limit: 9 })).map(({ id }) => id).sort()).toEqual(["r0", "r1", "r2", "r3"]);
});

test("two writers with 200 writes each meet no error (B091)", async () => {
  const folder = newFolder();
  const probes = startProbes(folder, 2);
  await Promise.all(probes.map((probe) => probe.hear()));
  await each(probes, (n) => `run r${n}`);
  expect(await each(probes, (n) => `events r${n} 200`)).toEqual(["done", "done"]);
  const store = await openStore({ folder });
  onTestFinished(() => store.close());
  const events = [...(await store.eventsAfter(runId("r0"), 0, 999)), ...(await store.eventsAfter(runId("r1"), 0, 999))];
  expect(events.map(({ id }) => id).sort((a, b) => a - b)).toEqual(Array.from({ length: 402 }, (_, n) => n + 1));
});

test("two processes that ask at the same time draw no number twice (B114)", async () => {
  const probes = startProbes(newFolder(), 2);
  await Promise.all(probes.map((probe) => probe.hear()));
  await each(probes, (n) => `run r${n}`);
  const ids = (await each(probes, (n) => `ask r${n} 40`)).flat() as string[];
  expect(new Set(ids)).toEqual(new Set(Array.from({ length: 80 }, (_, n) => `Q${n + 1}`)));
});

test("a killed process loses nothing that was answered, and holds nobody up", async () => {
  const folder = newFolder();
  const [probe] = startProbes(folder, 1);
  await probe?.hear();
  expect(await probe?.ask("run r0")).toBe("r0");
  expect(await probe?.ask("events r0 50")).toBe("done");
  await probe?.kill();
  const store = await openStore({ folder, busyMs: 500 });
  onTestFinished(() => store.close());
  expect(await store.eventsAfter(runId("r0"), 0, 999)).toHaveLength(51);
  await store.setRequest(runId("r0"), "pause", 2000);
});

test("a write waits for another process, and no longer than its bound", async () => {
  const folder = newFolder();
  const store = await openStore({ folder, busyMs: 60 });
  onTestFinished(() => store.close());
  const other = new DatabaseSync(join(folder, "midwatch.db"));
  onTestFinished(() => other.close());
  other.exec("BEGIN IMMEDIATE");
  const startedAt = performance.now();
  await expect(store.createRun(newRun(), 1000)).rejects.toMatchObject({
    kind: "busy",
    code: "E_STORE_BUSY",
    message: expect.stringContaining(join(folder, "midwatch.db")),
  });
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(60);
  expect(await store.run(runId("run-1"))).toBeNull();
  other.exec("ROLLBACK");
  await store.createRun(newRun(), 1000);
});

test("two stores of one process share the file", async () => {
  const folder = newFolder();
  const [one, two] = [await openStore({ folder }), await openStore({ folder })];
  onTestFinished(() => two.close());
  await one.createRun(newRun(), 1000);
  await one.close();
  await two.setRequest(runId("run-1"), "pause", 2000);
  expect(await two.request(runId("run-1"))).toBe("pause");
});
