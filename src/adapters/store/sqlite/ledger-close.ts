/** Results, and calls that are given up. A result is booked whoever still holds the lease: it was paid. */
import type { CallFailure, CallResult, CallState } from "../../../core/money/call.ts";
import type { Scope } from "../../../core/money/cap.ts";
import { countsAsUnknown } from "../../../core/money/held.ts";
import type { CallClosing, ClosedCall, Ledger } from "../../../ports/ledger.ts";
import { type AnswerFiles, putAnswer } from "./answers.ts";
import type { Database, Row } from "./database.ts";
import { ownerMay } from "./ledger-owners.ts";
import { ofResult, toOwner } from "./ledger-rows.ts";
import { Sums } from "./ledger-sums.ts";
import { int, json, maybeInt, maybeText, text } from "./rows.ts";

const columns = "number, id, owner, parent, key, task, attempt, fence, state, failure, upper, cost, held, scopes";
const find = `SELECT ${columns} FROM call WHERE id = :id`;
const openOnes = `SELECT ${columns} FROM call WHERE parent = :parent AND owner = :owner AND state = 'open' ORDER BY number`;
const close = `UPDATE call SET state = :state, failure = :failure, late = :late, cost = :cost, held = :held, ended_at = :endedAt, message = :message,
  result = :result WHERE number = :number`;

const died: CallResult = {
  end: "unknown",
  failure: "died",
  status: null,
  usage: null,
  answeredModel: null,
  providerRequestId: null,
  messageId: null,
  firstByteMs: null,
  durationMs: 0,
  answer: null,
};

type Booked = Pick<ClosedCall, "kind"> & { readonly scopes: readonly Scope[] };

export function closeCalls(db: Database, files: AnswerFiles, closings: readonly CallClosing[]): readonly ClosedCall[] {
  return db.write("closeCalls", "last-word", () => {
    const sums = new Sums(db);
    const booked = closings.map((closing) => closeCall(db, files, sums, closing));
    sums.write();
    return booked.map(({ kind, scopes }) => ({ kind, spends: scopes.map((scope) => ({ scope, spend: sums.of(scope) })) }));
  });
}

function closeCall(db: Database, files: AnswerFiles, sums: Sums, { id, result, costMicroUsd, at }: CallClosing): Booked {
  const row = db.get(find, { id });
  if (row === undefined) return { kind: "absent", scopes: [] };
  const scopes = json<readonly Scope[]>(row, "scopes");
  const state = text(row, "state") as CallState;
  if (state !== "open" && (state !== "unknown" || result.end === "unknown")) return { kind: "was-closed", scopes };
  const isLate = state === "unknown" || !ownerMay(db, toOwner(row));
  book(db, sums, row, { result, isLate, cost: costMicroUsd, at });
  if (result.answer !== null) putAnswer(db, files, int(row, "number"), result.answer);
  return { kind: isLate ? "late" : "closed", scopes };
}

interface Booking {
  readonly result: CallResult;
  readonly isLate: boolean;
  readonly cost: number | null;
  readonly at: number;
}

function book(db: Database, sums: Sums, row: Row, { result, isLate, cost, at }: Booking): void {
  const before = maybeInt(row, "cost");
  const end = ofResult(result, { upper: maybeInt(row, "upper"), cost: before === null ? cost : Math.max(before, cost ?? 0), at });
  db.run(close, { number: int(row, "number"), late: Number(isLate), ...end });
  const wasUnknown = countsAsUnknown(text(row, "state") as CallState, maybeText(row, "failure") as CallFailure | null);
  const by = {
    spentMicroUsd: (end.cost ?? 0) - (before ?? 0),
    heldMicroUsd: end.held - int(row, "held"),
    calls: 0,
    unknown: Number(countsAsUnknown(end.state, end.failure)) - Number(wasUnknown),
  };
  for (const scope of json<readonly Scope[]>(row, "scopes")) sums.add(scope, by);
}

export function giveUpCalls(db: Database, owner: Parameters<Ledger["giveUp"]>[0], at: number): number {
  return db.write("giveUpCalls", "last-word", () => {
    const of = "run" in owner ? { parent: owner.run, owner: "window" } : { parent: owner.batch, owner: "job" };
    const sums = new Sums(db);
    const rows = db.all(openOnes, of);
    for (const row of rows) book(db, sums, row, { result: died, isLate: false, cost: null, at });
    sums.write();
    return rows.length;
  });
}
