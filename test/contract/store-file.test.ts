/** The state file among other files and users: who may read it, and what happens when folder, file or disk change under an open store (F06, F07). */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, onTestFinished, type TestContext, test } from "vitest";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { runId } from "../../src/core/ids.ts";
import type { Store } from "../../src/ports/store.ts";
import { type Child, startChild } from "./store-child.ts";
import { closing, draft, log, newRun, newWindow, startRun } from "./store-samples.ts";

const root = mkdtempSync(join(tmpdir(), "midwatch-store-"));
chmodSync(root, 0o755);
afterAll(() => rmSync(root, { recursive: true, force: true }));
const newFolder = () => join(mkdtempSync(join(root, "s-")), "state");
const run = runId("run-1");

async function open(folder: string): Promise<Store> {
  const store = await openStore({ folder });
  onTestFinished(() => store.close());
  return store;
}

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("folder and files are for this user alone, whatever the umask", async () => {
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  const folder = newFolder();
  const store = await open(folder);
  await startRun(store);
  expect(mode(folder)).toBe("700");
  expect(Object.fromEntries(readdirSync(folder).map((name) => [name, mode(join(folder, name))]))).toEqual({
    "midwatch.db": "600",
    "midwatch.db-shm": "600",
    "midwatch.db-wal": "600",
    "midwatch.db.witness": "600",
    reserve: "600",
  });
  expect(process.umask(0)).toBe(0);
});

test("a file that others could read is closed to them", async () => {
  const folder = newFolder();
  await (await openStore({ folder })).close();
  chmodSync(join(folder, "midwatch.db"), 0o644);
  await open(folder);
  expect([mode(join(folder, "midwatch.db")), mode(join(folder, "midwatch.db-wal"))]).toEqual(["600", "600"]);
});

test("a linked folder is the same store", async () => {
  const folder = newFolder();
  await startRun(await open(folder));
  symlinkSync(folder, `${folder}-link`);
  expect(await (await open(`${folder}-link`)).run(run)).not.toBeNull();
});

const gone = { kind: "environment", code: "E_STORE_UNREADABLE" };
test.each<[string, (folder: string) => void]>([
  ["its folder is removed", (folder) => rmSync(folder, { recursive: true })],
  ["its folder is moved away", (folder) => renameSync(folder, `${folder}-old`)],
  ["its file is removed", (folder) => rmSync(join(folder, "midwatch.db"))],
  ["its -wal file is removed", (folder) => rmSync(join(folder, "midwatch.db-wal"))],
  [
    "its file is replaced",
    (folder) => {
      writeFileSync(join(folder, "new"), "x");
      renameSync(join(folder, "new"), join(folder, "midwatch.db"));
    },
  ],
])("an open store refuses to write after %s", async (_what, change) => {
  const folder = newFolder();
  const store = await open(folder);
  await startRun(store);
  const before = await log(store);
  change(folder);
  for (const write of [
    () => store.appendEvents(run, [{ kind: "agent.acted", data: {} }], 2000),
    () => store.endRun(run, { reason: "stopped", detail: "" }, 2000),
  ]) {
    await expect(write()).rejects.toMatchObject({ ...gone, message: expect.stringContaining(join(folder, "midwatch.db")) });
  }
  expect(await log(store)).toEqual(before);
});

test("an open store does not write into tables that a newer program has changed (F40)", async () => {
  const folder = newFolder();
  const store = await open(folder);
  await startRun(store);
  const newer = new DatabaseSync(join(folder, "midwatch.db"));
  newer.exec("PRAGMA user_version = 99");
  newer.close();
  await expect(store.setRequest(run, "pause", 2000)).rejects.toMatchObject({ code: "E_STORE_NEWER" });
  expect(await store.request(run)).toBe("none");
});

const nobody = 65534;
const asNobody = [
  `--reuid=${nobody}`,
  `--regid=${nobody}`,
  "--clear-groups",
  process.execPath,
  "-e",
  "fs.readdirSync(process.argv[1])",
  import.meta.dirname,
];
const isRoot = process.getuid?.() === 0;
const cannotBeNobody = isRoot && spawnSync("setpriv", asNobody).status !== 0;

/** A store with a run, of a user who is not root. */
async function makeUsersFolder(context: TestContext): Promise<string> {
  context.skip(cannotBeNobody, "root may write everywhere, and no other user can run the sources here");
  const folder = newFolder();
  const store = await openStore({ folder });
  await startRun(store);
  await store.close();
  chmodSync(join(folder, ".."), 0o755);
  if (isRoot) for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) chownSync(path, nobody, nobody);
  return folder;
}

function startProbe(folder: string): Child {
  const child = startChild("store-probe.ts", [folder], isRoot ? { user: nobody } : {});
  onTestFinished(async () => {
    for (const path of [join(folder, ".."), folder]) if (existsSync(path)) chmodSync(path, 0o755);
    await child.end();
  });
  return child;
}

test.for<[string, string, (folder: string) => void]>([
  ["a folder that may only be read", "E_STORE_READ_ONLY", (folder) => chmodSync(folder, 0o500)],
  ["a file that may only be read", "E_STORE_READ_ONLY", (folder) => chmodSync(join(folder, "midwatch.db"), 0o400)],
  ["a file that may not be read (B089)", "E_STORE_UNREADABLE", (folder) => chmodSync(join(folder, "midwatch.db"), 0o200)],
  ["a folder that may not be entered", "E_STORE_UNREADABLE", (folder) => chmodSync(folder, 0o600)],
  [
    "no folder where none may be made",
    "E_STORE_UNREADABLE",
    (folder) => {
      rmSync(folder, { recursive: true });
      chmodSync(join(folder, ".."), 0o555);
    },
  ],
])("%s is refused as %s within 2 s", async ([, code, change], context) => {
  const folder = await makeUsersFolder(context);
  change(folder);
  const startedAt = performance.now();
  const answer = await startProbe(folder).hear();
  expect(answer).toMatchObject({
    kind: "environment",
    code,
    message: expect.stringContaining(join(folder, "midwatch.db")),
    hint: expect.stringMatching(/./),
  });
  expect(performance.now() - startedAt).toBeLessThan(2000);
});

test("a folder that becomes read-only under an open store is told at the next write", async (context) => {
  const folder = await makeUsersFolder(context);
  const child = startProbe(folder);
  expect([await child.hear(), await child.ask("events run-1 1")]).toEqual(["open", "done"]);
  chmodSync(folder, 0o500);
  expect(await child.ask("events run-1 1")).toMatchObject({ code: "E_STORE_READ_ONLY" });
  chmodSync(folder, 0o700);
  expect(await child.ask("events run-1 1")).toBe("done");
});

/** A file system of its own, with so many KiB; skips where none can be mounted. */
function mountFolder(context: TestContext, kib: number): string {
  const folder = newFolder();
  mkdirSync(folder);
  const mounted = isRoot && spawnSync("mount", ["-t", "tmpfs", "-o", `size=${kib}k`, "midwatch-test", folder]).status === 0;
  context.skip(!mounted, "a full disk needs a file system that this user may mount");
  onTestFinished(() => void execFileSync("umount", ["-l", folder]));
  return folder;
}

test("a read-only file system is refused at the start", async (context) => {
  const folder = mountFolder(context, 4096);
  await (await openStore({ folder })).close();
  execFileSync("mount", ["-o", "remount,ro", folder]);
  await expect(openStore({ folder })).rejects.toMatchObject({ code: "E_STORE_READ_ONLY", message: expect.stringContaining(folder) });
});

/** Takes all that is left of the disk. */
function fill(folder: string): void {
  for (const size of [65536, 4096]) {
    try {
      for (;;) writeFileSync(join(folder, "filler"), Buffer.alloc(size), { flag: "a" });
    } catch (error) {
      expect(error).toMatchObject({ code: "ENOSPC" });
    }
  }
}

test("on a full disk the last words are written, nothing else is, and all goes on when there is room (F06, B095)", async (context) => {
  const folder = mountFolder(context, 4096);
  const store = await openStore({ folder });
  onTestFinished(() => store.close());
  await startRun(store);
  await store.openWindow(newWindow(), 2000);
  fill(folder);
  const chatter = () => store.appendEvents(run, [{ kind: "agent.acted", data: { text: "x".repeat(200_000) } }], 2100);
  await expect(chatter()).rejects.toMatchObject({
    kind: "environment",
    code: "E_DISK_FULL",
    hint: expect.stringContaining("midwatch resume"),
  });
  expect(existsSync(join(folder, "reserve"))).toBe(true);
  await store.endWindow(closing({ planText: "y".repeat(200_000) }), 3000);
  expect(existsSync(join(folder, "reserve"))).toBe(false);
  await expect(store.openWindow(newWindow("window-2"), 3100)).rejects.toMatchObject({ code: "E_DISK_FULL" });
  await store.ask(run, null, draft(), 3200);
  rmSync(join(folder, "filler"));
  await chatter();
  expect(existsSync(join(folder, "reserve"))).toBe(true);
  await store.endRun(run, { reason: "stopped", detail: "" }, 4000);
  expect(await store.run(run)).toMatchObject({ phase: "ended" });
  expect((await log(store)).slice(4)).toEqual([
    "window.opened",
    "task.started T1",
    "window.ended",
    "task.released T1",
    "run.decided",
    "question.asked",
    "agent.acted",
    "run.ended",
  ]);
});

test("a store is opened and read on a full disk, with what the reserve held", async (context) => {
  const folder = mountFolder(context, 4096);
  const store = await openStore({ folder });
  await store.createRun(newRun(), 1000);
  await store.close();
  fill(folder);
  const again = await openStore({ folder });
  onTestFinished(() => again.close());
  expect(await again.run(run)).toMatchObject({ phase: "running" });
});

test("a disk without room for a store says so", async (context) => {
  const folder = mountFolder(context, 64);
  await expect(openStore({ folder })).rejects.toMatchObject({
    code: "E_DISK_FULL",
    message: expect.stringContaining(join(folder, "midwatch.db")),
  });
});
