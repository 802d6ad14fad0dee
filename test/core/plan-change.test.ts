import fc from "fast-check";
import { expect, test } from "vitest";
import { taskKey } from "../../src/core/ids.ts";
import { comparePlans, matchPlan, type PlanChange } from "../../src/core/plan-change.ts";
import type { PlannedTask } from "../../src/core/task.ts";

const base: PlannedTask = {
  key: taskKey("T1"),
  keyGiven: true,
  title: "",
  objective: "",
  criteria: [],
  context: [],
  dependsOn: [],
  priority: 1000,
  ticked: false,
};
const given = (key: string, title: string, change: Partial<PlannedTask> = {}): PlannedTask => ({
  ...base,
  key: taskKey(key),
  title,
  ...change,
});
/** Without keys of their own: T1, T2, … by order. */
const list = (...titles: readonly string[]): PlannedTask[] =>
  titles.map((title, index) => given(`T${index + 1}`, title, { keyGiven: false }));
const nothing: PlanChange = { ticked: [], unticked: [], added: [], removed: [], reworded: [] };
const change = (part: Partial<Record<keyof PlanChange, string[]>>) => ({ ...nothing, ...part });
const [a, b] = [given("A-1", "Add"), given("B-1", "Build")];
const command = { kind: "command", text: "run: npm test", command: "npm test" } as const;

test.each<[string, PlannedTask[], PlannedTask[], Partial<Record<keyof PlanChange, string[]>>]>([
  ["equal plans differ in nothing", [a, b], [a, b], {}],
  ["another order is no change", [a, b], [b, a], {}],
  ["a new mark is a tick", [a, b], [{ ...a, ticked: true }, b], { ticked: ["A-1"] }],
  ["a mark taken out is named", [{ ...a, ticked: true }, b], [a, b], { unticked: ["A-1"] }],
  ["a task that vanished is named (B150)", [a, b], [b], { removed: ["A-1"] }],
  ["a new task is added, and its mark is no tick", [a], [a, { ...b, ticked: true }], { added: ["B-1"] }],
  ["another title under the same key is reworded", [a], [given("A-1", "Append")], { reworded: ["A-1"] }],
  ["another objective is reworded", [a], [{ ...a, objective: "x" }], { reworded: ["A-1"] }],
  ["another criterion is reworded", [{ ...a, criteria: [command] }], [a], { reworded: ["A-1"] }],
  ["another context is reworded", [a], [{ ...a, context: ["x"] }], { reworded: ["A-1"] }],
  ["another allowance is reworded", [a], [{ ...a, allows: ["delete dist/"] }], { reworded: ["A-1"] }],
  ["another dependency is reworded", [a, b], [a, { ...b, dependsOn: [a.key] }], { reworded: ["B-1"] }],
  ["another priority is reworded", [a], [{ ...a, priority: 1 }], { reworded: ["A-1"] }],
  ["a task may be ticked and reworded at once", [a], [given("A-1", "Less", { ticked: true })], { ticked: ["A-1"], reworded: ["A-1"] }],
  ["a task given another key is another task", [a], [given("A-2", "Add")], { added: ["A-2"], removed: ["A-1"] }],
  ["a line put in above moves nobody", list("Add", "Build"), list("First", "Add", "Build"), { added: ["T3"] }],
  ["a line taken out above moves nobody", list("Add", "Build"), list("Build"), { removed: ["T1"] }],
  ["a title reworded in its place is reworded", list("Add", "Build"), list("Add", "Bake"), { reworded: ["T2"] }],
  ["twins in title keep their order", list("Same", "Same"), list("Same", "Other", "Same"), { added: ["T3"] }],
  ["a key written where it was only shown changes nothing", list("Add", "Build"), [given("T1", "Add"), given("T2", "Build")], {}],
  ["a key taken away changes nothing", [given("T1", "Add"), given("K-2", "Build")], list("Add", "Build"), {}],
  [
    "a given key that was made for another task takes nothing from it",
    list("Add"),
    [given("T1", "Build"), given("T2", "Add", { keyGiven: false })],
    { added: ["T2"] },
  ],
  ["every task of an empty list is added", [], [a, b], { added: ["A-1", "B-1"] }],
])("%s", (_name, before, after, expected) => {
  expect(comparePlans(before, after)).toEqual(change(expected));
});

test("dependencies follow their task when made keys move", () => {
  const [add, build] = list("Add", "Build");
  const before = [add, { ...build, dependsOn: [taskKey("T1")] }] as PlannedTask[];
  const [first, addNow, buildNow] = list("First", "Add", "Build");
  const after = [first, addNow, { ...buildNow, dependsOn: [taskKey("T2")] }] as PlannedTask[];
  expect(comparePlans(before, after)).toEqual(change({ added: ["T3"] }));
  expect(matchPlan(before, after)).toEqual({
    tasks: [{ ...first, key: "T3" }, add, before[1]],
    keysInPlan: new Map([
      ["T3", "T1"],
      ["T1", "T2"],
      ["T2", "T3"],
    ]),
  });
});

const anyList = fc
  .array(
    fc.record({
      title: fc.constantFrom("a", "b", "c", "d"),
      keyGiven: fc.boolean(),
      key: fc.constantFrom("K-1", "K-2", "T1", "T2"),
      ticked: fc.boolean(),
    }),
    { maxLength: 6 },
  )
  .map((drafts) => {
    const seen = new Set<string>();
    const kept = drafts.map((draft) => ({
      ...draft,
      keyGiven: draft.keyGiven && !seen.has(draft.key) && seen.add(draft.key) !== undefined,
    }));
    let next = 0;
    return kept.map((draft): PlannedTask => {
      if (draft.keyGiven) return { ...base, ...draft, key: taskKey(draft.key) };
      do next += 1;
      while (seen.has(`T${next}`));
      return { ...base, ...draft, key: taskKey(`T${next}`) };
    });
  });

test("keys stay unique, each leads to one task of the later plan, and no change is counted twice", () => {
  fc.assert(
    fc.property(anyList, anyList, (before, after) => {
      const { tasks, keysInPlan } = matchPlan(before, after);
      expect(new Set(tasks.map((task) => task.key)).size).toBe(after.length);
      expect(tasks.map((task) => keysInPlan.get(task.key))).toEqual(after.map((task) => task.key));
      const { added, removed, ticked, unticked } = comparePlans(before, after);
      expect(before.length + added.length - removed.length).toBe(after.length);
      expect(ticked.filter((key) => unticked.includes(key) || added.includes(key) || removed.includes(key))).toEqual([]);
    }),
  );
});

test("a plan compared with itself has no change", () => {
  fc.assert(
    fc.property(anyList, (plan) => {
      expect(comparePlans(plan, plan)).toEqual(nothing);
    }),
  );
});

test("10,000 tasks without keys, all moved by one line, are matched in a moment (B152)", () => {
  const titles = Array.from({ length: 10_000 }, (_unused, index) => `Task ${index}`);
  const startedAt = performance.now();
  expect(comparePlans(list(...titles), list("New", ...titles)).added).toEqual(["T10001"]);
  expect(comparePlans([], list(...titles)).added.length).toBe(10_000);
  expect(performance.now() - startedAt).toBeLessThan(1000);
});
