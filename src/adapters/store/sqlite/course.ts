/** How a run goes on: its phases, its decisions, its end. Nothing changes in a run that has ended. */
import type { Decision } from "../../../core/decide.ts";
import { MidwatchError } from "../../../core/error.ts";
import type { RunId } from "../../../core/ids.ts";
import type { RunPhase, RunState, StopReason } from "../../../core/run-state.ts";
import type { NewEvent } from "../../../ports/store.ts";
import type { Database } from "./database.ts";
import { addEvents } from "./events.ts";
import { planOfGoing } from "./plans.ts";
import { int, prose } from "./rows.ts";
import { getRun } from "./runs.ts";

/** Leaves the phase: what was waited in it is added up. A clock that was set back adds nothing. */
const leavePhase = `UPDATE run SET
  waited_person_ms = waited_person_ms + iif(phase = 'waiting-person', max(0, :now - phase_since), 0),
  waited_provider_ms = waited_provider_ms + iif(phase = 'waiting-provider', max(0, :now - phase_since), 0),
  phase = :phase, phase_since = :now WHERE id = :run`;
const end = "UPDATE run SET phase = 'ended', ended_at = :now, stop_reason = :reason, stop_detail = :detail WHERE id = :run";
const decide = "UPDATE run SET state = :state, decision = :decision WHERE id = :run";
const openWindow = "SELECT number FROM window WHERE run = :run AND state = 'open'";

export function setPhase(db: Database, run: RunId, phase: RunPhase, events: readonly NewEvent[], now: number): void {
  if (phase === "ended") throw new MidwatchError("bug", "E_RUN_ENDS_WITH_REASON", "a run ends by endRun, with its reason");
  db.write("setPhase", "last-word", () => {
    planOfGoing(db, run);
    const { phase: before } = getRun(db, run);
    if (before !== phase) {
      db.run(leavePhase, { run, phase, now });
      addEvents(db, run, [{ kind: "run.phase-changed", data: { from: before, to: phase } }], now);
    }
    addEvents(db, run, events, now);
  });
}

export function setDecision(db: Database, run: RunId, state: RunState, decision: Decision, now: number): void {
  db.write("setDecision", "last-word", () => {
    planOfGoing(db, run);
    putDecision(db, run, state, decision, now);
  });
}

/** To be called inside a write, as is the next one. */
export function putDecision(db: Database, run: RunId, state: RunState, decision: Decision, now: number): void {
  db.run(decide, { run, state: JSON.stringify(state), decision: JSON.stringify(decision) });
  addEvents(db, run, [{ kind: "run.decided", data: { decision } }], now);
}

/** Another decision over the same state. */
export function replaceDecision(db: Database, run: RunId, decision: Decision, now: number): void {
  putDecision(db, run, getRun(db, run).state, decision, now);
}

/** A run with an open window does not end: the window is ended first, with its own reason. */
export function endRun(db: Database, run: RunId, stop: { readonly reason: StopReason; readonly detail: string }, now: number): void {
  db.write("endRun", "last-word", () => {
    planOfGoing(db, run);
    const window = db.get(openWindow, { run });
    if (window !== undefined)
      throw new MidwatchError("bug", "E_WINDOW_OPEN", `window ${int(window, "number")} of run ${run} is still open`);
    const { phase } = getRun(db, run);
    db.run(leavePhase, { run, phase, now });
    db.run(end, { run, now, reason: stop.reason, detail: prose(stop.detail) });
    addEvents(db, run, [{ kind: "run.ended", data: { reason: stop.reason, detail: stop.detail, from: phase } }], now);
  });
}
