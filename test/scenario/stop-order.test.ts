/** A6 in the built program: what a run stops for, which reason wins, and the exit code that says so. */
import { expect, test } from "vitest";
import { agent, boxes, makeNight, type Scene } from "./kit.ts";

const one = { plan: boxes("T-1"), agent: agent("finish.sh") };

test.for<readonly [string, Scene, readonly string[], number, string]>([
  ["work that is finished in the last allowed window is finished", one, ["--windows", "1"], 0, "finished"],
  [
    "work that is finished with the last of the money is finished",
    { ...one, agent: agent("finish.sh", "9") },
    ["--max-usd", "5"],
    0,
    "finished",
  ],
  ["a window that spends the run's money is the last one", { agent: agent("commit.sh", "3") }, ["--max-usd", "5"], 4, "money"],
  [
    "a window of unknown cost is charged by the floor",
    { agent: agent("commit.sh", "-"), config: { limits: { unknownCost: 4 } } },
    ["--max-usd", "5"],
    4,
    "money",
  ],
  [
    "a program without a stream is charged by the floor",
    { agent: agent("plain.sh"), config: { limits: { unknownCost: 4 } } },
    ["--max-usd", "4"],
    4,
    "money",
  ],
  ["money outranks the limit of windows", { agent: agent("commit.sh", "5") }, ["--max-usd", "5", "--windows", "1"], 4, "money"],
  ["money outranks a window that failed", { agent: agent("by-turns.sh", "commit.sh 5", "crash.sh") }, ["--max-usd", "5"], 4, "money"],
  ["two failed windows outrank the limit of windows", { agent: agent("crash.sh") }, ["--windows", "2"], 1, "failing"],
  ["no progress outranks the limit of windows", { agent: agent("look-around.sh") }, ["--windows", "2"], 5, "stalled"],
  ["the limit of windows ends a run that goes well", { agent: agent("commit.sh") }, ["--windows", "1"], 8, "windows"],
  ["the run's clock ends a run that goes well", { agent: agent("commit.sh") }, ["--for", "1ms"], 8, "clock"],
])("%s", async ([, scene, flags, code, reason]) => {
  const end = await makeNight(scene).run(["run", "--json", ...flags]);
  expect(end.report).toMatchObject({ stopReason: reason });
  expect(end.code).toBe(code);
});

test.for<readonly [string, Scene, readonly string[], string]>([
  ["a question outranks money", { agent: agent("ask.sh", "AWAITING-HUMAN", "Ship_it?", "9") }, ["--max-usd", "5"], "Ship it?"],
  ["a question outranks the limit of windows", { agent: agent("ask.sh", "BLOCKED", "Which_key?") }, ["--windows", "1"], "Which key?"],
  ["a question outranks a finish", { agent: agent("finish-and-ask.sh") }, [], "Shall it be published?"],
  ["a refused sign-in is asked about at once and is not tried again", { agent: agent("signed-out.sh") }, [], "Sign in again"],
  [
    "the allowed windows of unknown cost are used up: a person is asked",
    { agent: agent("commit.sh", "-"), config: { limits: { unknownCostWindows: 1 } } },
    [],
    "told no cost",
  ],
])("%s", async ([, scene, flags, question]) => {
  const night = makeNight({ ...scene, config: { ...(scene.config as object), onQuestion: "stop" } });
  const end = await night.run(["run", "--json", ...flags]);
  expect(end.code, end.stderr).toBe(3);
  const { phase, questions, windows } = await night.status();
  expect(phase).toBe("waiting-person");
  expect(questions.map(({ text }) => text)).toEqual([expect.stringContaining(question)]);
  expect(windows).toMatchObject({ counted: 1, open: null });
  expect(end.report?.windows).toHaveLength(1);
});
