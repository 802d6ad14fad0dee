/** Intents: the owner's right, what was paid before, the caps, then the row. In this order, for a replay costs nothing and fits under every cap. */
import { capInTheWay } from "../../../core/money/cap.ts";
import type { CallIntent, OpenedCall } from "../../../ports/ledger.ts";
import type { LedgerPlace } from "./ledger-close.ts";
import { keyOf, ownerMay } from "./ledger-owners.ts";
import { findPlace } from "./ledger-places.ts";
import { amount, askedValues, insertIntent } from "./ledger-rows.ts";
import { type Sums, sumsOf } from "./ledger-sums.ts";
import { tariffOf } from "./ledger-tariffs.ts";

export function openCalls(place: LedgerPlace, intents: readonly CallIntent[]): readonly OpenedCall[] {
  const { db } = place;
  const work = () => {
    const sums = sumsOf(db);
    const opened = intents.map((intent) => openCall(place, sums, intent));
    sums.write();
    return opened;
  };
  return db.write("openCalls", "ordinary", work, "often");
}

function openCall({ db, files, underWay }: LedgerPlace, sums: Sums, intent: CallIntent): OpenedCall {
  if (!ownerMay(db, intent.owner)) return { kind: "gone" };
  const place = findPlace(db, files, intent);
  if (place.kind !== "call") return place;
  const upper = amount(intent.upperMicroUsd);
  const cap = capInTheWay(intent.caps, (one) => sums.of(one), upper ?? 0);
  if (cap !== null) return { kind: "capped", cap, spend: sums.of(cap) };
  const key = { key: keyOf(intent.owner), seq: place.seq, try: place.try };
  const links = { tariff: tariffOf(db, intent.price), sums: intent.scopes.map((scope) => sums.take(scope)) };
  const asked = askedValues({ call: intent, key, links, upper, at: intent.sentAt });
  const number = db.insert(insertIntent, [...asked, upper ?? 0]);
  db.noteNewest({ call: number });
  sums.add(links.sums, { spentMicroUsd: 0, heldMicroUsd: upper ?? 0, calls: 1, unknown: 0 });
  const none = { state: "open", failure: null, cost: null } as const;
  underWay.add(intent.id, { ...none, number, upper, held: upper ?? 0, sums: links.sums, owner: intent.owner });
  return { kind: "opened", key, earlierUnknown: place.earlierUnknown };
}
