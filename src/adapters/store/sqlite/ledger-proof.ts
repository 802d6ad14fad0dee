/** What the books say of themselves: each answer with the very SQL that was asked, so that whoever reads it can ask again with any other program. */
import type { Ledger, LedgerQuestion } from "../../../ports/ledger.ts";
import type { Database } from "./database.ts";
import { cell, conditionsOf } from "./proof-sql.ts";

type Filter = Parameters<Ledger["proof"]>[0];

/** The same as in src/core/money/held.ts; a test compares the two. */
const isUnknown = "(state IN ('open', 'cut', 'unknown') OR failure IN ('server-error', 'lost', 'unreadable', 'error-in-stream'))";

export function proofOf(db: Database, filter: Filter): readonly LedgerQuestion[] {
  return [
    ask(db, "totals", totals(filter), ["state", "calls", "micro_usd", "without_amount"]),
    ask(db, "unknown", unknown(filter), ["key", "seq", "try", "state", "failure", "at_least", "at_most"]),
    ask(db, "anew", anew(filter), ["key", "seq", "try", "round", "micro_usd"]),
    ask(db, "sums", sums(filter), ["kind", "id", "kept", "counted", "calls_kept", "calls_counted"]),
  ];
}

function ask(db: Database, name: LedgerQuestion["name"], sql: string, columns: readonly string[]): LedgerQuestion {
  const rows = db.all(sql).map((row) => columns.map((column) => cell(row[column])));
  return { name, sql, columns, rows };
}

function totals(filter: Filter): string {
  return `SELECT state, count(*) AS calls, ifnull(sum(cost), 0) AS micro_usd,
  sum(cost IS NULL AND state IN ('done', 'cut')) AS without_amount
FROM call${where(filter)}
GROUP BY state
ORDER BY state`;
}

function unknown(filter: Filter): string {
  return `SELECT key, seq, try, state, failure, ifnull(cost, 0) AS at_least, upper AS at_most
FROM call${where(filter, isUnknown)}
ORDER BY number`;
}

/** Paid again because a person asked for it (`batch retry --anew`): the place was paid in an earlier round of its job. */
function anew(filter: Filter): string {
  return `SELECT key, seq, try, round, ifnull(cost, 0) AS micro_usd
FROM call${where(filter, "state = 'done'", "round > 0", earlierRound)}
ORDER BY number`;
}

const earlierRound = `EXISTS (
    SELECT 1 FROM call AS earlier
    WHERE earlier.key = call.key AND earlier.seq = call.seq AND earlier.round < call.round AND earlier.state = 'done'
  )`;

/** Sums that also hold calls which were not asked for (a day's, a month's) are told only when everything is. */
function sums(filter: Filter): string {
  const kinds = filter.run !== undefined ? "('run', 'window')" : filter.batch !== undefined ? "('batch', 'job')" : null;
  return `SELECT spend.kind, spend.id, spend.spent AS kept, sum(ifnull(call.cost, 0)) AS counted,
  spend.calls AS calls_kept, count(*) AS calls_counted
FROM call
JOIN json_each(call.scopes) AS scope
JOIN spend ON spend.number = scope.value${where(filter, ...(kinds === null ? [] : [`spend.kind IN ${kinds}`]))}
GROUP BY spend.number
ORDER BY spend.kind, spend.id`;
}

function where(filter: Filter, ...more: readonly string[]): string {
  const conditions = [...conditionsOf(filter), ...more];
  return conditions.length === 0 ? "" : `\nWHERE ${conditions.join("\n  AND ")}`;
}
