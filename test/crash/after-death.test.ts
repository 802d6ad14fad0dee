/** A supervisor was killed in the middle of a window, and the person does something else than start the run again. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createProcesses } from "../../src/adapters/processes/processes.ts";
import { eventually } from "../scenario/program.ts";
import { Night } from "./night.ts";
import { command } from "./program.ts";

vi.setConfig({ maxConcurrency: 2, testTimeout: 60_000 });

/** Its agent is at work when it is killed. */
async function killInMidWindow(night: Night): Promise<void> {
  const run = night.start(command);
  const early = run.ended.then(({ stderr }) => Promise.reject(new Error(`it ended before its agent worked: ${stderr}`)));
  await Promise.race([eventually(() => night.acts().length > 0, "the agent"), early]);
  process.kill(run.pid, "SIGKILL");
  await early.catch(() => undefined); // now it has
}

const slow = { agentEnv: { SLOW: "30" } };

test
  .skipIf(createProcesses().containment.kind !== "namespace")
  .concurrent("in a namespace the agent dies with its supervisor, and nothing of it is left", async ({ onTestFinished }) => {
    const night = new Night(slow);
    onTestFinished(night.close);
    await killInMidWindow(night);
    await eventually(() => night.living().length === 0, "the end of every process");
  });

test.concurrent("stop ends the run that was left, after its window was judged", async ({ onTestFinished }) => {
  const night = new Night(slow);
  onTestFinished(night.close);
  await killInMidWindow(night);
  expect((await night.start(["stop"]).ended).code).toBe(0);
  const { runs, windows } = night.ledger();
  expect(runs.map((run) => run["stop_reason"])).toEqual(["stopped"]);
  expect(windows.map((window) => JSON.parse(String(window["result"])).exit.kind)).toEqual(["lost"]);
  expect(night.living()).toEqual([]);
});

test.concurrent("another plan takes the place of the run that was left, after its window was judged", async ({ onTestFinished }) => {
  const night = new Night(slow);
  onTestFinished(night.close);
  await killInMidWindow(night);
  writeFileSync(join(night.repo.path, "other.md"), "- [x] B-1 Nothing to do\n");
  expect(await night.start(["run", "other.md"]).ended).toMatchObject({ code: 0 });
  const { runs, windows } = night.ledger();
  expect(runs.map((run) => run["stop_reason"])).toEqual(["stopped", "finished"]);
  expect(windows.map(({ state }) => state)).toEqual(["ended"]);
  expect(night.living()).toEqual([]);
});

test.concurrent("status says so and changes nothing", async ({ onTestFinished }) => {
  const night = new Night(slow);
  onTestFinished(night.close);
  await killInMidWindow(night);
  const before = night.ledger();
  const status = await night.start(["status"]).ended;
  expect([status.code, status.stdout.includes("its process is gone")]).toEqual([0, true]);
  expect(night.ledger()).toEqual(before);
});
