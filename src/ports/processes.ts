/** Child processes. One module owns spawn, input, bounded output, both clocks, escalation and the end of every descendant. */

import type { ProcessEnd, StopCause } from "../core/process-end.ts";
import type { StreamRedactor } from "../core/redaction/stream.ts";
import type { SandboxState } from "../core/sandbox/place.ts";

/** Identity that survives pid reuse. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Field 22 of /proc/PID/stat; 0 where there is no /proc. */
  readonly startTicks: number;
  readonly bootId: string;
}

/** How well descendants are held. `namespace`: all of them end with the leader. `partial`: those that can be found do, and `why` says what is missing. */
export type Containment = { readonly kind: "namespace" } | { readonly kind: "partial"; readonly why: string };

export interface ProcessLimits {
  /** From the start to the forced end. */
  readonly wallMs: number;
  /** Without a sign of work; null = no idle clock. */
  readonly idleMs: number | null;
  /** Between two steps of SIGINT -> SIGTERM -> SIGKILL. */
  readonly graceMs: number;
}

export interface RawLogSpec {
  readonly path: string;
  readonly maxBytes: number;
  /** Of this child alone: what it prints passes here before it is written. Absent = it is written as it comes. */
  readonly redacting?: StreamRedactor;
}

export interface ProcessSpec {
  /** argv, passed byte for byte; there is never a shell between. */
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment of the child: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Written and then closed; null = closed from the start (`/dev/null`); "open" = the caller writes and closes. */
  readonly input: string | Uint8Array | null | "open";
  /** Unique value put into the environment as MIDWATCH_WINDOW, by which descendants are found. */
  readonly mark: string;
  readonly limits: ProcessLimits;
  /**
   * "agent" = in the sandbox where there is one, else contained with its descendants (pid namespace where one works). "criterion" = in the same sandbox, else as
   * "plain": own process group, mark and sweep only.
   */
  readonly containment: "agent" | "criterion" | "plain";
  /** Raw standard output is appended here, up to `maxBytes`, then a cut mark. Directory exists. Mode 0600. */
  readonly log?: RawLogSpec;
  /** Called for each line of standard output, without its end; at most 16 MiB, the rest of a longer line is dropped and counted. Must not throw.
   *  Says whether the line is a sign of work: "heartbeat" does not reset the idle clock. */
  readonly onLine?: (line: Uint8Array, cut: boolean) => "work" | "heartbeat";
}

export interface ChildProcess {
  /** Null when the program could not be started; then `end` says why. */
  readonly identity: ProcessIdentity | null;
  /** Resolves when the leader and every descendant that can be found are gone. Never rejects. */
  readonly end: Promise<ProcessEnd>;
  /** Starts the escalation. The first cause wins; later calls change nothing, but "now" skips to SIGKILL. */
  stop(cause: StopCause, how?: "gracefully" | "now"): void;
  /** The child has said its last word: it may take `ms` to leave, then it is ended as `lingered`. */
  expectExitWithin(ms: number): void;
  /** Replaces the idle limit (an open tool has its own); null = none. Counts from now. */
  setIdleLimit(ms: number | null): void;
  /** Only with input "open". */
  write(text: string): void;
  closeInput(): void;
}

export interface Processes {
  readonly containment: Containment;
  /** Tried once, when it is first asked for. */
  readonly sandbox: SandboxState;
  /** Never throws after the checks of its arguments: a program that cannot start is an end. */
  start(spec: ProcessSpec): ChildProcess;
  /** Ends every process that carries the mark (one of them), and the identified one if it is still itself. Never signals a pid whose start time or boot differs. Number ended. */
  sweep(mark: string | readonly string[], identity: ProcessIdentity | null): Promise<number>;
  /** Whether this very process is still alive. */
  isAlive(identity: ProcessIdentity): boolean;
  /** Our own identity. */
  self(): ProcessIdentity;
}
