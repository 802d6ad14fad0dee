import fc from "fast-check";
import { expect, test } from "vitest";
import { addTask, editTask, firstMoves, mergeList, type WordChange } from "../../src/core/board-words.ts";
import { taskKey } from "../../src/core/ids.ts";
import type { PlannedTask, Task } from "../../src/core/task.ts";
import { boardTask } from "./task-kit.ts";

const board = [boardTask("T1"), boardTask("T-7", { after: ["T1"] }), boardTask("T3", { after: ["T-7"], state: "done", doneBy: "person" })];

function outcome(change: WordChange): string {
  return change.kind === "refused" ? change.reason : `${change.task.key} ${change.changed.join(", ")}`;
}

test.each<[string, readonly Task[], string | null, Parameters<typeof addTask>[2], string]>([
  ["the first key is T1", [], null, { title: "A" }, "T1 title"],
  ["a made key is the first that was never used", board, null, { title: "A" }, "T2 title"],
  ["a key of one's own stays", board, "T-8", { title: "A" }, "T-8 title"],
  ["a twin is named, in any case", board, "t-7", { title: "A" }, "there is a task T-7 already: Task T-7"],
  ["what it waits for is named in any case", board, null, { title: "A", after: ["t1", "T1"] }, "T2 title, after"],
  ["what is not there is named", board, null, { title: "A", after: ["T9"] }, "T2 would wait for T9, which is not on the board"],
  ["it does not wait for itself", board, "T-8", { title: "A", after: ["T-8"] }, "tasks would wait for each other: T-8 -> T-8"],
])("add: %s", (_name, known, key, words, said) => {
  expect(outcome(addTask(known, key === null ? null : taskKey(key), words))).toBe(said);
});

test.each<[string, string, Parameters<typeof editTask>[2], string]>([
  ["only what is given changes", "t1", { title: "New", priority: 2 }, "T1 title, priority"],
  ["the same words are no change", "T1", { title: "Task T1", objective: "" }, "T1 "],
  ["an empty list takes away", "T-7", { after: [] }, "T-7 after"],
  ["a way round is shown", "T1", { after: ["T3"] }, "tasks would wait for each other: T1 -> T3 -> T-7 -> T1"],
  ["an unknown key is named", "T9", { title: "x" }, "there is no task T9 on the board"],
])("edit: %s", (_name, key, words, said) => {
  expect(outcome(editTask(board, key, words))).toBe(said);
});

const listed = (key: string, title: string, rest: Partial<PlannedTask> = {}): PlannedTask => {
  const {
    state: _s,
    position: _p,
    attempts: _a,
    doneBy: _d,
    reason: _r,
    lastEvidence: _l,
    owner: _o,
    ...words
  } = boardTask(key, { title });
  return { ...words, ...rest };
};

test("import: known keys keep their place, the same words are no news, others are edits", () => {
  const merge = mergeList(board, [listed("t1", "Task T1"), listed("T-7", "Another"), listed("T-9", "New")], [taskKey("T3"), taskKey("T1")]);
  expect(merge).toMatchObject({
    added: [{ key: "T-9" }],
    edited: [{ task: { key: "T-7" }, changed: ["title", "after"] }],
    unchanged: ["T1"],
    gone: ["T3"],
    ticked: [],
  });
});

test("import: a task without a key is known by its title, and else is a new one that takes nobody's key", () => {
  const list = [
    listed("T1", "Task T3", { keyGiven: false, ticked: true }),
    listed("T2", "Something else", { keyGiven: false, dependsOn: [taskKey("T1")] }),
  ];
  const merge = mergeList(board, list);
  expect(merge.tasks.map(({ key, dependsOn, keyGiven }) => [key, keyGiven, dependsOn])).toEqual([
    ["T3", true, []],
    ["T2", true, ["T3"]],
  ]);
  expect([...merge.keysInList]).toEqual([
    ["T3", "T1"],
    ["T2", "T2"],
  ]);
});

test("import: a mark is no move of a task that is there, and is named", () => {
  expect(mergeList(board, [listed("T1", "Task T1", { ticked: true }), listed("T3", "Task T3", { ticked: true })]).ticked).toEqual(["T1"]);
});

test("import: whatever two lists say, keys stay unique and a list read twice is no news", () => {
  const title = fc.constantFrom("a", "b", "c", "d");
  const list = fc.uniqueArray(fc.tuple(fc.constantFrom("T1", "T2", "T3", "T-4"), title, fc.boolean()), { selector: ([key]) => key });
  fc.assert(
    fc.property(list, list, (first, second) => {
      const read = (rows: typeof first) => rows.map(([key, name, keyGiven]) => listed(key, name, { keyGiven }));
      const put = (known: readonly Task[], tasks: readonly PlannedTask[]): readonly Task[] => {
        const merged = new Map(known.map((task) => [task.key, task]));
        for (const task of tasks) merged.set(task.key, { ...boardTask(task.key), ...task });
        return [...merged.values()];
      };
      const once = put([], mergeList([], read(first)).tasks);
      const merge = mergeList(once, read(second));
      expect(new Set(merge.tasks.map(({ key }) => key)).size).toBe(second.length);
      const twice = put(once, merge.tasks);
      expect(mergeList(twice, read(second))).toMatchObject({ added: [], edited: [] });
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["what a person ticked is done", listed("T1", "a", { ticked: true }), false, "close"],
  ["what nobody can check is held back", listed("T1", "a"), false, "block"],
  ["a person's yes lets it go", listed("T1", "a"), true, undefined],
])("new tasks: %s", (_name, task, yes, move) => {
  expect(firstMoves([task], { yes })[0]?.move).toBe(move);
});
