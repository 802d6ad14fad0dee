/**
 * Liveness: which job is worked on next, when and where. One body polls the store; another may stand on a queue of several machines. What it delivers may be delivered
 * twice or late: the store's claim decides.
 */
import type { BatchStore, JobClaim } from "./batch-store.ts";

export interface Dispatcher {
  /**
   * Hands out jobs until `signal` aborts, the batch is not open any more (both: stopped) or nothing is left to do, also not by others: at most `slots` at once, by the
   * slots `seat.1`, `seat.2`, …, each to `work`, which never rejects. Resolves when the last has ended. Rejects, then too, when the store cannot be used.
   * @param hold  asked before each claim: how long to wait first, in milliseconds (a provider's trouble); 0 = not at all
   */
  run(options: DispatcherOptions): Promise<"nothing-left" | "stopped">;
}

export interface DispatcherOptions {
  readonly store: BatchStore;
  readonly batch: string;
  readonly seat: string;
  readonly slots: number;
  readonly leaseMs: number;
  /** The claim of a job that is older is not renewed; absent = as long as it is worked on. */
  readonly jobMs?: number;
  readonly hold: () => number;
  /** @param lost  aborts when the claim does not hold any more: nothing may be spent in its name from then on */
  readonly work: (claim: JobClaim, lost: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}
