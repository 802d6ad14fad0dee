/** What a run remembers between windows, its limits, and how it can end. Plain values: stored as they are, folded in `decide.ts`. */

export interface RunState {
  /** Windows that counted. A provider's limit or outage gives its window back. */
  readonly windows: number;
  /** Charged so far, integer millionths of a dollar: what was reported, and a floor for each window of unknown cost. Never falls. */
  readonly spentMicroUsd: number;
  /** How many windows the floor was charged for. */
  readonly unknownCostWindows: number;
  readonly failedInARow: number;
  /** Windows in a row with neither a code commit nor a closed task. */
  readonly idleInARow: number;
  /** Windows with code commits and no closed task since a task was last closed. */
  readonly withoutTaskInARow: number;
  /** Malformed notes and refused DONEs in a row. */
  readonly noteTroubleInARow: number;
  readonly outagesInARow: number;
  /** The first silent window is followed by the nudge (J2). */
  readonly silentInARow: number;
  /** Money and closed tasks of the last five counted windows, newest last (A11). */
  readonly recent: readonly RecentWindow[];
}

export interface RecentWindow {
  readonly costMicroUsd: number;
  readonly tasksClosed: number;
}

export const freshRunState: RunState = {
  windows: 0,
  spentMicroUsd: 0,
  unknownCostWindows: 0,
  failedInARow: 0,
  idleInARow: 0,
  withoutTaskInARow: 0,
  noteTroubleInARow: 0,
  outagesInARow: 0,
  silentInARow: 0,
  recent: [],
};

export interface RunLimits {
  readonly windows: number;
  readonly runMicroUsd: number;
  readonly windowMicroUsd: number;
  /** Charged for a window whose cost nobody told us. */
  readonly unknownCostMicroUsd: number;
  /** After so many of them a person is asked. */
  readonly unknownCostWindows: number;
  readonly idleWindows: number;
  readonly windowsWithoutTask: number;
  readonly failedWindows: number;
  readonly attemptsPerTask: number;
  readonly tasksPerWindow: number;
  readonly windowMs: number;
  readonly idleMs: number;
  readonly toolMs: number;
  /** How long a result may be followed by nothing before the process is ended. */
  readonly lingerMs: number;
  /** Between SIGINT, SIGTERM and SIGKILL. */
  readonly graceMs: number;
  readonly criterionMs: number;
  /** Caps of their own, by the gateway; null = none. */
  readonly callMicroUsd: number | null;
  readonly taskMicroUsd: number | null;
  readonly dayMicroUsd: number | null;
  readonly monthMicroUsd: number | null;
  /** Of a window's money: what is kept for its handoff, at most half. */
  readonly reserveMicroUsd: number;
  /** Agents that a window's agent may start, at every level together / each of them. */
  readonly agents: number;
  readonly agentsEach: number;
  /** Main conversation's input size from which the agent is told to hand off. */
  readonly contextTellTokens: number;
  /** Main conversation's input size at which the window is ended after the running tool. */
  readonly contextTokens: number;
  /** First wait after an outage; doubles up to the ceiling. */
  readonly outageMs: number;
  readonly outageCeilingMs: number;
  /** Wall clock at which no further window opens; null = none. */
  readonly deadlineAt: number | null;
}

/** Each has one exit code, see `exit-codes.ts`. */
export type StopReason =
  | "finished"
  | "finished-with-failures"
  | "person"
  | "money"
  | "limit"
  | "failing"
  | "stalled"
  | "no-task"
  | "windows"
  | "clock"
  | "stopped"
  | "refused"
  | "broken"
  /** A teammate that found nothing more to do, while others may have tasks. */
  | "idle";

/** What a person asked of a run from another terminal. */
export type RunRequest = "none" | "pause" | "stop-after-window" | "stop-now";

export type RunPhase = "running" | "waiting-person" | "waiting-provider" | "paused" | "ended";
