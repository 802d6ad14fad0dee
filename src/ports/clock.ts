/** Time and waiting. Core takes `now` as an argument; engine takes this. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. May jump. */
  now(): number;
  /** Monotonic milliseconds from an arbitrary start; never jumps, does not count suspension of the machine. */
  monotonicMs(): number;
  /** Milliseconds since the machine's boot, the same for all its processes: what leases of other processes are measured by. Counts no suspension. */
  bootMs(): number;
  /** Changes at each boot of the machine. */
  readonly bootId: string;
  /** The date in the machine's time zone at that time, `2026-11-30`. */
  localDate(at: number): string;
  /** Resolves when everything that has already arrived was handled. */
  nextTurn(): Promise<void>;
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
