/** How a child process ended: the reason of death as a value. Filled by the processes adapter, read by core. */
export type StopCause =
  /** Our own limits. */
  | "wall-clock"
  | "idle-clock"
  /** The agent said that it is through and did not leave within the grace. */
  | "lingered"
  /** A person, or the end of the run. */
  | "stopped"
  /** The window must end: cap, context, a broken stream. The detail says why. */
  | "window-limit"
  /** The agent did not take our guard, or our tools: it must not work without them. */
  | "no-guard"
  /** A call had a result that no guard of ours had allowed. */
  | "unguarded"
  | "no-tools";

export interface ProcessEnd {
  /** `lost`: the supervisor died first, so nobody saw the end. */
  readonly kind: "exited" | "signalled" | "ended-by-us" | "not-started" | "lost";
  /** Set when kind is `ended-by-us`. */
  readonly cause?: StopCause;
  readonly code: number | null;
  readonly signal: string | null;
  /** System error code (`ENOENT`, `EACCES`, `E2BIG`), only when kind is `not-started`. */
  readonly error?: string;
  readonly durationMs: number;
  /** Descendants found alive after the leader's end, and ended by us. */
  readonly descendantsEnded: number;
  /** Names of what it left running and what ended with it, where that is watched; absent = nothing, or not watched. */
  readonly leftBehind?: readonly string[];
  /** Paths that the sandbox did not let it write, as far as what it printed tells. */
  readonly refusedWrites?: readonly string[];
  /** Descendants that could not be ended, by pid: named, never hidden. */
  readonly uncontained: readonly number[];
  readonly stdoutBytes: number;
  /** Lines that were longer than the limit and were cut. */
  readonly linesCut: number;
  /** The end of standard error, at most 8 KiB, decoded; secrets are redacted where it is stored. */
  readonly stderrTail: string;
  /** System error code of the write that ended the raw log early (`ENOSPC`). The child was not touched for it. */
  readonly logError?: string;
}
