/** Where a call stands among those of its owner, and what was paid at that place before. */
import { type CallFailure, type CallState, mayHaveBeenCharged } from "../../../core/money/call.ts";
import { decideReplay, type EarlierCall } from "../../../core/money/replay.ts";
import type { CallIntent, OpenedCall } from "../../../ports/ledger.ts";
import { type AnswerFiles, findAnswer } from "./answers.ts";
import type { Database, Row } from "./database.ts";
import { keyOf } from "./ledger-owners.ts";
import { toKey } from "./ledger-rows.ts";
import { int, maybeText, text } from "./rows.ts";

export type FoundPlace =
  | { readonly kind: "call"; readonly seq: number; readonly try: number; readonly earlierUnknown: boolean }
  | Extract<OpenedCall, { readonly kind: "replay" | "diverged" }>;

const tries = "SELECT number, id, key, seq, try, round, hash, state, failure FROM call WHERE key = :key AND seq = :seq ORDER BY try DESC";
const occurrence = "SELECT DISTINCT seq FROM call WHERE key = :key AND hash = :hash AND owner = 'job' ORDER BY seq LIMIT 1 OFFSET :before";
const nextSeq = "SELECT ifnull(max(seq), 0) + 1 AS seq FROM call WHERE key = :key";

export function findPlace(db: Database, files: AnswerFiles, intent: CallIntent): FoundPlace {
  const { place, owner, request } = intent;
  const key = keyOf(owner);
  const of = { key, hash: request.hash, round: owner.kind === "job" ? owner.round : 0 };
  switch (place.kind) {
    case "counted":
      return {
        kind: "call",
        seq: place.seq,
        try: place.try,
        earlierUnknown: isUnknownBefore(place.try > 1 ? triesAt(db, key, place.seq) : []),
      };
    case "sequence":
      return takePlace(db, files, { ...of, seq: place.seq, onDivergence: place.onDivergence });
    case "occurrence":
      return takePlace(db, files, { ...of, seq: seqOf(db, key, request.hash, place.occurrence), onDivergence: "pay" });
  }
}

interface Asked {
  readonly key: string;
  readonly seq: number;
  readonly hash: string;
  readonly round: number;
  readonly onDivergence: "stop" | "pay";
}

function takePlace(db: Database, files: AnswerFiles, { key, seq, hash, round, onDivergence }: Asked): FoundPlace {
  const earlier = triesAt(db, key, seq);
  const decision = decideReplay({ earlier, hash, round, onDivergence, answerOf: ({ row }) => findAnswer(db, files, int(row, "number")) });
  switch (decision.kind) {
    case "replay":
      return { kind: "replay", id: text(decision.call.row, "id"), key: toKey(decision.call.row), answer: decision.answer };
    case "diverged":
      return { ...decision, seq };
    case "call":
      return { ...decision, seq, earlierUnknown: isUnknownBefore(earlier) };
  }
}

interface Try extends EarlierCall {
  readonly failure: CallFailure | null;
  readonly row: Row;
}

function triesAt(db: Database, key: string, seq: number): readonly Try[] {
  return db.all(tries, { key, seq }).map((row) => ({
    state: text(row, "state") as CallState,
    failure: maybeText(row, "failure") as CallFailure | null,
    hash: text(row, "hash"),
    try: int(row, "try"),
    round: int(row, "round"),
    row,
  }));
}

function isUnknownBefore(earlier: readonly Try[]): boolean {
  return earlier.some(({ state, failure }) => mayHaveBeenCharged(state, failure));
}

/** The place of the k-th request with this body; a new one at the end where fewer were recorded. */
function seqOf(db: Database, key: string, hash: string, k: number): number {
  const row = db.get(occurrence, { key, hash, before: k - 1 }) ?? db.get(nextSeq, { key });
  return row === undefined ? 1 : int(row, "seq");
}
