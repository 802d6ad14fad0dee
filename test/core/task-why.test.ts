import { expect, test } from "vitest";
import { runId } from "../../src/core/ids.ts";
import type { Task } from "../../src/core/task.ts";
import { whyTask } from "../../src/core/task-why.ts";
import { boardTask } from "./task-kit.ts";

const owner = runId("run-1");
const done = boardTask("T1", { state: "done", doneBy: "verified" });

test.each<[string, Task, readonly Task[], string]>([
  ["one that is free is next", boardTask("T2"), [done], "is open, and nobody has taken it; it is the next"],
  [
    "one behind others says how many",
    boardTask("T2", { position: 1 }),
    [boardTask("T1"), boardTask("T3", { priority: 1, position: 2 })],
    "is open, and nobody has taken it; 2 tasks come first",
  ],
  [
    "one that was claimed and refused says why",
    boardTask("T2", { lastEvidence: "exit code 1\n2 failed" }),
    [],
    "is open, and nobody has taken it; it is the next. Its last claim was refused: exit code 1",
  ],
  ["one that is worked on names who", boardTask("T2", { state: "in-progress", owner }), [], "is in progress with alice"],
  ["one that is measured says so", boardTask("T2", { state: "checking", owner }), [], "is being checked: alice says that it is done"],
  ["one that was verified says so", done, [], "is done: verified by its criteria"],
  [
    "one that was claimed says so",
    boardTask("T1", { state: "done", doneBy: "claimed" }),
    [],
    "is done: claimed, and nothing of it could be checked",
  ],
  ["one that a person closed says so", boardTask("T1", { state: "done", doneBy: "person" }), [], "is done: a person said so"],
  [
    "one that failed names attempts and the way on",
    boardTask("T2", { state: "failed", reason: "3 attempts are used up", attempts: 3 }),
    [],
    "failed after 3 attempts: 3 attempts are used up (midwatch task retry T2)",
  ],
  [
    "one that a person blocked says why",
    boardTask("T2", { state: "blocked", reason: "waits for the design" }),
    [],
    "is blocked by a person: waits for the design (midwatch task retry T2)",
  ],
  [
    "one that suits no unattended run was blocked by nobody",
    boardTask("T2", { state: "blocked", reason: "suits no unattended run: nothing in it can be checked" }),
    [],
    "is blocked: suits no unattended run: nothing in it can be checked (midwatch task retry T2)",
  ],
  [
    "one with a question names it",
    boardTask("T2", { state: "waiting-person", reason: "Q4: Red or blue?\nFor the button." }),
    [],
    "waits for the answer to Q4: Red or blue?",
  ],
  [
    "what it waits for is named, and who has that",
    boardTask("T2", { after: ["T1", "T3"] }),
    [done, boardTask("T3", { state: "in-progress", owner })],
    "waits for T3, which is in progress with alice",
  ],
  [
    "of what it waits for the done ones are left out",
    boardTask("T2", { after: ["T1"] }),
    [done],
    "is open, and nobody has taken it; it is the next",
  ],
  [
    "what stands behind that is named too",
    boardTask("T4", { after: ["T3"] }),
    [boardTask("T3", { after: ["T2"] }), boardTask("T2", { state: "failed", reason: "no", attempts: 1 })],
    "waits for T3, which waits for T2, which failed after 1 attempt: no (midwatch task retry T2)",
  ],
  [
    "a long way names its end",
    boardTask("T4", { after: ["T3"] }),
    [
      boardTask("T3", { after: ["T2"] }),
      boardTask("T2", { after: ["T1"] }),
      boardTask("T1", { state: "waiting-person", reason: "Q4: Red?" }),
    ],
    "waits for T3, which waits for T1 in the end, which waits for the answer to Q4: Red?",
  ],
  ["what is not there is named", boardTask("T2", { after: ["T9"] }), [], "waits for T9, which is not on the board"],
  [
    "a way round ends",
    boardTask("T2", { after: ["T3"] }),
    [boardTask("T3", { after: ["T2"] })],
    "waits for T3, which is open, and nobody has taken it",
  ],
])("%s", (_name, task, others, said) => {
  expect(whyTask(task, { tasks: [task, ...others], ownerOf: () => "alice" })).toBe(said);
});
