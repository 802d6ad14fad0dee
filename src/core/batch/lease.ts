/**
 * The right to work on a job until a time. A wall clock may jump, so within one boot of the machine the monotonic clock decides, and after another boot whoever held it
 * is gone. Only where neither can be told (no boot id) does the wall clock.
 */

/** A reading of all clocks, at one moment. */
export interface Moment {
  readonly wallMs: number;
  /** Since the machine's boot: the same for all its processes. */
  readonly bootMs: number;
  /** Empty = the system has none. */
  readonly bootId: string;
}

export interface Lease {
  readonly untilWallMs: number;
  readonly untilBootMs: number;
  readonly bootId: string;
}

export function leaseFrom(now: Moment, lengthMs: number): Lease {
  return { untilWallMs: now.wallMs + lengthMs, untilBootMs: now.bootMs + lengthMs, bootId: now.bootId };
}

export function hasExpired(lease: Lease, now: Moment): boolean {
  if (lease.bootId !== "" && now.bootId !== "") return lease.bootId !== now.bootId || lease.untilBootMs <= now.bootMs;
  return lease.untilWallMs <= now.wallMs;
}
