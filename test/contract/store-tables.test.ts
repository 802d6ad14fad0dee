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
  const set = (state: string) =>
    `state = '${state}', done_by = ${state === "done" ? "'person'" : "NULL"}, reason = ${/failed|blocked/.test(state) ? "'r'" : "''"}`;
  const fresh = "INSERT INTO task (plan, key, wording, ticked, position, state, done_by, reason) SELECT 1, 'X', '{}', 0, 9";
  const values = `'${from}', ${from === "done" ? "'person'" : "NULL"}, ${/failed|blocked/.test(from) ? "'r'" : "''"}`;
  expect(attempt(`${fresh}, ${values}; UPDATE task SET ${set(to)} WHERE key = 'X'`)).toBe(legal ? "done" : "refused");
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
  ["a task is done by nobody", "UPDATE task SET state = 'done' WHERE key = 'T2'"],
  ["a task fails for no reason", "UPDATE task SET state = 'failed', reason = '' WHERE key = 'T2'"],
  ["a task is twice in a plan", "INSERT INTO task (plan, key, wording, ticked, position) VALUES (1, 'T1', '{}', 0, 9)"],
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
