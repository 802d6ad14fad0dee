/** A person's word to a run, by signal or from another terminal: stop, stop now, pause, resume. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agent, boxes, makeNight, type Night, type Scene } from "./kit.ts";
import { eventually, finish, type Running } from "./program.ts";
import { findStrays } from "./strays.ts";

const twoTasks: Scene = {
  plan: boxes("T-1", "T-2"),
  agent: agent("finish-slowly.sh", "1"),
  config: { limits: { tasksPerWindow: 1, graceTime: "200ms" } },
};

/** A run whose first window is at work. */
async function startNight(scene: Scene = twoTasks): Promise<readonly [Night, Running]> {
  const night = makeNight(scene);
  const run = night.start(["run", "--json"]);
  await eventually(() => existsSync(join(night.folder, "prompt-1")), "the first window");
  return [night, run];
}

const letGo = (night: Night, window = 1) => writeFileSync(join(night.folder, `go-${window}`), "");

test.for(["SIGTERM", "SIGINT"] as const)("%s ends the window, records it, leaves nothing alive and is exit code 130", async (signal) => {
  const [night, run] = await startNight();
  run.signal(signal);
  const end = await finish(run);
  expect(end).toMatchObject({
    code: 130,
    stderr: "",
    report: { stopReason: "stopped", windows: [{ number: 1, exit: "stopped", tasksClosed: [] }] },
  });
  expect(findStrays(night.folder)).toEqual([]);
});

test("a stop now from another terminal is the same", async () => {
  const [night, run] = await startNight();
  const stop = await night.run(["stop", "--now"]);
  const end = await finish(run);
  expect(stop).toMatchObject({ code: 0, stdout: "it stops now\n" });
  expect(end).toMatchObject({ code: 130, report: { stopReason: "stopped", windows: [{ number: 1, exit: "stopped" }] } });
  expect(findStrays(night.folder)).toEqual([]);
});

test("an agent that is deaf to polite signals is gone after its grace", async () => {
  const [night, run] = await startNight({ agent: agent("deaf.sh"), config: { limits: { graceTime: "200ms" } } });
  run.signal("SIGTERM");
  const end = await finish(run);
  expect(end).toMatchObject({ code: 130, report: { windows: [{ exit: "stopped" }] } });
  expect(end.report?.windows[0]?.durationMs).toBeGreaterThan(400);
  expect(findStrays(night.folder)).toEqual([]);
});

test("a closed terminal does not end a run", async () => {
  const [night, run] = await startNight();
  run.signal("SIGHUP");
  letGo(night);
  expect(await finish(run)).toMatchObject({ code: 0, report: { stopReason: "finished" } });
});

test("a stop lets the window finish, and no other one opens", async () => {
  const [night, run] = await startNight();
  const stop = await night.run(["stop"]);
  letGo(night);
  const end = await finish(run);
  expect(stop).toMatchObject({ code: 0, stdout: "it stops after this window\n" });
  expect(end).toMatchObject({ code: 130, report: { stopReason: "stopped", windows: [{ exit: "completed", tasksClosed: ["T-1"] }] } });
});

test("a stop that meets a finished plan is a finish", async () => {
  const [night, run] = await startNight({ ...twoTasks, plan: boxes("T-1") });
  await night.run(["stop"]);
  letGo(night);
  expect(await finish(run)).toMatchObject({ code: 0, report: { stopReason: "finished" } });
});

test("a paused run spends nothing, says so, and goes on when it is told to", async () => {
  const [night, run] = await startNight();
  expect(await night.run(["pause"])).toMatchObject({ code: 0, stdout: "it pauses after this window\n" });
  letGo(night);
  await run.event("run.phase-changed", (event) => event.data["to"] === "paused");
  expect(await night.status()).toMatchObject({
    phase: "paused",
    supervised: true,
    windows: { counted: 1, open: null },
    why: expect.stringContaining("midwatch resume"),
  });
  expect(await night.run(["resume"])).toMatchObject({ code: 0, stdout: "it goes on\n" });
  expect(await finish(run)).toMatchObject({ code: 0, report: { tasks: { verified: 2 }, windows: [{ number: 1 }, { number: 2 }] } });
});

test("a run that was paused and then killed is taken up by resume", async () => {
  const [night, run] = await startNight();
  await night.run(["pause"]);
  letGo(night);
  await run.event("run.phase-changed", (event) => event.data["to"] === "paused");
  await run.kill();
  expect(await night.run(["resume", "--json"])).toMatchObject({ code: 0, report: { tasks: { verified: 2 } } });
});

test.for<readonly [string, Scene, string]>([
  ["a pause", twoTasks, "paused"],
  ["the wait for a person", { agent: agent("ask.sh", "BLOCKED", "Which_key?"), config: { onQuestion: "wait" } }, "waiting-person"],
  ["the wait for the provider", { agent: agent("limit.sh", "3600") }, "waiting-provider"],
])("a stop ends %s", async ([, scene, phase]) => {
  const [night, run] = await startNight(scene);
  if (phase === "paused") await night.run(["pause"]);
  letGo(night);
  await run.event("run.phase-changed", (event) => event.data["to"] === phase);
  await night.run(["stop"]);
  expect(await finish(run)).toMatchObject({ code: 130, report: { stopReason: "stopped" } });
});

test("a stop of a run whose process is gone ends it here and now", async () => {
  const [night, run] = await startNight();
  await run.kill();
  expect(await night.run(["stop"])).toMatchObject({ code: 0 });
  expect(await night.status()).toMatchObject({ phase: "ended", stopReason: "stopped", windows: { counted: 1, open: null } });
  expect(await night.run(["stop"])).toMatchObject({ code: 2, stderr: expect.stringContaining("the run ended already: stopped") });
});

test("a window that a person stopped, or that only a person can help, is no attempt of its task", async () => {
  const night = makeNight({
    agent: agent("by-turns.sh", "signed-out.sh", "hang.sh"),
    config: { limits: { attemptsPerTask: 1, graceTime: "100ms" } },
  });
  expect(await night.run(["run", "--json"])).toMatchObject({ code: 3 });
  const run = night.start(["run", "--json"]);
  await eventually(() => existsSync(join(night.folder, "prompt-2")), "the second window");
  run.signal("SIGTERM");
  expect(await finish(run)).toMatchObject({ code: 130, report: { tasks: { list: [{ state: "pending", attempts: 0 }] } } });
});

/** A criterion that knows a copy by its want of a .git, and stays in copy number N. */
const slowInCopies = `[ -e .git ] && exit 0
echo >> "$HOME/copies"
[ "$(grep -c '' "$HOME/copies")" -lt N ] || { touch "$HOME/waits"; sleep 1000; }
`;

test.for(["1", "2", "3"])("a stop now while a claim is measured refuses it: what was cut short says nothing (copy %s)", async (number) => {
  const night = makeNight({
    plan: "- [ ] T-1 Write it\n  - run: sh check.sh\n",
    files: { "check.sh": slowInCopies.replace("N", number) },
    config: { limits: { graceTime: "200ms" } },
  });
  const run = night.start(["run", "--json"]);
  await eventually(() => existsSync(join(night.folder, "home/waits")), "the copy");
  await night.run(["stop", "--now"]);
  const end = await finish(run);
  expect(end.events.find(({ kind }) => kind === "claim.refused")?.data["refusal"]).toMatch(/a person said stop before all was measured/);
  expect(end).toMatchObject({ code: 130, report: { stopReason: "stopped", tasks: { open: 1, verified: 0 } } });
  expect(findStrays(night.folder)).toEqual([]);
});
