/** The tables keep the rules by themselves: whoever writes past our statements is refused. */
import { expect, test } from "vitest";
import { readPragma } from "../../src/adapters/store/sqlite/connection.ts";
import { knownVersion, migrations } from "../../src/adapters/store/sqlite/migrations.ts";
import { taskMoves } from "../../src/core/task.ts";
import { night } from "./store-night.ts";
import { newWindow } from "./store-samples.ts";
import { openTables } from "./tables-kit.ts";

const { store, db, attempt } = await openTables();
for (const step of night.slice(0, 12)) await step(store);
await store.openWindow(newWindow("window-2"), 3100);

test("migrations are numbered from 1 without gaps, and the file says the last", () => {
  expect(migrations.map(({ version }) => version)).toEqual(Array.from({ length: knownVersion }, (_, n) => n + 1));
  expect(readPragma(db, "user_version")).toBe(knownVersion);
});

test.each([
  ["journal_mode", "wal"],
  ["synchronous", 2],
  ["foreign_keys", 1],
  ["busy_timeout", 0],
])("%s is %s", (pragma, value) => {
  expect(readPragma(db, pragma)).toBe(value);
});

test("every table is STRICT", () => {
  const tables = db
    .prepare("SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  expect(tables.length).toBeGreaterThan(8);
  expect(tables.filter(({ strict }) => strict !== 1)).toEqual([]);
});

const states = Object.keys(taskMoves) as (keyof typeof taskMoves)[];
test.each(
  states.flatMap((from) =>
    states.map((to): [string, string, boolean] => [from, to, from === to || Object.values(taskMoves[from]).includes(to as never)]),
  ),
)("the table task agrees with taskMoves on %s -> %s", (from, to, legal) => {
  const told = (state: string) => [
    `'${state}'`,
    state === "done" ? "'person'" : "NULL",
    /failed|blocked|waiting/.test(state) ? "'r'" : "''",
    /progress|checking/.test(state) ? "'run-1'" : "NULL",
  ];
  const columns = ["state", "done_by", "reason", "owner"];
  const fresh = `INSERT INTO task (plan, key, wording, ticked, position, priority, ${columns}) SELECT 1, 'X', '{}', 0, 9, 1, ${told(from)}`;
  const set = columns.map((column, index) => `${column} = ${told(to)[index]}`);
  expect(attempt(`${fresh}; UPDATE task SET ${set} WHERE key = 'X'`)).toBe(legal ? "done" : "refused");
});

test.each([
  ["an event is changed", "UPDATE event SET kind = 'x' WHERE id = 1"],
  ["an event is removed", "DELETE FROM event WHERE id = 1"],
  [
    "an event of a run that goes on is removed in the retention's name",
    "UPDATE retention SET before = 9999999; DELETE FROM event WHERE id = 1",
  ],
  ["a run has two open windows", "UPDATE window SET state = 'open', ended_at = NULL, result = NULL WHERE number = 1"],
  ["a run has two windows of one number", "UPDATE window SET number = 1 WHERE number = 2"],
  ["an ended window gets another result", "UPDATE window SET result = '{}' WHERE number = 1"],
  ["a window ends without a result", "UPDATE window SET state = 'ended', ended_at = 1 WHERE number = 2"],
  ["a run ends without a reason", "UPDATE run SET phase = 'ended', ended_at = 1"],
  ["a run ends for a reason that nobody knows", "UPDATE run SET phase = 'ended', ended_at = 1, stop_reason = 'tired'"],
  ["a run gets a phase that nobody knows", "UPDATE run SET phase = 'sleeping'"],
  [
    "an ended run goes on",
    "UPDATE run SET phase = 'ended', ended_at = 1, stop_reason = 'stopped'; UPDATE run SET phase = 'running', ended_at = NULL, stop_reason = NULL",
  ],
  ["a task is in progress with nobody", "UPDATE task SET state = 'in-progress' WHERE key = 'T3'"],
  ["a task has an owner and is pending", "UPDATE task SET owner = 'run-1' WHERE key = 'T3'"],
  [
    "a task goes from one run to another",
    "INSERT INTO run SELECT 'run-9', plan, worktree, branch, settings, phase, phase_since, state, decision, stop_reason, stop_detail, request, supervisor, started_at, ended_at, 0, 0 FROM run WHERE id = 'run-1'; UPDATE task SET state = 'in-progress', owner = 'run-1' WHERE key = 'T3'; UPDATE task SET owner = 'run-9' WHERE key = 'T3'",
  ],
  ["a lease is nobody's", "UPDATE task SET until_wall = 1, until_boot = 1, boot_id = 'b' WHERE key = 'T3'"],
  ["a board belongs to one worktree", "INSERT INTO plan (kind, repository, worktree, path) VALUES ('board', '/r', '/w', '')"],
  ["a move is changed afterwards", "UPDATE task_move SET why = 'x'"],
  ["a task is done by nobody", "UPDATE task SET state = 'done' WHERE key = 'T2'"],
  ["a task fails for no reason", "UPDATE task SET state = 'failed', reason = '' WHERE key = 'T2'"],
  ["a task is twice in a plan", "INSERT INTO task (plan, key, wording, ticked, position, priority) VALUES (1, 'T1', '{}', 0, 9, 1)"],
  ["a question is answered by nobody", "UPDATE question SET state = 'answered', answer = 'x', answered_at = 1"],
  [
    "an answer is changed",
    "UPDATE question SET state = 'answered', answer = 'x', answered_by = 'p', answered_at = 1; UPDATE question SET answer = 'y'",
  ],
  [
    "one question is open twice",
    "INSERT INTO question SELECT number + 1, run, window, source, text, context, options, default_answer, deadline_at, task, state, asked_at, answer, answered_by, answered_at, about FROM question",
  ],
  ["a plan is twice in a tree", "INSERT INTO plan (kind, repository, worktree, path) SELECT kind, repository, worktree, path FROM plan"],
  ["a run loses its plan", "DELETE FROM plan"],
  ["a window belongs to no run", "UPDATE window SET run = 'nobody' WHERE number = 2"],
])("it is refused that %s", (_what, sql) => {
  expect(attempt(sql)).toBe("refused");
});

test("what the statements do is still possible", () => {
  expect(attempt("UPDATE question SET state = 'answered', answer = 'x', answered_by = 'p', answered_at = 1")).toBe("done");
  expect(
    attempt(
      "UPDATE run SET phase = 'ended', ended_at = 1, stop_reason = 'stopped'; UPDATE retention SET before = 9999999; DELETE FROM event",
    ),
  ).toBe("done");
});
