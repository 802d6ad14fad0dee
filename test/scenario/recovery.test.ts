/** A supervisor that dies takes its agent with it; the next `midwatch run` goes on where it was, and loses nothing. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agent, boxes, makeNight, type Night, type Scene } from "./kit.ts";
import { eventually, type Running } from "./program.ts";
import { findStrays } from "./strays.ts";

/** Starts a run and kills it with -9 when the agent of that window is at work. */
async function killIn(window: number, scene: Scene): Promise<Night> {
  const night = makeNight(scene);
  await killWhen(night.start(["run", "--json"]), night, `at-work-${window}`);
  return night;
}

async function killWhen(run: Running, night: Night, file: string): Promise<void> {
  await eventually(() => existsSync(join(night.folder, file)), file);
  await run.kill();
}

test("the agent dies with its supervisor, and nothing of it is left", async () => {
  const night = await killIn(1, { agent: agent("hang.sh") });
  await eventually(() => findStrays(night.folder).length === 0, "the end of the agent");
});

test("the run goes on at the next window, as the same run, with what was claimed and committed before the death", async () => {
  const night = await killIn(2, {
    plan: boxes("T-1", "T-2", "T-3"),
    agent: agent("by-turns.sh", "finish.sh", "claim-and-hang.mjs", "finish.sh"),
    config: { limits: { tasksPerWindow: 1 } },
  });
  const { run, windows } = await night.status();
  expect(windows).toMatchObject({ counted: 1, open: { number: 2 } });
  const end = await night.run(["run", "--json"]);
  expect(end).toMatchObject({ code: 0, report: { run, stopReason: "finished", tasks: { verified: 3 } } });
  expect(end.report?.windows).toMatchObject([
    { number: 1, exit: "completed", tasksClosed: ["T-1"] },
    { number: 2, exit: "lost", tasksClosed: ["T-2"], end: "failed" },
    { number: 3, exit: "completed", tasksClosed: ["T-3"] },
  ]);
  expect(end.events[0]).toMatchObject({ kind: "run.recovered" });
  expect(night.read("tasks.md").match(/\[x\]/g)).toHaveLength(3);
});

test("a tick that a killed window made is judged when the run is taken up", async () => {
  const night = await killIn(1, { agent: agent("by-turns.sh", "finish-and-hang.sh") });
  expect(await night.run(["run", "--json"])).toMatchObject({
    code: 0,
    report: { tasks: { verified: 1 }, windows: [{ exit: "lost", tasksClosed: ["T-1"] }] },
  });
});

test("what a killed window left uncommitted is asked about", async () => {
  const night = await killIn(1, { agent: agent("by-turns.sh", "write-and-hang.sh", "finish.sh") });
  const end = await night.run(["run", "--json"]);
  expect(end).toMatchObject({ code: 3, report: { questions: [{ text: expect.stringContaining("left.txt") }] } });
  night.repo.git("add", "left.txt");
  night.repo.git("commit", "-q", "-m", "kept");
  expect(await night.run(["run", "--json"])).toMatchObject({ code: 0 });
});

test("two deaths in a row are two failed windows, which end the run", async () => {
  const night = await killIn(1, { agent: agent("hang.sh") });
  await killWhen(night.start(["run", "--json"]), night, "at-work-2");
  const end = await night.run(["run", "--json"]);
  expect(end).toMatchObject({ code: 1, report: { stopReason: "failing", windows: [{ exit: "lost" }, { exit: "lost" }] } });
});

test("a status of a run whose process is gone says so and names the next command", async () => {
  const night = await killIn(1, { agent: agent("hang.sh") });
  expect(await night.status()).toMatchObject({
    phase: "running",
    supervised: false,
    why: expect.stringMatching(/^its process is gone; .*midwatch (run|resume)$/),
  });
});

const asking: Scene = { agent: agent("by-turns.sh", "ask.sh BLOCKED Which_key?", "finish.sh"), config: { onQuestion: "wait" } };

/** A run that was killed while it waited for a person. */
async function killWaiting(): Promise<Night> {
  const night = makeNight(asking);
  const run = night.start(["run", "--json"]);
  await run.event("run.phase-changed", (event) => event.data["to"] === "waiting-person");
  await run.kill();
  return night;
}

test("a run that was killed while it waited is answered while it is dead, and goes on with the answer", async () => {
  const night = await killWaiting();
  expect(await night.run(["answer", "Q1", "The blue one"])).toMatchObject({ code: 0, stderr: "go on with: midwatch resume\n" });
  expect(await night.run(["resume", "--json"])).toMatchObject({ code: 0, report: { windows: [{ number: 1 }, { number: 2 }] } });
  expect(night.prompt(2)).toContain("- Which key? -> The blue one");
});

test("a run that was killed while it waited waits again for the same question", async () => {
  const night = await killWaiting();
  const run = night.start(["run", "--json"]);
  await run.event("run.phase-changed", (event) => event.data["to"] === "waiting-person");
  expect((await night.status()).questions).toMatchObject([{ id: "Q1", state: "open" }]);
  await night.run(["answer", "Q1", "The blue one"]);
  expect(await run.ended).toMatchObject({ code: 0, report: { questions: [{ id: "Q1", answer: "The blue one" }] } });
});

test("settings that changed between the death and the new start count from there on", async () => {
  const night = await killIn(1, {
    plan: boxes("T-1", "T-2"),
    agent: agent("by-turns.sh", "hang.sh", "finish.sh"),
    config: { limits: { tasksPerWindow: 1 } },
  });
  expect(await night.run(["run", "--json", "--windows", "2"])).toMatchObject({
    code: 8,
    report: { stopReason: "windows", tasks: { verified: 1 } },
  });
});
