/** What was only heard of: calls made past the gateway, and which answers were a subagent's. */
import type { WindowId } from "../../../core/ids.ts";
import { countsAsUnknown } from "../../../core/money/held.ts";
import type { ReportedCall } from "../../../ports/ledger.ts";
import type { Database } from "./database.ts";
import { keyOf, ownerMay } from "./ledger-owners.ts";
import { askedValues, endedValues, endOf, insertReport } from "./ledger-rows.ts";
import { type Sums, sumsOf } from "./ledger-sums.ts";
import { tariffOf } from "./ledger-tariffs.ts";
import { int } from "./rows.ts";

const known = "SELECT 1 FROM call WHERE id = ? AND source = 'reported'";
const taken = "SELECT 1 FROM call WHERE key = :key AND seq = :seq AND try = :try";
const nextSeq = "SELECT max(seq) + 1 AS seq FROM call WHERE key = :key";
/** Newest first: what a stream tells of has only just happened. */
const mark = `UPDATE call SET subagent = :subagent WHERE number =
  (SELECT number FROM call WHERE key = :key AND message = :message ORDER BY seq DESC, try DESC LIMIT 1)`;

export function reportCalls(db: Database, calls: readonly ReportedCall[]): void {
  db.write("reportCalls", "last-word", () => {
    const sums = sumsOf(db);
    for (const call of calls) if (db.get(known, [call.id]) === undefined) reportCall(db, sums, call);
    sums.write();
  });
}

function reportCall(db: Database, sums: Sums, call: ReportedCall): void {
  const { result, at, price, scopes, subagent } = call;
  const links = { tariff: tariffOf(db, price), sums: scopes.map((scope) => sums.take(scope)) };
  const asked = askedValues({ call, key: freePlace(db, { ...call.key, key: keyOf(call.owner) }), links, upper: null, at });
  const end = endOf(result, null, call.costMicroUsd);
  const marks = [Number(!ownerMay(db, call.owner)), subagent === null ? null : Number(subagent)];
  db.noteNewest({ call: db.insert(insertReport, [...asked, ...marks, ...endedValues(end, result, at)]) });
  const unknown = Number(countsAsUnknown(end.state, end.failure));
  sums.add(links.sums, { spentMicroUsd: end.cost ?? 0, heldMicroUsd: end.held, calls: 1, unknown });
}

/** Another call at this place is another call, not a repetition of this one: it goes to the end. */
function freePlace(db: Database, key: ReportedCall["key"]): ReportedCall["key"] {
  if (db.get(taken, { ...key }) === undefined) return key;
  const row = db.get(nextSeq, { key: key.key });
  return row === undefined ? key : { key: key.key, seq: int(row, "seq"), try: 1 };
}

export function markSubagents(db: Database, window: WindowId, messages: ReadonlyMap<string, boolean>): void {
  if (messages.size === 0) return;
  const work = () => {
    for (const [message, isSubagent] of messages)
      db.run(mark, { key: `window:${window}`, message: JSON.stringify(message), subagent: Number(isSubagent) });
  };
  db.write("markSubagents", "last-word", work, "often");
}
