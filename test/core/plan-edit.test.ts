/** Whose change a change of the plan is, and what it does. */
import { expect, test } from "vitest";
import { taskKey } from "../../src/core/ids.ts";
import { personsEdit, windowsEdit } from "../../src/core/plan-edit.ts";
import type { PlannedTask, Task } from "../../src/core/task.ts";

const planned = (key: string, change: Partial<PlannedTask> = {}): PlannedTask => ({
  key: taskKey(key),
  keyGiven: true,
  title: `title of ${key}`,
  objective: "",
  criteria: [],
  context: [],
  dependsOn: [],
  priority: 1,
  ticked: false,
  ...change,
});
const known = (key: string, change: Partial<Task> = {}): Task => ({
  ...planned(key),
  state: "pending",
  position: 0,
  attempts: 0,
  doneBy: null,
  reason: "",
  lastEvidence: "",
  owner: null,
  ...change,
});
const keys = (tasks: readonly PlannedTask[]) => tasks.map((task) => task.key);

test("a first reading takes the whole plan, and ticks in it are the person's", () => {
  const plan = [planned("T1", { ticked: true }), planned("T2")];
  expect(personsEdit([], null, plan)).toEqual({ planned: plan, closed: ["T1"], reopened: [], notes: [] });
});

test.each([
  ["a tick closes an open task", [planned("T1")], [planned("T1", { ticked: true })], known("T1"), { closed: ["T1"], reopened: [] }],
  [
    "a tick of a done task changes nothing",
    [planned("T1")],
    [planned("T1", { ticked: true })],
    known("T1", { state: "done" }),
    { closed: [], reopened: [] },
  ],
  [
    "taking a tick out reopens a done task",
    [planned("T1", { ticked: true })],
    [planned("T1")],
    known("T1", { state: "done" }),
    { closed: [], reopened: ["T1"] },
  ],
  [
    "a mark that we have not written yet is no edit",
    [planned("T1")],
    [planned("T1")],
    known("T1", { state: "done" }),
    { closed: [], reopened: [] },
  ],
  [
    "a refused tick that we have not taken back yet is no edit",
    [planned("T1", { ticked: true })],
    [planned("T1", { ticked: true })],
    known("T1"),
    { closed: [], reopened: [] },
  ],
])("%s", (_title, before, after, task, effect) => {
  expect(personsEdit([task], before, after)).toMatchObject(effect);
});

test("a task that the person adds, removes or rewords is so from then on", () => {
  const before = [planned("T1"), planned("T2"), planned("T3")];
  const after = [planned("T3", { title: "reworded" }), planned("T4", { ticked: true }), planned("T1")];
  const edit = personsEdit(
    before.map((task) => known(task.key)),
    before,
    after,
  );
  expect(keys(edit.planned)).toEqual(["T3", "T4", "T1"]);
  expect(edit.planned[0]?.title).toBe("reworded");
  expect(edit.closed).toEqual(["T4"]);
});

test("what a window had reworded or removed does not come in with a later edit of the person", () => {
  const asWindowLeftIt = [planned("T1", { title: "easier" })];
  const asPersonLeftIt = [planned("T1", { title: "easier" }), planned("T3")];
  const edit = personsEdit([known("T1"), known("T2")], asWindowLeftIt, asPersonLeftIt);
  expect(keys(edit.planned)).toEqual(["T1", "T3", "T2"]);
  expect(edit.planned[0]?.title).toBe("title of T1");
});

test("a window's ticks are claims, and everything else it did to the list is named", () => {
  const before = [planned("T1"), planned("T2", { ticked: true }), planned("T3")];
  const after = [planned("T1", { ticked: true }), planned("T2"), planned("T9")];
  expect(windowsEdit(before, after)).toEqual({ claims: ["T1"], ignored: ["unticked T2", "added T9", "removed T3"] });
});
