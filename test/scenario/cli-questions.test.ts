/** A question is shown with its choices wherever it is shown, and the next command is the same everywhere. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atTerminal, hasTerminal } from "./cli-terminal.ts";
import { agent, boxes, makeNight, type Night, writeProgram } from "./kit.ts";
import { eventually } from "./program.ts";

const choices = "1) red  2) green  3) blue";

async function asked(): Promise<Night> {
  const night = makeNight({ agent: agent("ask-at-door.mjs", "") });
  const { code, stderr } = await night.run(["run"]);
  expect(code).toBe(3);
  expect(stderr).toContain(`Q1  Which colour?\n              ${choices}\n              answer: midwatch answer Q1 1\n`);
  expect(stderr).toMatch(/\nanswer, then go on: midwatch answer Q1 1 && midwatch resume {3}\(1\) red {2}2\) green {2}3\) blue\)\n$/);
  return night;
}

test.for(["status", "why", "report"])("%s shows a question with its choices and the command that answers it", async (command) => {
  const { stdout } = await (await asked()).run([command]);
  expect(stdout).toMatch(/Q1 {2}Which colour\?\n +1\) red {2}2\) green {2}3\) blue\n/);
  expect(stdout).toContain("midwatch answer Q1 1");
});

test("status and answer name the same next command", async () => {
  const night = await asked();
  expect(await night.status()).toMatchObject({ next: "midwatch answer Q1 1 && midwatch resume" });
  expect(await night.run(["answer", "Q1", "2"])).toMatchObject({ stdout: "Q1: green\n", stderr: "go on with: midwatch resume\n" });
  expect(await night.status()).toMatchObject({ next: "midwatch resume", why: "its question is answered; go on with: midwatch resume" });
});

test("an answer from another tree says where the question belongs, and goes on from here", async () => {
  const night = await asked();
  const home = night.env["HOME"] ?? "";
  expect(await night.run(["answer", "Q1", "3"], { cwd: home })).toMatchObject({
    code: 0,
    stdout: "Q1: blue\n",
    stderr: `Q1 belongs to the run in ${night.repo.path}\ngo on with: cd ${night.repo.path} && midwatch resume\n`,
  });
});

test("a default is shown with the time at which it is taken", async () => {
  const night = makeNight({ plan: boxes("T-1"), agent: agent("ask-at-door.mjs", "T-1", "green", "600") });
  const run = night.start(["run"]);
  await eventually(() => run.stderr.includes("by itself at"), "the question");
  expect(run.stderr).toMatch(
    /Q1 {2}Which colour\? \(about T-1\)\n +1\) red {2}2\) green {2}3\) blue\n +by itself at \d\d:\d\d:\d\d( on \d+ \w+)?: green\n/,
  );
});

test("a question of the harness's reads as one", async () => {
  const night = makeNight({ agent: agent("leave-state.sh", "untracked") });
  const { stderr } = await night.run(["run"]);
  expect(stderr).toMatch(/Q1 {2}uncommitted: 1 untracked \(left\.txt\): .*Shall the run go on\?\n/);
  expect(stderr).toContain('"next window" hands the changes to the next window');
});

test.skipIf(!hasTerminal)("at the prompt a question mark, and nothing at all, show the choices again", async () => {
  const night = makeNight({ agent: agent("ask-at-door.mjs", "") });
  const terminal = atTerminal(night, "run");
  const times = () => terminal.shown().split("1) red").length - 1;
  await eventually(() => terminal.shown().includes("Q1> ") && times() === 1, "the prompt");
  terminal.type("?\r");
  await eventually(() => times() === 2, "the choices again");
  terminal.type("\r");
  await eventually(() => times() === 3, "the choices once more");
  terminal.type("2\r");
  expect(await terminal.code()).toBe(0);
  expect(night.prompt(2)).toContain("- Which colour? -> green");
});

const twoQuestions = `#!/bin/bash
. "${join(import.meta.dirname, "../fixtures/agents/kit.sh")}"
post() { curl -s -o /dev/null -X POST "$MIDWATCH_URL/ask" -H 'content-type: application/json' -d "$1"; }
begin
if [ "$number" = 1 ]; then
  post '{"question":"Which colour?","task":"T-1","options":["red","green"]}'
  post '{"question":"Which size?","task":"T-2","options":["small","large"]}'
else
  call "finish" finish
fi
note CHECKPOINT
result
`;

test.skipIf(!hasTerminal || !existsSync("/usr/bin/curl"))(
  "two questions are asked one after the other, and each gets its own answer",
  async () => {
    const night = makeNight({ plan: boxes("T-1", "T-2"), agent: ["../agent.sh"] });
    writeProgram(join(night.folder, "agent.sh"), twoQuestions);
    const terminal = atTerminal(night, "run");
    await eventually(() => terminal.shown().includes("Q1> "), "the first prompt");
    terminal.type("2\r");
    await eventually(() => terminal.shown().includes("Q2> "), "the second prompt");
    terminal.type("1\r");
    expect(await terminal.code()).toBe(0);
    expect(await night.report()).toMatchObject({ questions: [{ answer: "green" }, { answer: "small" }] });
  },
);

test.skipIf(!hasTerminal)("a prompt is taken away when the question is answered elsewhere", async () => {
  const night = makeNight({ agent: agent("ask-at-door.mjs", "") });
  const terminal = atTerminal(night, "run");
  await eventually(() => terminal.shown().includes("Q1> "), "the prompt");
  await night.run(["answer", "Q1", "red"]);
  expect(await terminal.code()).toBe(0);
  const [, after = ""] = terminal.shown().split("Q1 answered");
  expect(after).not.toContain("Q1> ");
});
