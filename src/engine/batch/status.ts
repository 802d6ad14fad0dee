/** How batches stand: for the person, for `--json`, and for whoever watches. */
import type { BatchCounts, BatchRecord } from "../../ports/batch-store.ts";
import type { Store, TreeLocks } from "../../ports/store.ts";
import { batchFolder } from "./context.ts";
import { type BatchMoney, batchMoney } from "./money.ts";
import { type BatchWait, batchWaits } from "./waits.ts";

export interface BatchStatus {
  readonly batch: string;
  readonly version: string;
  readonly state: BatchRecord["state"];
  readonly request: BatchRecord["request"];
  /** Why it is paused or closed; what it waits for otherwise. */
  readonly why: string;
  readonly addedAt: number;
  readonly closedAt: number | null;
  readonly archivedTo: string | null;
  readonly jobs: number;
  /** Null = they lie in the archive. */
  readonly counts: BatchCounts | null;
  readonly money: BatchMoney;
  /** Supervisors at work now. */
  readonly seats: readonly string[];
  readonly slots: number;
  readonly nextChangeAt: number | null;
  /** Until when slots begin nothing, and why. */
  readonly waits: readonly BatchWait[];
}

export interface StatusPorts {
  readonly store: Store;
  readonly seats: (batch: string) => Promise<readonly string[]>;
  readonly now: number;
}

export async function batchStatus({ store, seats, now }: StatusPorts, batch: BatchRecord): Promise<BatchStatus> {
  const { name, version, state, request, addedAt, closedAt, archivedTo, settings } = batch;
  const [counts, money, taken, nextChangeAt, told, leases] = await Promise.all([
    store.batches.counts(name),
    batchMoney(store, batch),
    state === "archived" ? [] : seats(name),
    store.batches.nextChangeAt(name),
    store.batches.waits(name),
    store.batches.leases(name),
  ]);
  const waits = batchWaits(batch, { waits: told, leases, seats: taken, now });
  return {
    ...{ batch: name, version, state, request, addedAt, closedAt, archivedTo },
    why: whyOf(batch, { counts, seats: taken, nextChangeAt, waits, now }),
    jobs: counts.pending + counts.running + counts.done + counts.failed,
    counts: state === "archived" ? null : counts,
    money,
    ...{ seats: taken, slots: settings.slots, nextChangeAt, waits },
  };
}

interface Standing {
  readonly counts: BatchCounts;
  readonly seats: readonly string[];
  readonly nextChangeAt: number | null;
  readonly waits: readonly BatchWait[];
  readonly now: number;
}

function whyOf({ name, state, reason }: BatchRecord, { counts, seats, nextChangeAt, waits, now }: Standing): string {
  if (state !== "open") return reason;
  const { pending, running, done, failed } = counts;
  if (pending + running + done + failed === 0) return "its list was never added whole: add it again";
  if (pending + running === 0) return `nothing is left to do; close it with: midwatch batch run ${name}`;
  if (seats.length === 0) return `nobody works on it: midwatch batch run ${name}`;
  const waiting = waits.filter(({ kind }) => kind !== "lease");
  if (running === 0 && waiting.length >= seats.length) return `its slots wait: ${waiting[0]?.reason}`;
  if (running > 0) return "it is at work";
  const waitMs = (nextChangeAt ?? now) - now;
  return waitMs > 0 ? `its next job may be begun in ${Math.ceil(waitMs / 1000)} s` : "its supervisor waits before the next job";
}

/** A seat is taken when the kernel's lock on its folder is. */
export async function takenSeats(
  {
    locks,
    exists,
    stateFolder,
  }: { readonly locks: TreeLocks; readonly exists: (path: string) => Promise<boolean>; readonly stateFolder: string },
  batch: string,
): Promise<readonly string[]> {
  const taken: string[] = [];
  for (let seat = 0; await exists(`${batchFolder(stateFolder, batch)}/seats/${seat}`); seat += 1) {
    const lock = await locks.acquire(`${batchFolder(stateFolder, batch)}/seats/${seat}`);
    if (lock.kind === "busy") taken.push(String(seat));
    else lock.release();
  }
  return taken;
}
