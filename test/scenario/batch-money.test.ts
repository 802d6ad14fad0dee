/** What a batch says of its money while it is run, and by which of the shared limits it goes. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type BatchNight, makePaidBatch } from "./batch-books-kit.ts";
import { callMicroUsd, makeBatchNight } from "./night-batch.ts";

function setLimits({ folder }: BatchNight, limits: Readonly<Record<string, number>>): void {
  const path = join(folder, "config/midwatch/config.jsonc");
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), limits }));
}

test("with each attempt and at its end it says what was spent, what is held, and the cap", async () => {
  const night = await makePaidBatch(["1", "3"]);
  const { code, stdout, stderr } = await night.batch("run", "night", "--slots", "1");
  expect(code).toBe(0);
  expect(stderr).toMatch(/slot 0\.1 {2}1 {2}done {2}\$0\.0018 of \$150\.00\n/);
  expect(stderr).toMatch(/slot 0\.1 {2}3 {2}done {2}\$0\.0036 of \$150\.00\n/);
  expect(stdout).toMatch(/^closed: 2 jobs are done \(.*\)\n {2}money: \$0\.00 of \$150\.00 in 6 calls\n$/);
});

test("for programs the same stands in each line, and the sum in the last one", async () => {
  const night = await makeBatchNight({
    jobs: [
      { id: "1", calls: 1 },
      { id: "2", calls: 2 },
    ],
    settings: { slots: 2 },
    firstByteMs: 50,
  });
  const running = night.supervise();
  const first = await running.event("attempt");
  const end = await running.ended;
  const last = JSON.parse(end.stdout.trimEnd().split("\n").at(-1) ?? "");
  expect(first).toMatchObject({ money: { capMicroUsd: 1e9, spentMicroUsd: expect.any(Number), unknown: 0 } });
  const { spentMicroUsd, heldMicroUsd } = Reflect.get(first, "money");
  expect(spentMicroUsd + heldMicroUsd).toBeGreaterThanOrEqual(callMicroUsd);
  expect(last.end.money).toEqual({ capMicroUsd: 1e9, spentMicroUsd: 3 * callMicroUsd, heldMicroUsd: 0, calls: 3, unknown: 0 });
});

test("the shared limits are today's: one that pauses it and is raised lets it go on, one that is not named any more stays", async () => {
  const night = await makePaidBatch(["1"]);
  setLimits(night, { day: 0.001 });
  const paused = await night.batch("run", "night");
  expect(paused).toMatchObject({ code: 4, stderr: expect.stringContaining("today's limits are taken: limits.day $0.001 (was none)\n") });
  const midnight = new Date(new Date().setHours(24, 0, 0, 0)).getTime();
  const waits = [{ kind: "money", seat: "0", until: midnight, reason: expect.stringContaining("day") }];
  expect(await night.batchJson("status", "night")).toMatchObject({ state: "paused", waits });
  setLimits(night, { day: 2, month: 20 });
  const raised = await night.batch("run", "night");
  expect(raised).toMatchObject({
    ...{
      code: 0,
      stderr: expect.stringContaining("today's limits are taken: limits.day $2.00 (was $0.001), limits.month $20.00 (was none)\n"),
    },
  });
  setLimits(night, { day: 2 });
  const again = await night.batch("run", "night", "--json");
  expect(JSON.parse(again.stdout.split("\n")[0] ?? "")).toEqual({
    kind: "limits",
    taken: [],
    kept: [{ name: "limits.month", microUsd: 20_000_000 }],
  });
  setLimits(night, { day: 2, month: 20 });
  expect((await night.batch("run", "night")).stderr).not.toContain("limits");
});
