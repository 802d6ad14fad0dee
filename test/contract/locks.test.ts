/** The lock of a working tree: one holder at a time, freed by its release or its death, and by nothing else (F10, F11, V7). */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createTreeLocks } from "../../src/adapters/locks/tree-lock.ts";
import { type Child, startChild } from "./store-child.ts";

const root = mkdtempSync(join(tmpdir(), "midwatch-locks-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function newPlace(): { readonly folder: string; readonly tree: string } {
  const place = mkdtempSync(join(root, "p-"));
  mkdirSync(join(place, "tree"));
  return { folder: join(place, "state"), tree: join(place, "tree") };
}

async function startProbe(folder: string): Promise<Child> {
  const child = startChild("locks-probe.ts", [folder]);
  onTestFinished(() => child.end());
  await child.hear();
  return child;
}

async function acquire(folder: string, tree: string): Promise<() => void> {
  const lock = await createTreeLocks(folder).acquire(tree);
  if (lock.kind !== "held") throw new Error("the tree is busy");
  onTestFinished(() => lock.release());
  return () => lock.release();
}

test("of two processes that start at the same moment one has the tree, 50 times of 50", async () => {
  const { folder, tree } = newPlace();
  const probes = [await startProbe(folder), await startProbe(folder)];
  for (let round = 0; round < 50; round += 1) {
    const answers = await Promise.all(probes.map((probe) => probe.ask(`acquire ${tree}`)));
    expect(answers.sort()).toEqual(["busy", "held"]);
    await Promise.all(probes.map((probe) => probe.ask("release")));
  }
});

test("a holder that is killed frees its tree at once, and leaves nothing to clean", async () => {
  const { folder, tree } = newPlace();
  for (let round = 0; round < 5; round += 1) {
    const probe = await startProbe(folder);
    expect(await probe.ask(`acquire ${tree}`)).toBe("held");
    await probe.kill();
    const startedAt = performance.now();
    (await acquire(folder, tree))();
    expect(performance.now() - startedAt).toBeLessThan(1000);
  }
  expect(readdirSync(join(folder, "locks"))).toHaveLength(1);
});

test("while one process holds a tree, another has any other", async () => {
  const { folder, tree } = newPlace();
  const probe = await startProbe(folder);
  await acquire(folder, tree);
  mkdirSync(`${tree}-2`);
  expect([await probe.ask(`acquire ${tree}`), await probe.ask(`acquire ${tree}-2`)]).toEqual(["busy", "held"]);
});

test("a tree by a link or by another spelling is the same tree", async () => {
  const { folder, tree } = newPlace();
  const probe = await startProbe(folder);
  symlinkSync(tree, `${tree}-link`);
  await acquire(folder, `${tree}-link`);
  expect([await probe.ask(`acquire ${tree}`), await probe.ask(`acquire ${tree}/../tree/.`)]).toEqual(["busy", "busy"]);
});

test("a second try in the holder's own process is busy and takes nothing away", async () => {
  const { folder, tree } = newPlace();
  const probe = await startProbe(folder);
  const release = await acquire(folder, tree);
  expect(await createTreeLocks(folder).acquire(tree)).toEqual({ kind: "busy" });
  expect(await probe.ask(`acquire ${tree}`)).toBe("busy");
  release();
  expect(await probe.ask(`acquire ${tree}`)).toBe("held");
});

test("a release that is said twice does not free the next holder's tree", async () => {
  const { folder, tree } = newPlace();
  const probe = await startProbe(folder);
  const first = await acquire(folder, tree);
  first();
  const second = await acquire(folder, tree);
  first();
  expect(await probe.ask(`acquire ${tree}`)).toBe("busy");
  second();
  expect(await probe.ask(`acquire ${tree}`)).toBe("held");
});

test("lock files are for this user alone", async () => {
  const { folder, tree } = newPlace();
  await acquire(folder, tree);
  const locks = join(folder, "locks");
  const modes = [locks, ...readdirSync(locks).map((name) => join(locks, name))].map((path) => (statSync(path).mode & 0o777).toString(8));
  expect(modes).toEqual(["700", "600"]);
});

test.each<[string, string, (file: string) => void]>([
  ["a lock file of another kind", "E_LOCK_CORRUPT", (file) => writeFileSync(file, `pid 1 ${"x".repeat(2000)}`)],
  ["a folder in its place", "E_LOCK_UNUSABLE", (file) => mkdirSync(file)],
])("%s is told by name", async (_what, code, damage) => {
  const { folder, tree } = newPlace();
  (await acquire(folder, tree))();
  const [name = ""] = readdirSync(join(folder, "locks"));
  const file = join(folder, "locks", name);
  rmSync(file);
  damage(file);
  await expect(createTreeLocks(folder).acquire(tree)).rejects.toMatchObject({
    kind: "environment",
    code,
    message: expect.stringContaining(file),
    hint: expect.stringMatching(/./),
  });
});

test("a tree that is not there is told by name", async () => {
  const { folder, tree } = newPlace();
  await expect(createTreeLocks(folder).acquire(`${tree}-gone`)).rejects.toMatchObject({
    code: "E_LOCK_UNUSABLE",
    message: expect.stringContaining(`${tree}-gone`),
  });
});
