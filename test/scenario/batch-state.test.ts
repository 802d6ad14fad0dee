/** F07 and F09 for a batch: a state folder that cannot be written, or is damaged. Nothing is paid without a row, and what stands in the way is named. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, type TestContext, test } from "vitest";
import { type BatchNight, complaintsOf, makeBatchNight } from "./night-batch.ts";
import { eventually } from "./program.ts";

const jobs = ["1", "2"].map((id) => ({ id, calls: 12 }));

/** The state lies on a file system of its own; skips where none can be mounted. */
async function makeMountedNight(context: TestContext) {
  const night = await makeBatchNight({
    jobs,
    firstByteMs: 50,
    settings: { attempts: 1 },
    prepare({ folder }) {
      const state = join(folder, "state");
      mkdirSync(state, { recursive: true });
      const mounted =
        process.getuid?.() === 0 && spawnSync("mount", ["-t", "tmpfs", "-o", "size=32m", "midwatch-test", state]).status === 0;
      context.skip(!mounted, "a read-only folder needs a file system that this user may mount");
      onTestFinished(() => void execFileSync("umount", ["-l", state]));
    },
  });
  return { ...night, remount: (how: string) => void execFileSync("mount", ["-o", `remount,${how}`, join(night.folder, "state")]) };
}

test("a read-only state folder is refused before anything is paid", async (context) => {
  const night = await makeMountedNight(context);
  night.remount("ro");
  const end = await night.supervise().ended;
  expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining(night.state) });
  expect(night.invoice()).toEqual([]);
});

/** Takes all that is left of the disk. */
function fill(path: string): void {
  try {
    for (;;) writeFileSync(path, Buffer.alloc(65_536), { flag: "a" });
  } catch (error) {
    expect(error).toMatchObject({ code: "ENOSPC" });
  }
}

/** Ends by itself, or is stopped where it waits for better times; then it is put right and started again. */
async function expectSafe(night: BatchNight, harm: () => void, mend: () => void): Promise<void> {
  const supervisor = night.supervise();
  await eventually(() => night.invoice().length >= 6, "work");
  harm();
  const given = supervisor.event("attempt", (event) => "end" in event && event.end === "released").catch(() => null);
  await Promise.race([given, supervisor.ended]);
  supervisor.signal("SIGTERM");
  const end = await supervisor.ended;
  mend();
  expect([1, 130, "SIGTERM"], end.stderr).toContain(end.code ?? end.signal);
  if (end.code === 1) expect(end.stderr).toMatch(/^midwatch: .*midwatch\.db/m);
  const hashes = new Set((await night.rows()).map(({ request }) => request.hash));
  expect(night.invoice().filter((charge) => !hashes.has(charge.body_sha256))).toEqual([]);
  expect((await night.jobs()).filter(({ state }) => state === "failed")).toEqual([]);
  expect(await night.supervise().ended).toMatchObject({ code: 0 });
  expect(await complaintsOf(night)).toEqual([]);
}

test("a disk that fills up in the midst ends the batch, nothing is paid without a row, and it goes on when there is room", async (context) => {
  const night = await makeMountedNight(context);
  const filler = join(night.folder, "state/filler");
  await expectSafe(
    night,
    () => fill(filler),
    () => rmSync(filler),
  );
});

test("a state folder that is taken away in the midst ends the batch, nothing is paid without a row, and it goes on when it is back", async () => {
  const night = await makeBatchNight({ jobs, firstByteMs: 50 });
  const away = join(night.folder, "away");
  await expectSafe(
    night,
    () => renameSync(night.state, away),
    () => {
      rmSync(night.state, { recursive: true, force: true });
      renameSync(away, night.state);
    },
  );
});

test.each<[string, (db: string) => void]>([
  ["cut to half", (db) => truncateSync(db, Math.floor(readFileSync(db).length / 2))],
  ["empty", (db) => truncateSync(db, 0)],
  ["zeroed at its beginning", (db) => writeFileSync(db, Buffer.alloc(8192), { flag: "r+" })],
  [
    "a folder",
    (db) => {
      rmSync(db);
      mkdirSync(db);
    },
  ],
  ["gone", (db) => rmSync(db)],
])("a state file that is %s is named, and nothing is paid", async (_title, damage) => {
  const night = await makeBatchNight({ jobs });
  damage(join(night.state, "midwatch.db"));
  const end = await night.supervise().ended;
  expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining(join(night.state, "midwatch.db")) });
  expect(end.durationMs).toBeLessThan(5000);
  expect(night.invoice()).toEqual([]);
});
