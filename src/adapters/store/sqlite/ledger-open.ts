/** Intents: the owner's right, what was paid before, the caps, then the row. In this order, for a replay costs nothing and fits under every cap. */
import { capInTheWay } from "../../../core/money/cap.ts";
import type { CallIntent, OpenedCall } from "../../../ports/ledger.ts";
import type { AnswerFiles } from "./answers.ts";
import type { Database } from "./database.ts";
import { keyOf, ownerMay } from "./ledger-owners.ts";
import { findPlace } from "./ledger-places.ts";
import { amount, insertCall, ofIntent } from "./ledger-rows.ts";
import { Sums } from "./ledger-sums.ts";

export function openCalls(db: Database, files: AnswerFiles, intents: readonly CallIntent[]): readonly OpenedCall[] {
  return db.write("openCalls", "ordinary", () => {
    const sums = new Sums(db);
    const opened = intents.map((intent) => openCall(db, files, sums, intent));
    sums.write();
    return opened;
  });
}

function openCall(db: Database, files: AnswerFiles, sums: Sums, intent: CallIntent): OpenedCall {
  if (!ownerMay(db, intent.owner)) return { kind: "gone" };
  const place = findPlace(db, files, intent);
  if (place.kind !== "call") return place;
  const upper = amount(intent.upperMicroUsd) ?? 0;
  const cap = capInTheWay(intent.caps, (one) => sums.of(one), upper);
  if (cap !== null) return { kind: "capped", cap, spend: sums.of(cap) };
  const key = { key: keyOf(intent.owner), seq: place.seq, try: place.try };
  db.insert(insertCall, ofIntent(intent, key));
  for (const scope of intent.scopes) sums.add(scope, { spentMicroUsd: 0, heldMicroUsd: upper, calls: 1, unknown: 0 });
  return { kind: "opened", key, earlierUnknown: place.earlierUnknown };
}
