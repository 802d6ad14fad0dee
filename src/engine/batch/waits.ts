/** What a batch waits for now, of all that its supervisors told and whose leases still run. */
import type { BatchRecord, RunningLease, SlotWait } from "../../ports/batch-store.ts";

export interface BatchWait {
  /** `lease`: jobs of a supervisor that is dead go back when their leases end. `fault`: ours, such as a store that fails. */
  readonly kind: SlotWait["kind"] | "lease";
  /** Whose slots wait, or whose leases run. */
  readonly seat: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly reason: string;
}

interface Looked {
  readonly waits: readonly SlotWait[];
  readonly leases: readonly RunningLease[];
  /** Whose supervisors live. */
  readonly seats: readonly string[];
  readonly now: number;
}

/** In the order of their ends. */
export function batchWaits({ state }: Pick<BatchRecord, "state">, { waits, leases, seats, now }: Looked): readonly BatchWait[] {
  // A supervisor that died took its wait along; one that paused the batch for money has left.
  const told = waits.filter(({ kind, seat }) => (kind === "money" ? state === "paused" : state === "open" && seats.includes(seat)));
  return [...told, ...(state === "open" ? leaseWaits(leases, seats) : [])]
    .filter(({ until }) => until > now)
    .toSorted((a, b) => a.until - b.until);
}

/** Only where somebody else is at work: a batch that nobody works on waits for a person. */
function leaseWaits(leases: readonly RunningLease[], seats: readonly string[]): readonly BatchWait[] {
  if (seats.length === 0) return [];
  const ofDead = Map.groupBy(leases, ({ slot }) => seatOf(slot));
  for (const seat of seats) ofDead.delete(seat);
  return [...ofDead].map(([seat, held]) => ({
    kind: "lease",
    seat,
    until: Math.min(...held.map(({ until }) => until)),
    reason: `the lease of ${held.length === 1 ? "a job" : `${held.length} jobs`} of a supervisor that died`,
  }));
}

const seatOf = (slot: string): string => slot.slice(0, slot.indexOf("."));
