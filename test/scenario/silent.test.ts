/** J2: a window that talked and did nothing is followed by one that is told to act; a second one stops the run. */
import { expect, test } from "vitest";
import { agent, boxes, makeNight } from "./kit.ts";

const nudge = "You MUST call tools. Do not describe what you will do. Do it.";

test("a silent window is followed by a nudge, and a second one stops the run with the agent's last words", async () => {
  const night = makeNight({ agent: agent("talk.sh") });
  const end = await night.run(["run", "--json"]);
  expect(end).toMatchObject({
    code: 5,
    report: { stopReason: "stalled", windows: [{ exit: "completed-no-tools" }, { exit: "completed-no-tools" }] },
  });
  expect(end.report?.stopDetail).toMatch(/the agent's last words: I will now write the files. Shall I go on\?$/);
  expect(night.prompt(1)).not.toContain(nudge);
  expect(night.prompt(2)).toMatch(new RegExp(`^${nudge}\n`));
});

test("the nudge comes once: after a window that acted it is gone", async () => {
  const night = makeNight({
    plan: boxes("T-1", "T-2"),
    agent: agent("by-turns.sh", "talk.sh", "finish.sh"),
    config: { limits: { tasksPerWindow: 1 } },
  });
  expect(await night.run(["run", "--json"])).toMatchObject({ code: 0 });
  expect([1, 2, 3].map((number) => night.prompt(number).startsWith(nudge))).toEqual([false, true, false]);
});

test("where one idle window is the limit, a silent one still gets its nudge", async () => {
  const night = makeNight({ agent: agent("by-turns.sh", "talk.sh", "finish.sh"), config: { limits: { idleWindows: 1 } } });
  expect(await night.run(["run", "--json"])).toMatchObject({
    code: 0,
    report: { windows: [{ exit: "completed-no-tools" }, { exit: "completed" }] },
  });
});

test("a program without a stream is never judged silent: its tool calls are not measured", async () => {
  const night = makeNight({ agent: agent("plain.sh") });
  const end = await night.run(["run", "--json"]);
  expect(end).toMatchObject({
    code: 5,
    report: {
      windows: [
        { exit: "completed", toolCalls: null },
        { exit: "completed", toolCalls: null },
      ],
    },
  });
  expect(end.report?.notMeasured).toContain("tool calls of 2 of 2 windows");
  expect(night.prompt(2)).not.toContain(nudge);
});
