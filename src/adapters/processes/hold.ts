/** How one child is held together with its descendants. Two bodies: `namespace-hold.ts`, `group-hold.ts`. */
import type { ChildProcess } from "node:child_process";
import type { ProcessIdentity } from "../../ports/processes.ts";
import type { Ended } from "./kin.ts";

export type PoliteSignal = "SIGINT" | "SIGTERM";

export interface LeaderEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** The program never ran; the code says why. */
  readonly error?: string;
}

export interface Hold {
  /** What to spawn so that the program runs held. `statusPipe`: descriptor 3 is a pipe to us. */
  readonly file: string;
  readonly args: readonly string[];
  readonly statusPipe: boolean;
  readonly isSandboxed: boolean;
  /** The child runs. Called once. */
  attach(child: ChildProcess, identity: ProcessIdentity): void;
  /** Signals the leader and its group, and never what holds them; false while there is nobody yet who could hear it. */
  signal(name: PoliteSignal): boolean;
  /** SIGKILL to the leader and to everything that can be found now. */
  kill(): void;
  /** After the end of what we spawned: ends what is left of its descendants, and resolves when they are gone. */
  clear(): Promise<Ended>;
  /** Names of what the leader left running when it ended, where that is watched. After `clear`. */
  readLeftBehind(): readonly string[];
  /** The leader's own end, read from the end of what we spawned. After `clear`. */
  readEnd(code: number | null, signal: string | null): LeaderEnd;
}
