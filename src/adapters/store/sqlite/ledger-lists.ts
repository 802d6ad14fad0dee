/** Questions to the ledger that change nothing. */
import type { RecordedAnswer } from "../../../core/money/call.ts";
import type { Scope, Spend } from "../../../core/money/cap.ts";
import type { CallFilter, CallRecord, Duplicate, Ledger } from "../../../ports/ledger.ts";
import { type AnswerFiles, findAnswer } from "./answers.ts";
import type { Database } from "./database.ts";
import { ofBatch, ofRun, selectCalls, toCall } from "./ledger-rows.ts";
import { readSpend } from "./ledger-sums.ts";
import { conditionsOf } from "./proof-sql.ts";
import { int, text } from "./rows.ts";

export function spendOf(db: Database, scopes: readonly Scope[]): readonly Spend[] {
  return scopes.map((scope) => readSpend(db, scope));
}

export function listCalls(db: Database, filter: CallFilter): readonly CallRecord[] {
  const wanted = wantedBy(filter).filter(([value]) => value !== undefined);
  const where = wanted.length === 0 ? "" : ` WHERE ${wanted.map(([, sql]) => sql).join(" AND ")}`;
  const params = Object.fromEntries(wanted.flatMap(([value, , name]) => (value === undefined ? [] : [[name, value]])));
  const limit = Math.min(Math.max(0, Math.trunc(filter.limit)), Number.MAX_SAFE_INTEGER);
  return db.all(`${selectCalls}${where} ORDER BY call.number LIMIT :limit`, { ...params, limit }).map(toCall);
}

type Condition = readonly [value: string | number | undefined, sql: string, name: string];

function wantedBy({ run, window, batch, key, states, from, to, after }: CallFilter): readonly Condition[] {
  return [
    [run, ofRun, "run"],
    [batch, ofBatch, "batch"],
    [window === undefined ? undefined : `window:${window}`, "key = :window", "window"],
    [key, "key = :key", "key"],
    [states === undefined ? undefined : JSON.stringify(states), "state IN (SELECT value FROM json_each(:states))", "states"],
    [from, "sent_at >= :from", "from"],
    [to, "sent_at < :to", "to"],
    [after, "call.number > :after", "after"],
  ];
}

export function answerOf(db: Database, files: AnswerFiles, id: string): RecordedAnswer | null {
  const row = db.get("SELECT number FROM call WHERE id = ? ORDER BY number DESC LIMIT 1", [id]);
  return row === undefined ? null : findAnswer(db, files, int(row, "number"));
}

/** The same request paid whole more than once. Another request at the same place (`on_divergence: pay`) is none, and so is one that a person had asked anew. */
export function duplicatesOf(
  db: Database,
  filter: Parameters<Ledger["duplicates"]>[0],
): { readonly sql: string; readonly rows: readonly Duplicate[] } {
  const sql = `SELECT key, seq, count(*) AS charges
FROM call
WHERE ${["state = 'done'", ...conditionsOf(filter)].join("\n  AND ")}
GROUP BY key, seq, hash, round
HAVING count(*) > 1
ORDER BY key, seq`;
  return { sql, rows: db.all(sql).map((row) => ({ key: text(row, "key"), seq: int(row, "seq"), charges: int(row, "charges") })) };
}
