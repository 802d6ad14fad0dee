/** The ledger's tables keep its rules by themselves: whoever writes past our statements is refused. */
import { expect, test } from "vitest";
import { type CallState, callMoves, callStates } from "../../src/core/money/call.ts";
import { answer, asked, closing, intent } from "./ledger-kit.ts";
import { newWindow, startRun } from "./store-samples.ts";
import { openTables } from "./tables-kit.ts";

const { store, attempt } = await openTables();
await startRun(store);
await store.openWindow(newWindow(), 2000);
await store.ledger.open([intent("c1"), intent("c2"), asked("j1", 1)]);
await store.ledger.close([closing("c1"), closing("j1", { answer: answer("x") })]);

const columns = "id, source, owner, parent, key, seq, try, hash, request, scopes, sent_at, held, state, ended_at, result";

function row(state: CallState, change: Readonly<Record<string, string>> = {}): string {
  const ended = state === "open" ? ["NULL", "NULL"] : ["1", "'{}'"];
  const values = [
    "'x'",
    "'gateway'",
    "'window'",
    "'run-1'",
    "'window:w'",
    "1",
    "1",
    "'h'",
    "'{}'",
    "'[]'",
    "1",
    "0",
    `'${state}'`,
    ...ended,
  ];
  return `INSERT INTO call (${columns}) VALUES (${columns
    .split(", ")
    .map((name, at) => change[name] ?? values[at])
    .join(", ")})`;
}

test.each(callStates.flatMap((from) => callStates.map((to): [CallState, CallState, boolean] => [from, to, callMoves[from].includes(to)])))(
  "the table call agrees with callMoves on %s -> %s",
  (from, to, legal) => {
    const end = to === "open" ? "ended_at = NULL, result = NULL" : "ended_at = 2, result = '{}'";
    expect(attempt(`${row(from)}; UPDATE call SET state = '${to}', ${end} WHERE id = 'x'`)).toBe(legal ? "done" : "refused");
  },
);

test.each([
  ["a place is taken twice", `${row("open")}; ${row("open", { id: "'y'" })}`],
  ["a reported call is told twice", `${row("done", { source: "'reported'" })}; ${row("done", { source: "'reported'", seq: "2" })}`],
  ["a call has a state that nobody knows", row("open", { state: "'paid'" })],
  ["an open call has ended", row("open", { ended_at: "1", result: "'{}'" })],
  ["a closed call has no end", row("done", { ended_at: "NULL" })],
  ["a closed call has no result", row("done", { result: "NULL" })],
  ["a call holds less than nothing", row("open", { held: "-1" })],
  ["a place is before the first", row("open", { seq: "0" })],
  ["a window's call has another's key", row("open", { key: "'2026-11:1:v1'" })],
  ["a job's call has no attempt", row("open", { owner: "'job'", key: "'run-1:1:v1'" })],
  [
    "a call fails for a reason that nobody knows",
    "UPDATE call SET state = 'failed', failure = 'tired', ended_at = 1, result = '{}' WHERE id = 'c2'",
  ],
  ["a cost is changed", "UPDATE call SET cost = 1 WHERE id = 'c1'"],
  ["what a call was asked for is changed", "UPDATE call SET request = '{}' WHERE id = 'c1'"],
  ["an intent is moved to another key", "UPDATE call SET key = 'window:y' WHERE id = 'c2'"],
  ["a call is removed", "DELETE FROM call WHERE id = 'c1'"],
  [
    "a call of a run that goes on is removed in the retention's name",
    "UPDATE retention SET before = 99999; DELETE FROM call WHERE id = 'c1'",
  ],
  ["a sum falls", "UPDATE spend SET spent = spent - 1 WHERE kind = 'run'"],
  ["a sum becomes another's", "UPDATE spend SET id = 'run-2' WHERE kind = 'run'"],
  ["a sum is removed", "DELETE FROM spend WHERE kind = 'run'"],
  ["a sum is there twice", "INSERT INTO spend (kind, id, spent, held, calls, unknown) VALUES ('run', 'run-1', 0, 0, 0, 0)"],
  ["prices are changed afterwards", "UPDATE tariff SET price = '{}'"],
  ["an answer has a body and a file", "UPDATE answer SET file = 'x'"],
  ["an answer has neither", "UPDATE answer SET body = NULL"],
  ["an answer belongs to no call", "INSERT INTO answer (call, status, headers, bytes, body) VALUES (99, 200, '[]', 0, x'')"],
])("it is refused that %s", (_what, sql) => {
  expect(attempt(sql)).toBe("refused");
});

const ended = "UPDATE run SET phase = 'ended', ended_at = 1, stop_reason = 'stopped'; UPDATE retention SET before = 9999999";

test("the retention may remove old calls of ended runs, but neither the newest call nor a job's", () => {
  expect(attempt(`${ended}; DELETE FROM call WHERE owner = 'window'`)).toBe("done");
  expect(attempt(`${ended}; DELETE FROM call WHERE id = 'j1'`)).toBe("refused");
  expect(attempt(`${ended}; ${row("done")}; DELETE FROM call WHERE id = 'x'`)).toBe("refused");
});
