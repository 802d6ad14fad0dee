/** Where a call stands among those of its owner, and what was paid at that place before. */
import { type CallFailure, type CallState, mayHaveBeenCharged, type RecordedAnswer } from "../../../core/money/call.ts";
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

const tries = "SELECT number, id, key, seq, try, hash, state, failure FROM call WHERE key = :key AND seq = :seq ORDER BY try DESC";
const occurrence = "SELECT DISTINCT seq FROM call WHERE key = :key AND hash = :hash AND owner = 'job' ORDER BY seq LIMIT 1 OFFSET :before";
const nextSeq = "SELECT ifnull(max(seq), 0) + 1 AS seq FROM call WHERE key = :key";

export function findPlace(db: Database, files: AnswerFiles, intent: CallIntent): FoundPlace {
  const { place, owner, request } = intent;
  const key = keyOf(owner);
  switch (place.kind) {
    case "counted":
      return {
        kind: "call",
        seq: place.seq,
        try: place.try,
        earlierUnknown: isUnknownBefore(place.try > 1 ? triesAt(db, key, place.seq) : []),
      };
    case "sequence":
      return takePlace(db, files, { key, seq: place.seq, hash: request.hash, onDivergence: place.onDivergence });
    case "occurrence":
      return takePlace(db, files, { key, seq: seqOf(db, key, request.hash, place.occurrence), hash: request.hash, onDivergence: "pay" });
  }
}

interface Asked {
  readonly key: string;
  readonly seq: number;
  readonly hash: string;
  readonly onDivergence: "stop" | "pay";
}

/**
 * Any recorded answer to this very request counts, not only that of the newest try: an answer may have come after its call was given up, and a
 * later try may have failed.
 */
function takePlace(db: Database, files: AnswerFiles, { key, seq, hash, onDivergence }: Asked): FoundPlace {
  const earlier = triesAt(db, key, seq);
  for (const row of earlier.filter((one) => text(one, "hash") === hash && text(one, "state") === "done")) {
    const answer = findAnswer(db, files, int(row, "number"));
    if (answer !== null) return replay(row, answer);
  }
  const newest = earlier[0];
  const decision = decideReplay(newest === undefined ? null : toEarlier(newest), hash, onDivergence);
  if (decision.kind === "diverged") return { kind: "diverged", seq, expected: decision.expected };
  return { kind: "call", seq, try: decision.kind === "call" ? decision.try : 1, earlierUnknown: isUnknownBefore(earlier) };
}

function replay(row: Row, answer: RecordedAnswer): FoundPlace {
  return { kind: "replay", id: text(row, "id"), key: toKey(row), answer };
}

/** Its answer was looked for already. */
function toEarlier(row: Row): EarlierCall {
  const state = text(row, "state") as CallState;
  return { id: int(row, "number"), state, hash: text(row, "hash"), try: int(row, "try"), hasAnswer: false };
}

function triesAt(db: Database, key: string, seq: number): readonly Row[] {
  return db.all(tries, { key, seq });
}

function isUnknownBefore(earlier: readonly Row[]): boolean {
  return earlier.some((row) => mayHaveBeenCharged(text(row, "state") as CallState, maybeText(row, "failure") as CallFailure | null));
}

/** The place of the k-th request with this body; a new one at the end where fewer were recorded. */
function seqOf(db: Database, key: string, hash: string, k: number): number {
  const row = db.get(occurrence, { key, hash, before: k - 1 }) ?? db.get(nextSeq, { key });
  return row === undefined ? 1 : int(row, "seq");
}
