/** Boards and those who work on them, for tests of the store. */
import { type Lease, leaseFrom, type Moment } from "../../src/core/batch/lease.ts";
import { runId } from "../../src/core/ids.ts";
import type { Task } from "../../src/core/task.ts";
import type { NewRun, Store } from "../../src/ports/store.ts";
import { newRun, settings } from "./store-samples.ts";

export const moment: Moment = { wallMs: 5_000_000, bootMs: 100_000, bootId: "boot-1" };
export const leaseMs = 120_000;
export const lease: Lease = leaseFrom(moment, leaseMs);

/** A run of the repository's board, in a worktree of its own. */
export function memberRun(id: string, repository = newRun().repository): NewRun {
  return newRun(id, { repository, worktree: `/home/ana/${id}`, settings: { ...settings, plan: { kind: "board", path: "" } } });
}

export function claim(store: Store, run: string, at: Moment = moment): Promise<Task | null> {
  return store.claimTask({ run: runId(run), window: null, by: run, lease: leaseFrom(at, leaseMs) }, at);
}
