import type { RunId, WindowId } from "../core/ids.ts";

export interface Ids {
  /** UUID v7, sorts by time. */
  newRunId(): RunId;
  newWindowId(): WindowId;
  /** Of a row in the ledger. */
  newCallId(): string;
  /** URL-safe, 128 bits, from the system's random source. */
  newSecret(): string;
  /** Uniform in [0, 1): jitter of waits. */
  random(): number;
}
