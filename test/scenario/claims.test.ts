/** Claims: a tick or a word at the door is checked by the harness, at HEAD; what does not hold comes back with the evidence. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agent, boxes, makeNight, type Night, type Scene } from "./kit.ts";

const answers = (night: Night, window = 1) => JSON.parse(readFileSync(join(night.folder, `answers-${window}`), "utf8"));

test.for<readonly [string, string, string]>([
  ["a criterion that is a file", "verified", "  - file: T-1.txt exists\n"],
  ["a criterion that is a command", "verified", "  - run: grep -q done T-1.txt\n"],
  ["a criterion in prose alone", "claimed", "  - check: It reads well\n"],
  ["no criterion", "claimed", ""],
])("a ticked task with %s is done, and the report calls it %s", async ([, doneBy, criterion]) => {
  const night = makeNight({ plan: `- [ ] T-1 Write it\n${criterion}` });
  const end = await night.run(["run", "--json"]);
  expect(end).toMatchObject({ code: 0, report: { tasks: { list: [{ key: "T-1", state: "done", doneBy }], [doneBy]: 1 } } });
  expect(night.read("tasks.md")).toBe(`- [x] T-1 Write it\n${criterion}`);
});

test.for<readonly [string, string]>([
  [
    "CR LF, a byte order mark and no last line end",
    "\uFEFF# Plan\r\n\r\n- [ ] T-1 Write it\t \r\n  - file: T-1.txt\r\n\r\n> - [ ] T-1 quoted\r\nend",
  ],
  ["mixed line ends and odd spaces", "# Plan\n* [ ]  **T-1**: Write it\r\n    file: T-1.txt\n\n\n```\n- [ ] T-1 code\n```\n"],
])("a refused tick is taken back and every other byte stays: %s", async ([, plan]) => {
  const night = makeNight({ plan, agent: agent("change-plan.sh", "0,/\\[ \\]/s//[x]/") });
  const end = await night.run(["run", "--json", "--windows", "1"]);
  expect(end.events.find((event) => event.kind === "claim.refused")?.data).toMatchObject({ task: "T-1" });
  expect(end).toMatchObject({ code: 8, report: { tasks: { open: 1 } } });
  expect(night.read("tasks.md")).toBe(plan);
});

test("the next window is told what the refused claim lacked", async () => {
  const plan = '- [ ] T-1 Write it\n  - run: echo only 3 of 5 >&2; exit 4\n  - file: T-1.txt contains "done"\n';
  const night = makeNight({ plan, agent: agent("tick.sh") });
  await night.run(["run", "--json", "--windows", "2"]);
  expect(night.prompt(1)).not.toContain("refused");
  expect(night.prompt(2)).toContain("Your last claim was refused:\n| run: echo only 3 of 5 >&2; exit 4: fails at ");
  expect(night.prompt(2)).toContain('| only 3 of 5\n| file: T-1.txt contains "done": fails at ');
});

test.for<readonly [string, string, RegExp]>([
  ["a program that is not there", "run: no-such-program-here", /cannot be told at \w+: exit code 127/],
  ["a command that does not end", "run: echo waiting; sleep 1000", /fails at \w+: it was ended after/],
])("a criterion that cannot be met refuses the claim: %s", async ([, criterion, evidence]) => {
  const plan = `- [ ] T-1 Write it\n  - ${criterion}\n`;
  const night = makeNight({ plan, agent: agent("claim.mjs", "T-1"), config: { limits: { criterionTime: "300ms", graceTime: "100ms" } } });
  await night.run(["run", "--json", "--windows", "1"]);
  const [answer] = answers(night);
  expect(answer).toMatchObject({ kind: "refused", reason: expect.stringMatching(evidence) });
});

test("a claim at the door says to commit first, and holds once that is done", async () => {
  const night = makeNight({ agent: agent("claim-too-early.mjs") });
  const end = await night.run(["run", "--json"]);
  expect(answers(night)).toMatchObject([
    { kind: "refused", reason: "commit first: T-1.txt is not committed" },
    {
      kind: "done",
      doneBy: "verified",
      evidence: [{ criterion: "file: T-1.txt exists", verdict: "holds", commit: night.repo.git("rev-parse", "HEAD") }],
    },
  ]);
  expect(end).toMatchObject({ code: 0, report: { tasks: { verified: 1 } } });
  expect(night.read("tasks.md")).toContain("- [x] T-1 ");
});

test.for<readonly [string, string, string]>([
  ["a key that is not in the list", "T-9", "there is no task T-9 in the plan"],
  ["a task whose dependency is open", "T-2", "T-2 comes after T-1, which is open"],
])("a claim at the door is refused for %s", async ([, key, reason]) => {
  const plan = "- [ ] T-1 First\n- [ ] T-2 Second\n  - after: T-1\n";
  const night = makeNight({ plan, agent: agent("claim.mjs", key) });
  const end = await night.run(["run", "--json", "--windows", "1"]);
  expect(answers(night)).toEqual([{ kind: "refused", reason, evidence: [] }]);
  expect(end.report).toMatchObject({ tasks: { open: 2 } });
});

test("a tick of uncommitted work is refused, and the tree is the person's to look at", async () => {
  const night = makeNight({ agent: agent("finish-uncommitted.sh") });
  const end = await night.run(["run", "--json"]);
  expect(end.events.find((event) => event.kind === "claim.refused")?.data).toMatchObject({
    refusal: "commit first: T-1.txt is not committed",
  });
  expect(end.code).toBe(3);
  expect((await night.status()).questions).toMatchObject([{ source: "ground", text: expect.stringContaining("T-1.txt") }]);
});

test.for<readonly [string, Scene["config"], readonly (readonly string[])[]]>([
  ["after each window", { recheck: "after-window" }, [["T-1"], ["T-2"], ["T-1"]]],
  ["before the end", { recheck: "before-done" }, [["T-1"], ["T-2"], ["T-3"], ["T-1"]]],
])("the criteria of closed tasks are run again %s, and one that fails reopens its task", async ([, config, closed]) => {
  const turns = ["finish.sh", "undo.sh T-1.txt", "finish.sh"];
  const keys = closed.length === 3 ? ["T-1", "T-2"] : ["T-1", "T-2", "T-3"];
  const night = makeNight({
    plan: boxes(...keys),
    agent: agent("by-turns.sh", ...turns),
    config: { ...(config as object), limits: { tasksPerWindow: 1 } },
  });
  const end = await night.run(["run", "--json"]);
  expect(end.report?.windows.map((window) => window.tasksClosed)).toEqual(closed);
  expect(end.events.find((event) => event.kind === "task.reopened")?.data).toMatchObject({
    task: "T-1",
    reason: expect.stringContaining("does not hold any more"),
  });
  expect(end).toMatchObject({ code: 0, report: { stopReason: "finished", tasks: { verified: keys.length } } });
});

test("a task that used up its attempts fails, the others go on, and what depends on it is reported", async () => {
  const plan = `${boxes("T-1", "T-3")}- [ ] T-2 After it\n  - after: T-1\n`;
  const night = makeNight({
    plan,
    agent: agent("finish-except.sh", "T-1"),
    config: { limits: { tasksPerWindow: 1, attemptsPerTask: 2 } },
    personal: { limits: { idleWindows: 5 } },
  });
  const end = await night.run(["run", "--json"]);
  expect(end).toMatchObject({ code: 7, report: { stopReason: "finished-with-failures", tasks: { verified: 1, failed: 1 } } });
  expect(end.report?.windows.map((window) => window.tasksClosed)).toEqual([[], [], ["T-3"]]);
  const [failed, , blocked] = end.report?.tasks.list ?? [];
  expect(failed).toMatchObject({
    key: "T-1",
    state: "failed",
    attempts: 2,
    reason: expect.stringContaining("2 attempts; the last: file: T-1.txt exists: fails"),
  });
  expect(blocked).toMatchObject({ key: "T-2", reason: expect.stringContaining("T-1") });
});

test("a new run tries a failed task again", async () => {
  const night = makeNight({ agent: agent("by-turns.sh", "tick.sh"), config: { limits: { attemptsPerTask: 1 } } });
  expect(await night.run(["run", "--json"])).toMatchObject({ code: 7 });
  const again = await night.run(["run", "--json", "--", ...agent("finish.sh")]);
  expect(again).toMatchObject({ code: 0, report: { tasks: { verified: 1 } } });
});

test("a DONE while tasks are open is refused, the next window is told, and a second one in a row asks a person", async () => {
  const night = makeNight({ plan: boxes("T-1", "T-2"), agent: agent("say-done.sh") });
  const end = await night.run(["run", "--json"]);
  expect(end.code).toBe(3);
  expect(end.report?.windows).toHaveLength(2);
  expect(night.prompt(2)).toContain("The last window said DONE, which does not hold: T-1, T-2 are not done.");
  const { questions } = await night.status();
  expect(questions).toMatchObject([
    { source: "note", text: expect.stringMatching(/^Two windows in a row said DONE, .*T-1, T-2 are not done/) },
  ]);
});
