/** The plan belongs to the person: what a window does to it beyond a tick is noted and changes nothing; what a person does between two windows counts. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agent, boxes, makeNight } from "./kit.ts";
import { finish } from "./program.ts";

const plan = boxes("T-1", "T-2");

test.for<readonly [string, string, string]>([
  ["rewords a task", "s/Write T-2.txt/Draw a bird/", "reworded T-2"],
  ["weakens a criterion", "s/file: T-2.txt exists/check: looks good/", "reworded T-2"],
  ["removes a task", "/T-2/d", "removed T-2"],
  ["adds a task", "$a- [ ] T-9 Another one", "added T-9"],
  ["takes the box of a task away", "s/- \\[ \\] T-2/- T-2/", "removed T-2"],
  ["writes conflict markers", "1i<<<<<<< ours", "tasks.md does not read as a plan any more"],
  ["empties it", "d", "tasks.md does not read as a plan any more"],
])("a window that %s is noted, and the tasks stay as the person worded them", async ([, script, note]) => {
  const night = makeNight({ plan, agent: agent("by-turns.sh", `change-plan.sh ${script.replaceAll(" ", "\\x20")}`, "finish-at-door.mjs") });
  const before = await finish(night.start(["run", "--json"]));
  expect(before.events.find((event) => event.kind === "plan.change-ignored")?.data).toEqual({ notes: [note] });
  expect(night.prompt(2)).toContain(`A change to the task list does not count: ${note}.`);
  expect(before).toMatchObject({ code: 0, report: { tasks: { total: 2, verified: 2 }, windows: [{ notes: [note] }, { notes: [] }] } });
  expect(before.report?.tasks.list.map((task) => task.title)).toEqual(["Write T-1.txt", "Write T-2.txt"]);
});

test("a window that takes the plan away is noted, and the run goes on from the store", async () => {
  const night = makeNight({ plan, agent: agent("by-turns.sh", "delete-plan.sh", "finish-at-door.mjs") });
  const end = await night.run(["run", "--json"]);
  expect(end).toMatchObject({
    code: 0,
    report: { tasks: { verified: 2 }, windows: [{ notes: ["the plan tasks.md is not there: the window took it away"] }, {}] },
  });
});

test("a window that ticks everything gets what holds, and the rest is taken back", async () => {
  const night = makeNight({ plan, files: { "T-2.txt": "done" }, agent: agent("change-plan.sh", "s/\\[ \\]/[x]/") });
  const end = await night.run(["run", "--json", "--windows", "1"]);
  expect(end).toMatchObject({
    code: 8,
    report: {
      tasks: {
        list: [
          { key: "T-1", state: "pending" },
          { key: "T-2", state: "done" },
        ],
      },
    },
  });
  expect(night.read("tasks.md")).toBe(plan.replace("[ ] T-2", "[x] T-2"));
});

test("a window that takes back the mark of a done task is noted, and the mark is set again", async () => {
  const night = makeNight({
    plan,
    agent: agent("by-turns.sh", "finish.sh", "change-plan.sh s/\\[x\\]/[\\x20]/", "finish.sh"),
    config: { limits: { tasksPerWindow: 1 } },
  });
  const end = await night.run(["run", "--json"]);
  expect(end).toMatchObject({
    code: 0,
    report: { windows: [{ tasksClosed: ["T-1"] }, { notes: ["unticked T-1"] }, { tasksClosed: ["T-2"] }] },
  });
  expect(night.read("tasks.md")).toBe(plan.replaceAll("[ ]", "[x]"));
});

test("what a person edits while the run waits for an answer counts, also a tick and a task that goes", async () => {
  const night = makeNight({
    plan: boxes("T-1", "T-2", "T-3"),
    agent: agent("by-turns.sh", "ask.sh AWAITING-HUMAN Which_one?", "finish.sh"),
  });
  const run = night.start(["run", "--json", "--stay"]);
  await run.event("run.phase-changed", (event) => event.data["to"] === "waiting-person");
  writeFileSync(
    join(night.repo.path, "tasks.md"),
    "- [x] T-1 Write T-1.txt\n  - file: T-1.txt exists\n- [ ] T-3 Sing\n  - file: T-3.txt exists\n- [ ] T-4 New\n  - file: T-4.txt exists\n",
  );
  await night.run(["answer", "Q1", "the third"]);
  const end = await finish(run);
  expect(end).toMatchObject({
    code: 0,
    report: {
      tasks: {
        list: [
          { key: "T-1", state: "done", doneBy: "person" },
          { key: "T-3", title: "Sing", doneBy: "verified" },
          { key: "T-4", doneBy: "verified" },
        ],
      },
    },
  });
  expect(end.events.find((event) => event.kind === "plan.edited")?.data).toMatchObject({
    by: "person",
    notes: ["ticked T-1", "added T-4", "removed T-2", "reworded T-3"],
  });
  expect(night.prompt(2)).toContain("TASK T-3: Sing");
  expect(readFileSync(join(night.repo.path, "tasks.md"), "utf8").match(/\[x\]/g)).toHaveLength(3);
});

test.for<readonly [string, (path: string) => void, string]>([
  ["breaks", (path) => writeFileSync(path, "- [ ] T-1 One\n- [ ] T-1 Two\n"), "tasks.md:2: "],
  [
    "fills with other bytes",
    (path) => writeFileSync(path, Buffer.from([0xff, 0xfe])),
    "the plan tasks.md cannot be read (it is not valid UTF-8)",
  ],
])("a plan that a person %s between two windows is asked about, and the run goes on when it is mended", async ([, spoil, question]) => {
  const night = makeNight({ plan, agent: agent("by-turns.sh", "ask.sh AWAITING-HUMAN Which_one?", "finish.sh") });
  expect(await night.run(["run", "--json"])).toMatchObject({ code: 3 });
  await night.run(["answer", "Q1", "any"]);
  spoil(join(night.repo.path, "tasks.md"));
  expect(await night.run(["resume", "--json"])).toMatchObject({ code: 3 });
  expect((await night.status()).questions).toMatchObject([{ source: "plan", text: expect.stringContaining(question) }]);
  writeFileSync(join(night.repo.path, "tasks.md"), plan);
  expect(await night.run(["run", "--json"])).toMatchObject({ code: 0, report: { tasks: { verified: 2 } } });
});
