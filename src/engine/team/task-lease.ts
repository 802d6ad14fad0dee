/** The tasks that a run of a board has, and how long: taken one at a time, renewed while their window lasts. */
import { type Lease, leaseFrom } from "../../core/batch/lease.ts";
import type { WindowId } from "../../core/ids.ts";
import type { Task } from "../../core/task.ts";
import { momentOf } from "../batch/held-claims.ts";
import type { RunContext } from "../context.ts";

/** Whoever died leaves its tasks for so long, and nobody who lives loses one by a slow disk. */
const leaseMs = 120_000;
const renewEveryMs = leaseMs / 3;

/** From now on, where others work on the tasks too; null = the run has them all for itself. */
export function newLease({ ports, settings }: Pick<RunContext, "ports" | "settings">): Lease | null {
  return settings.plan.kind === "board" ? leaseFrom(momentOf(ports.clock), leaseMs) : null;
}

/** The next task of the board, for this run. @param window  that is open and gets it too; null = none is open yet */
export async function takeTask({ ports, run, settings }: RunContext, window: WindowId | null): Promise<Task | null> {
  const moment = momentOf(ports.clock);
  const by = settings.member?.name ?? `run ${run}`;
  return ports.store.claimTask({ run, window, by, lease: leaseFrom(moment, leaseMs) }, moment);
}

/** Does the work while what the run has is renewed. */
export async function whileRenewed<T>({ ports: { store, clock }, run }: RunContext, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const renewing = renew();
  async function renew(): Promise<void> {
    for (;;) {
      await clock.sleep(renewEveryMs, over.signal);
      if (over.signal.aborted) return;
      await store.renewTasks(run, leaseFrom(momentOf(clock), leaseMs)).catch(() => undefined); // a busy store is asked again: two more tries lie within the lease
    }
  }
  try {
    return await work();
  } finally {
    over.abort();
    await renewing;
  }
}
