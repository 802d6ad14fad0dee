/** F27: a run stops at exactly its limits of windows without progress, and a good night is never stopped by them. */
import { expect, test } from "vitest";
import { agent, boxes, makeNight } from "./kit.ts";

const quick = { idleTime: "300ms", graceTime: "100ms" };

test.for([
  ["windows that do nothing", 2, ["look-around.sh"], "stalled", 5],
  ["empty commits", 2, ["commit-empty.sh"], "stalled", 5],
  ["commits that are taken back in the same window", 2, ["commit-undone.sh"], "stalled", 5],
  ["commits of bookkeeping alone", 2, ["commit-bookkeeping.sh"], "stalled", 5],
  ["code without a closed task", 3, ["commit.sh"], "no-task", 5],
  ["crashes", 2, ["crash.sh"], "failing", 1],
  ["hangs", 2, ["hang.sh"], "failing", 1],
  ["starts of a program that cannot be started", 2, ["no-interpreter.sh"], "failing", 1],
  ["an idle window and a crash", 2, ["look-around.sh", "crash.sh"], "stalled", 5],
  ["code in every other window", 5, ["commit.sh", "look-around.sh", "commit.sh", "look-around.sh", "commit.sh"], "no-task", 5],
  ["two idle windows after a task", 3, ["finish.sh", "look-around.sh"], "stalled", 5],
  ["two crashes after a task", 3, ["finish.sh", "crash.sh"], "failing", 1],
] as const)("%s end the run after exactly %s windows", async ([, windows, turns, reason, code]) => {
  const night = makeNight({
    plan: boxes("T-1", "T-2"),
    agent: agent("by-turns.sh", ...turns),
    config: { limits: { ...quick, tasksPerWindow: 1 }, bookkeeping: ["docs/journal.md"] },
    personal: { limits: { attemptsPerTask: 10 } },
  });
  const end = await night.run(["run", "--json"]);
  expect(end.report?.windows).toHaveLength(windows);
  expect(end.report).toMatchObject({ stopReason: reason });
  expect(end.code).toBe(code);
});

test("a night in which every second window fails, idles or only commits is never stopped", async () => {
  const turns = [
    "look-around.sh",
    "finish.sh",
    "crash.sh",
    "finish.sh",
    "commit.sh",
    "commit.sh",
    "finish.sh",
    "talk.sh",
    "finish.sh",
    "hang.sh",
    "finish.sh",
  ];
  const night = makeNight({
    plan: boxes("T-1", "T-2", "T-3", "T-4", "T-5"),
    agent: agent("by-turns.sh", ...turns),
    config: { limits: { ...quick, tasksPerWindow: 1 } },
  });
  const end = await night.run(["run", "--json"]);
  expect(end).toMatchObject({ code: 0, report: { stopReason: "finished", tasks: { verified: 5 } } });
  expect(end.report?.windows.map((window) => window.tasksClosed.length)).toEqual([0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1]);
});
