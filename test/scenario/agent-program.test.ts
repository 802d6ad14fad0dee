/** The agent program as the world knows it: it goes away in mid-run, does not end, leaves things behind, prints what no terminal should see. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agent, makeNight, type Night, writeProgram } from "./kit.ts";
import { eventually, finish, type Running } from "./program.ts";
import { findStrays } from "./strays.ts";

const quick = { limits: { idleTime: "300ms", lingerTime: "300ms", graceTime: "100ms" } };

/** A run whose agent program was taken away by its first window. */
async function startVanishing(): Promise<readonly [Night, Running, string]> {
  const night = makeNight({ config: null });
  const program = join(night.folder, "agent");
  writeProgram(program, `#!/bin/bash\nexec ${agent("by-turns.sh")[0]} "vanish.sh $0" finish.sh\n`);
  const run = night.start(["run", "--json", "--", program]);
  await run.event("window.ended");
  expect(existsSync(program)).toBe(false);
  return [night, run, program];
}

test("an agent program that is away for a moment between two windows is waited for", async () => {
  const [, run, program] = await startVanishing();
  renameSync(`${program}.away`, program);
  expect(await finish(run)).toMatchObject({
    code: 0,
    report: { questions: [], windows: [{ number: 1 }, { number: 2, exit: "completed" }] },
  });
});

test("a stop ends the wait for an agent program that is away", async () => {
  const [, run] = await startVanishing();
  run.signal("SIGTERM");
  expect(await finish(run)).toMatchObject({ code: 130, report: { stopReason: "stopped", windows: [{ number: 1 }] } });
});

test("an agent that is silent and deaf is gone after the idle clock and its graces", async () => {
  const night = makeNight({ agent: agent("deaf-idle.sh"), config: quick });
  const end = await night.run(["run", "--json"]);
  expect(end).toMatchObject({ code: 1, report: { stopReason: "failing", windows: [{ exit: "idle" }, { exit: "idle" }] } });
  for (const { durationMs } of end.report?.windows ?? []) expect(durationMs).toBeGreaterThan(500);
  expect(findStrays(night.folder)).toEqual([]);
});

test("an agent that stays after its result is ended, and its result is kept", async () => {
  const night = makeNight({ agent: agent("deaf-after-result.sh"), config: quick });
  const end = await night.run(["run", "--json"]);
  expect(end).toMatchObject({
    code: 0,
    report: { spentMicroUsd: 250_000, windows: [{ exit: "completed", end: "good", tasksClosed: ["T-1"] }] },
  });
  expect(findStrays(night.folder)).toEqual([]);
});

test.for(["auto", "partial"])(
  "what an agent leaves running in a session of its own is ended with it: --containment %s",
  async (containment) => {
    const night = makeNight({ agent: agent("leave-daemon.sh") });
    const end = await night.run(["run", "--json", "--containment", containment]);
    expect(end).toMatchObject({ code: 0, report: { tasks: { verified: 1 } } });
    // In a namespace it goes with its window, and nobody need look for it.
    if (containment === "partial") expect(end.report?.windows[0]?.notes).toEqual(["1 process that it left behind was ended"]);
    expect(findStrays(night.folder)).toEqual([]);
  },
);

test("a result while two background tasks are at work is flagged, and the next window is told", async () => {
  const night = makeNight({ agent: agent("by-turns.sh", "leave-background.sh", "finish.sh") });
  const end = await night.run(["run", "--json"]);
  expect(end.report?.windows[0]).toMatchObject({ exit: "background-abandoned", detail: "it ended with 2 background tasks still at work" });
  expect(night.prompt(2)).toContain(
    "The last window ended while 2 of its background tasks were still at work; what they did is not known.",
  );
});

test.skipIf(process.platform !== "linux")(
  "a line of 100 MB is cut, what follows is read, and the supervisor stays under 200 MB",
  async () => {
    const night = makeNight({
      plan: "- [ ] T-1 One\n- [ ] T-2 Two\n",
      agent: agent("by-turns.sh", "long-line.sh", "finish-slowly.sh 2"),
      config: { limits: { tasksPerWindow: 1 } },
    });
    const run = night.start(["run", "--json"]);
    await eventually(() => existsSync(join(night.folder, "prompt-2")), "the second window");
    const peakKb = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${run.pid}/status`, "utf8"))?.[1]);
    writeFileSync(join(night.folder, "go-2"), "");
    expect(await finish(run)).toMatchObject({
      code: 0,
      report: { windows: [{ exit: "completed", tasksClosed: ["T-1"], notes: ["1 line was too long and was cut"] }, {}] },
    });
    expect(peakKb).toBeLessThan(200 * 1024);
  },
);

test("nothing that an agent prints, writes or asks reaches the terminal raw", async () => {
  const night = makeNight({ plan: "- [ ] T-1 Write\u001b[2J it\u202e\n", agent: agent("odd-bytes.mjs") });
  const run = await night.run(["run"]);
  const shown = [run, ...(await Promise.all(["status", "report", "why"].map((command) => night.run([command]))))];
  for (const { code, stdout, stderr } of shown) {
    expect(code).toBe(0);
    expect(`${stdout}${stderr}`).not.toMatch(/[^\n\P{C}]/u);
  }
  expect(run.stderr).toMatch(/ Ba ?sh {2}echo/);
  expect(run.stdout).toMatch(/Q1 +Which .* colour\?/);
});
