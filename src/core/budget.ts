/** How many tasks the next window is told to close (A11, A13). The harness computes it; the agent is never asked to estimate. */
import type { RunLimits, RunState } from "./run-state.ts";

/** Without experience: no task was closed in the last five windows. */
const startValue = 5;
/** A11: what a task may cost more than the last ones did. */
const margin = 1.3;

/** floor(window cap / (1.3 x cost per task)) of the last five windows, at least 1, at most the fixed checkpoint. */
export function taskLimit(state: RunState, limits: RunLimits): number {
  const cost = state.recent.reduce((sum, window) => sum + window.costMicroUsd, 0);
  const closed = state.recent.reduce((sum, window) => sum + window.tasksClosed, 0);
  const affordable = closed === 0 || cost === 0 ? startValue : Math.floor(windowCapMicroUsd(state, limits) / (margin * (cost / closed)));
  return Math.max(1, Math.min(affordable, limits.tasksPerWindow));
}

/** The next window may spend its own cap, or what is left of the run's. */
export function windowCapMicroUsd(state: RunState, limits: RunLimits): number {
  return Math.max(0, Math.min(limits.windowMicroUsd, limits.runMicroUsd - state.spentMicroUsd));
}

/** With less than this left under a cap no window opens: it could do nothing but hand off. */
export function minimumToOpen(capMicroUsd: number, { reserveMicroUsd, windowMicroUsd }: RunLimits): number {
  return Math.min(reserveMicroUsd, windowMicroUsd / 2, capMicroUsd / 2);
}
