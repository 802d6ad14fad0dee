/**
 * Whether a witness that has no charge of an unknown call proves that there is none. It must have been looking at that time and at that provider: it has a charge of one
 * of its calls from before, and of one that was sent after this one was over. And no charge that nobody booked may be its.
 */
import type { BookedCall } from "./booked.ts";
import { type Charge, chargeSkewMs } from "./charge.ts";
import type { JoinedRow } from "./joining.ts";

/** `stranger`: a charge of that time belongs to nobody. `outside`: the witness shows no charge of that provider from before and after. */
export type Certainty = "certain" | "stranger" | "outside";

interface Watch {
  readonly first: number;
  readonly last: number;
}

export function createCertainty(rows: readonly JoinedRow[], strangers: readonly Charge[]): (call: BookedCall) => Certainty {
  const watches = new Map<string, Watch>();
  for (const { row, charges } of rows) {
    if (charges.length === 0) continue;
    const { first = row.sentAt, last = row.sentAt } = watches.get(row.provider) ?? {};
    watches.set(row.provider, { first: Math.min(first, row.sentAt), last: Math.max(last, row.sentAt) });
  }
  return (call) => {
    const watch = watches.get(call.provider);
    if (call.endedAt === null || watch === undefined || watch.first > call.sentAt || watch.last < call.endedAt) return "outside";
    return strangers.some((charge) => mayBeOf(call, charge)) ? "stranger" : "certain";
  };
}

function mayBeOf({ bodyHash, sentAt, endedAt }: BookedCall, charge: Charge): boolean {
  if (charge.bodyHash !== null && charge.bodyHash !== bodyHash) return false;
  return charge.at === null || (charge.at >= sentAt - chargeSkewMs && charge.at <= (endedAt ?? sentAt) + chargeSkewMs);
}
