/**
 * Finds the row of each charge. By a name that both know; else by the body, in order; else, where the log knows neither names of ours nor bodies, an unknown row of
 * the same model at that time. Within one way the rows that must have been charged come first: which of two equal requests was charged, no log tells.
 */
import { type BookedCall, type Standing, standingOf } from "./booked.ts";
import { type Charge, chargeSkewMs } from "./charge.ts";

export type JoinedBy = "id" | "body" | "time";

export interface JoinedRow {
  readonly row: BookedCall;
  readonly standing: Standing;
  readonly charges: Charge[];
  joinedBy: JoinedBy | null;
}

export interface Joiner {
  add(charge: Charge): void;
  /** Called once, when all charges are known. */
  finish(): { readonly rows: readonly JoinedRow[]; readonly strangers: readonly Charge[] };
}

/** What the provider itself told of an answer, even a cut one, it has charged. */
export function mustBeCharged({ row, standing }: Pick<JoinedRow, "row" | "standing">): boolean {
  return standing === "paid" || (standing === "unknown" && (row.costMicroUsd ?? 0) > 0);
}

const orderOf = (one: JoinedRow): number => (mustBeCharged(one) ? 0 : one.standing === "unknown" ? 1 : 2);

/** @param calls  in the order in which they were sent */
export function createJoiner(calls: readonly BookedCall[]): Joiner {
  const rows = calls.map((row): JoinedRow => ({ row, standing: standingOf(row), charges: [], joinedBy: null }));
  const byId = groupBy(rows, ({ row }) => row.ids);
  const waiting: Charge[] = [];

  function add(charge: Charge): void {
    const named = charge.ids.flatMap((id) => byId.get(id) ?? []);
    if (named.length === 0) waiting.push(charge);
    // All of them taken = the same call was charged once more.
    else take(free(named)[0] ?? named[0], charge, "id");
  }

  function finish() {
    const byHash = groupBy(rows, ({ row }) => [row.bodyHash]);
    const nameless = waiting.filter((charge) => !tookBody(byHash, charge));
    const open = rows.filter(({ standing, charges }) => standing === "unknown" && charges.length === 0);
    return { rows, strangers: nameless.filter((charge) => !tookTime(open, charge)) };
  }

  return { add, finish };
}

function tookBody(byHash: ReadonlyMap<string, readonly JoinedRow[]>, charge: Charge): boolean {
  const same = charge.bodyHash === null ? [] : (byHash.get(charge.bodyHash) ?? []);
  return take(free(same)[0], charge, "body");
}

function tookTime(open: readonly JoinedRow[], charge: Charge): boolean {
  if (charge.bodyHash !== null) return false;
  return take(
    open.find((one) => one.charges.length === 0 && fits(one.row, charge)),
    charge,
    "time",
  );
}

function fits(row: BookedCall, { at, model, microUsd }: Charge): boolean {
  if (at === null || model === null || model !== row.model) return false;
  const isThen = at >= row.sentAt - chargeSkewMs && at <= (row.endedAt ?? row.sentAt) + chargeSkewMs;
  return isThen && (microUsd === null || row.upperMicroUsd === null || microUsd <= row.upperMicroUsd);
}

function take(found: JoinedRow | undefined, charge: Charge, by: JoinedBy): boolean {
  if (found === undefined) return false;
  found.charges.push(charge);
  found.joinedBy ??= by;
  return true;
}

function free(rows: readonly JoinedRow[]): readonly JoinedRow[] {
  return rows.filter(({ charges }) => charges.length === 0).toSorted((a, b) => orderOf(a) - orderOf(b));
}

function groupBy(rows: readonly JoinedRow[], keysOf: (row: JoinedRow) => readonly string[]): ReadonlyMap<string, readonly JoinedRow[]> {
  const groups = new Map<string, JoinedRow[]>();
  for (const row of rows)
    for (const key of new Set(keysOf(row))) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [row]);
      else group.push(row);
    }
  return groups;
}
