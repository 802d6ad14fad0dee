import { expect, test } from "vitest";
import { taskKey } from "../../src/core/ids.ts";
import { blockedByFailed, claimable } from "../../src/core/plan-order.ts";
import type { Task, TaskState } from "../../src/core/task.ts";

type Row = readonly [key: string, state: TaskState, after?: readonly string[], priority?: number];

const tasks = (...rows: readonly Row[]): Task[] =>
  rows.map(([key, state, after = [], priority = 1000], position) => ({
    key: taskKey(key),
    keyGiven: true,
    title: key,
    objective: "",
    criteria: [],
    context: [],
    dependsOn: after.map(taskKey),
    priority,
    ticked: false,
    state,
    position,
    attempts: 0,
    doneBy: null,
    reason: "",
    lastEvidence: "",
    owner: null,
  }));

test.each<[string, Row[], string[]]>([
  [
    "only pending tasks can be worked",
    [
      ["A", "done"],
      ["B", "pending"],
      ["C", "failed"],
      ["D", "blocked"],
    ],
    ["B"],
  ],
  [
    "the order is the plan's",
    [
      ["B", "pending"],
      ["A", "pending"],
    ],
    ["B", "A"],
  ],
  [
    "a smaller priority goes first",
    [
      ["A", "pending"],
      ["B", "pending", [], 2],
      ["C", "pending", [], 1],
      ["D", "pending", [], 2],
    ],
    ["C", "B", "D", "A"],
  ],
  [
    "a task waits for each of its dependencies",
    [
      ["A", "done"],
      ["B", "pending"],
      ["C", "pending", ["A", "B"]],
      ["D", "pending", ["A"]],
    ],
    ["B", "D"],
  ],
  [
    "a dependency outranks priority",
    [
      ["A", "pending", [], 5],
      ["B", "pending", ["A"], 1],
    ],
    ["A"],
  ],
  [
    "a failed or blocked dependency holds",
    [
      ["A", "failed"],
      ["B", "blocked"],
      ["C", "pending", ["A"]],
      ["D", "pending", ["B"]],
    ],
    [],
  ],
  ["a dependency that is not in the list holds", [["A", "pending", ["gone"]]], []],
  [
    "a circle holds itself",
    [
      ["A", "pending", ["B"]],
      ["B", "pending", ["A"]],
    ],
    [],
  ],
])("%s", (_name, rows, expected) => {
  expect(claimable(tasks(...rows)).map((task) => task.key)).toEqual(expected);
});

test.each<[string, Row[], [string, string][]]>([
  [
    "nothing is unreachable without a failure",
    [
      ["A", "pending"],
      ["B", "pending", ["A"]],
    ],
    [],
  ],
  [
    "what waits for a failed task is unreachable (B147)",
    [
      ["A", "failed"],
      ["B", "pending", ["A"]],
    ],
    [["B", "A"]],
  ],
  [
    "the root is named, however long the way",
    [
      ["A", "failed"],
      ["B", "pending", ["A"]],
      ["C", "pending", ["B"]],
    ],
    [
      ["B", "A"],
      ["C", "A"],
    ],
  ],
  [
    "a done task on the way ends it",
    [
      ["A", "failed"],
      ["B", "done", ["A"]],
      ["C", "pending", ["B"]],
    ],
    [],
  ],
  [
    "a blocked task on the way passes it on and is not listed",
    [
      ["A", "failed"],
      ["B", "blocked", ["A"]],
      ["C", "pending", ["B"]],
    ],
    [["C", "A"]],
  ],
  [
    "of two failed tasks the first in the plan is named",
    [
      ["A", "failed"],
      ["B", "failed"],
      ["C", "pending", ["B", "A"]],
    ],
    [["C", "A"]],
  ],
  [
    "a dependency that is not in the list is a reason too",
    [
      ["A", "pending", ["gone"]],
      ["B", "pending", ["A"]],
    ],
    [
      ["A", "gone"],
      ["B", "gone"],
    ],
  ],
  [
    "a circle behind a failure does not hang",
    [
      ["A", "failed"],
      ["B", "pending", ["A", "C"]],
      ["C", "pending", ["B"]],
    ],
    [
      ["B", "A"],
      ["C", "A"],
    ],
  ],
  [
    "a circle of its own is no failure and does not hang",
    [
      ["A", "pending", ["B"]],
      ["B", "pending", ["A"]],
      ["C", "pending", ["C"]],
    ],
    [],
  ],
])("%s", (_name, rows, expected) => {
  expect(blockedByFailed(tasks(...rows))).toEqual(expected.map(([key, by]) => ({ key, by })));
});

test("a chain of 10,000 tasks is ordered in a moment (B152)", () => {
  const chain = tasks(
    ...Array.from(
      { length: 10_000 },
      (_unused, index): Row => [`T${index}`, index === 0 ? "failed" : "pending", index === 0 ? [] : [`T${index - 1}`]],
    ),
  );
  const startedAt = performance.now();
  expect(blockedByFailed(chain).length).toBe(9999);
  expect(claimable(chain)).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(200);
});
