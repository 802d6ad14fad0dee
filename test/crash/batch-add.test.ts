/** A list that is killed on its way in is not there, not in part either; the same words again add it whole. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";

const program = join(import.meta.dirname, "../../build/midwatch-faults.js");
const jobs = 12_000; // more than the store takes in at once

function makePlace() {
  const folder = mkdtempSync(join(tmpdir(), "midwatch-add-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "jobs.jsonl"), Array.from({ length: jobs }, (_, index) => `{"id":${index + 1}}\n`).join(""));
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder };
  const add = (fault: string) =>
    spawnSync(process.execPath, [program, "batch", "add", "b", "--jobs", "jobs.jsonl", "--", "cat"], {
      ...{ cwd: folder, encoding: "utf8", timeout: 60_000, env: { ...env, MIDWATCH_FAULT: fault } },
    });
  return { folder, add };
}

async function jobsIn(folder: string): Promise<number | null> {
  const store = await openStore({ folder: join(folder, "midwatch") });
  try {
    if ((await store.batches.batch("b")) === null) return null;
    const { pending, running, done, failed } = await store.batches.counts("b");
    return pending + running + done + failed;
  } finally {
    await store.close();
  }
}

test.each([
  ["store.addJobs.before-commit:1", null],
  ["store.addJobs.after-commit:1", null],
  ["store.addJobs.before-commit:2", null],
  ["store.addJobs.after-commit:2", null],
  ["store.addJobs.before-commit:3", null],
  ["store.addJobs.after-commit:3", jobs],
])("killed at %s", async (point, there) => {
  const { folder, add } = makePlace();
  expect(add(`kill:${point}`).signal).toBe("SIGKILL");
  expect(await jobsIn(folder)).toBe(there);
  expect(add("")).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(there === null ? /: 12000 jobs\n/ : /: 12000 jobs, 12000 known\n/),
  });
  expect(await jobsIn(folder)).toBe(jobs);
});
