/** Time and waiting. Core takes `now` as an argument; engine takes this. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. May jump. */
  now(): number;
  /** Monotonic milliseconds from an arbitrary start; never jumps, does not count suspension of the machine. */
  monotonicMs(): number;
  /** Changes at each boot of the machine. */
  readonly bootId: string;
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
