/** Results, and calls that are given up. A result is booked whoever still holds the lease: it was paid. */
import type { CallResult } from "../../../core/money/call.ts";
import { countsAsUnknown } from "../../../core/money/held.ts";
import type { CallClosing, ClosedCall, Ledger } from "../../../ports/ledger.ts";
import { type AnswerFiles, putAnswer } from "./answers.ts";
import type { Database } from "./database.ts";
import { isOfSeat, ownerMay } from "./ledger-owners.ts";
import { endedValues, endOf, ofBatch, ofRun, updateEnded } from "./ledger-rows.ts";
import { type Sums, sumsOf } from "./ledger-sums.ts";
import { type CallsUnderWay, toUnderWay, type UnderWay, underWayColumns } from "./ledger-under-way.ts";

const openOnes = {
  run: `SELECT ${underWayColumns} FROM call WHERE ${ofRun} AND state = 'open' ORDER BY number`,
  batch: `SELECT ${underWayColumns} FROM call WHERE ${ofBatch} AND state = 'open' ORDER BY number`,
};

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

interface Booking {
  readonly result: CallResult;
  readonly isLate: boolean;
  readonly cost: number | null;
  readonly at: number;
}

/** What the families of statements share. */
export interface LedgerPlace {
  readonly db: Database;
  readonly files: AnswerFiles;
  readonly underWay: CallsUnderWay;
}

type Booked = Pick<ClosedCall, "kind"> & { readonly sums: readonly number[] };

export function closeCalls({ db, files, underWay }: LedgerPlace, closings: readonly CallClosing[]): readonly ClosedCall[] {
  const work = () => {
    const sums = sumsOf(db);
    const booked = closings.map((closing) => closeCall(db, files, sums, { ...closing, call: underWay.take(closing.id) }));
    sums.write();
    return booked.map(({ kind, sums: numbers }) => ({ kind, spends: numbers.map((number) => ({ ...sums.at(number) })) }));
  };
  return db.write("closeCalls", "last-word", work, "often");
}

type Found = CallClosing & { readonly call: UnderWay | null };

function closeCall(db: Database, files: AnswerFiles, sums: Sums, { call, result, costMicroUsd, at }: Found): Booked {
  if (call === null) return { kind: "absent", sums: [] };
  const { state, owner, number } = call;
  if (state !== "open" && (state !== "unknown" || result.end === "unknown")) return { kind: "was-closed", sums: call.sums };
  const isLate = state === "unknown" || !ownerMay(db, owner);
  book(db, sums, call, { result, isLate, cost: costMicroUsd, at });
  if (result.answer !== null) putAnswer(db, files, number, result.answer);
  return { kind: isLate ? "late" : "closed", sums: call.sums };
}

function book(db: Database, sums: Sums, call: UnderWay, { result, isLate, cost, at }: Booking): void {
  // What an unknown call was already charged for certain does not fall when its answer comes.
  const end = endOf(result, call.upper, call.cost === null ? cost : Math.max(call.cost, cost ?? 0));
  db.run(updateEnded, [...endedValues(end, result, at), Number(isLate), call.number]);
  sums.add(call.sums, {
    spentMicroUsd: (end.cost ?? 0) - (call.cost ?? 0),
    heldMicroUsd: end.held - call.held,
    calls: 0,
    unknown: Number(countsAsUnknown(end.state, end.failure)) - Number(countsAsUnknown(call.state, call.failure)),
  });
}

function openCallsOf(db: Database, of: Parameters<Ledger["giveUp"]>[0]): readonly UnderWay[] {
  if ("run" in of) return db.all(openOnes.run, { run: of.run }).map(toUnderWay);
  const { batch, seat } = of;
  const calls = db.all(openOnes.batch, { batch }).map(toUnderWay);
  return seat === undefined ? calls : calls.filter((call) => isOfSeat(db, call.owner, seat));
}

export function giveUpCalls(db: Database, owner: Parameters<Ledger["giveUp"]>[0], at: number): number {
  return db.write("giveUpCalls", "last-word", () => {
    const sums = sumsOf(db);
    const calls = openCallsOf(db, owner);
    for (const call of calls) book(db, sums, call, { result: died, isLate: false, cost: null, at });
    sums.write();
    return calls.length;
  });
}
