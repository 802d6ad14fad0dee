/** What was only heard of: calls made past the gateway, and which answers were a subagent's. */
import type { WindowId } from "../../../core/ids.ts";
import { countsAsUnknown } from "../../../core/money/held.ts";
import type { ReportedCall } from "../../../ports/ledger.ts";
import type { Database } from "./database.ts";
import { ownerMay } from "./ledger-owners.ts";
import { amount, insertCall, ofReport } from "./ledger-rows.ts";
import { Sums } from "./ledger-sums.ts";
import { int } from "./rows.ts";

const known = "SELECT 1 FROM call WHERE id = :id";
const taken = "SELECT 1 FROM call WHERE key = :key AND seq = :seq AND try = :try";
const nextSeq = "SELECT max(seq) + 1 AS seq FROM call WHERE key = :key";
/** Newest first: what a stream tells of has only just happened. */
const mark = `UPDATE call SET subagent = :subagent WHERE number =
  (SELECT number FROM call WHERE key = :key AND message = :message ORDER BY seq DESC, try DESC LIMIT 1)`;

export function reportCalls(db: Database, calls: readonly ReportedCall[]): void {
  db.write("reportCalls", "last-word", () => {
    const sums = new Sums(db);
    for (const call of calls) reportCall(db, sums, call);
    sums.write();
  });
}

function reportCall(db: Database, sums: Sums, call: ReportedCall): void {
  if (db.get(known, { id: call.id }) !== undefined) return;
  const row = ofReport(call, freePlace(db, call.key), !ownerMay(db, call.owner));
  db.insert(insertCall, row);
  const unknown = Number(countsAsUnknown(call.result.end, call.result.failure));
  for (const scope of call.scopes) sums.add(scope, { spentMicroUsd: amount(call.costMicroUsd) ?? 0, heldMicroUsd: 0, calls: 1, unknown });
}

/** Another call at this place is another call, not a repetition of this one: it goes to the end. */
function freePlace(db: Database, key: ReportedCall["key"]): ReportedCall["key"] {
  if (db.get(taken, { ...key }) === undefined) return key;
  const row = db.get(nextSeq, { key: key.key });
  return row === undefined ? key : { key: key.key, seq: int(row, "seq"), try: 1 };
}

export function markSubagents(db: Database, window: WindowId, messages: ReadonlyMap<string, boolean>): void {
  if (messages.size === 0) return;
  db.write("markSubagents", "last-word", () => {
    for (const [message, isSubagent] of messages)
      db.run(mark, { key: `window:${window}`, message: JSON.stringify(message), subagent: Number(isSubagent) });
  });
}
