import { expect, test } from "vitest";
import { taskKey } from "../../src/core/ids.ts";
import { personMove, type Wish } from "../../src/core/person-move.ts";
import { type TaskState, taskMoves } from "../../src/core/task.ts";

const key = taskKey("T1");
const nothing = { why: "", question: null };
const states = Object.keys(taskMoves) as TaskState[];

test.each<[Wish, Partial<Record<TaskState, string>>]>([
  ["done", { pending: "close", "in-progress": "close", checking: "close", failed: "close", blocked: "close", "waiting-person": "close" }],
  ["block", { pending: "block", "in-progress": "block", checking: "block", "waiting-person": "block" }],
  ["retry", { failed: "retry", blocked: "unblock", "waiting-person": "unblock", done: "reopen" }],
])("%s moves a task along the table from some states and is refused in the others", (wish, moves) => {
  for (const state of states) {
    const move = personMove({ key, state, reason: "r" }, wish, { why: "because", question: null });
    expect([state, move.kind === "move" ? move.move : undefined]).toEqual([state, moves[state]]);
    if (move.kind === "move") expect(taskMoves[state]).toHaveProperty(move.move);
  }
});

test.each<[string, TaskState, Wish, Parameters<typeof personMove>[2], string, string]>([
  ["a done task is not closed again", "done", "done", nothing, "is done already", ""],
  [
    "a done task is not tried again without a word",
    "done",
    "retry",
    nothing,
    "is done: say why it is to be done again",
    'midwatch task retry T1 --why "…"',
  ],
  ["an open task is not tried again", "in-progress", "retry", nothing, "is in-progress already: there is nothing to try again", ""],
  ["a failed task is not blocked", "failed", "block", nothing, "is failed: only an open task can be blocked", ""],
  ["a blocked task says why it is", "blocked", "block", nothing, "is blocked already: Q4: Red?", ""],
  [
    "a question comes first",
    "waiting-person",
    "done",
    { why: "", question: "Q4" },
    "waits for the answer to Q4: Red?",
    "answer it, which sets the task going: midwatch answer Q4 …",
  ],
])("%s", (_name, state, wish, said, reason, next) => {
  expect(personMove({ key, state, reason: "Q4: Red?" }, wish, said)).toEqual({ kind: "refused", reason, next });
});
