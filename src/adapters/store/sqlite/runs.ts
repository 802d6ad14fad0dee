/** Statements about runs. */
import type { Decision } from "../../../core/decide.ts";
import { MidwatchError } from "../../../core/error.ts";
import type { RunId } from "../../../core/ids.ts";
import type { RunSettings } from "../../../core/run-settings.ts";
import { freshRunState, type RunPhase, type RunRequest, type RunState, type StopReason } from "../../../core/run-state.ts";
import type { ProcessIdentity } from "../../../ports/processes.ts";
import type { NewEvent, NewRun, RunRecord } from "../../../ports/store.ts";
import type { Database, Row } from "./database.ts";
import { addEvents } from "./events.ts";
import { planOfGoing, putPlanText, takePlan } from "./plans.ts";
import { int, json, maybeInt, maybeJson, maybeString, maybeText, prose, text } from "./rows.ts";

const add = `INSERT INTO run (id, plan, branch, settings, phase, phase_since, state, supervisor, started_at)
  VALUES (:id, :plan, :branch, :settings, 'running', :now, :state, :supervisor, :now)`;
const columns = "SELECT run.*, plan.repository, plan.worktree FROM run JOIN plan ON plan.id = run.plan";
const one = `${columns} WHERE run.id = :run`;
const newest = `${columns} ORDER BY run.started_at DESC, run.rowid DESC LIMIT :limit`;
const newestOfTree = `${columns} WHERE plan.worktree = :worktree ORDER BY run.started_at DESC, run.rowid DESC LIMIT :limit`;
/** Leaves the phase: what was waited in it is added up. A clock that was set back adds nothing. */
const leavePhase = `UPDATE run SET
  waited_person_ms = waited_person_ms + iif(phase = 'waiting-person', max(0, :now - phase_since), 0),
  waited_provider_ms = waited_provider_ms + iif(phase = 'waiting-provider', max(0, :now - phase_since), 0),
  phase = :phase, phase_since = :now WHERE id = :run`;
const end = "UPDATE run SET phase = 'ended', ended_at = :now, stop_reason = :reason, stop_detail = :detail WHERE id = :run";
const decide = "UPDATE run SET state = :state, decision = :decision WHERE id = :run";
const openWindow = "SELECT number FROM window WHERE run = :run AND state = 'open'";

export function createRun(db: Database, run: NewRun, now: number): RunRecord {
  return db.write("createRun", "ordinary", () => {
    const { id, repository, worktree, branch, settings, supervisor } = run;
    const row = {
      id,
      branch,
      settings: JSON.stringify(settings),
      state: JSON.stringify(freshRunState),
      supervisor: maybeString(supervisor),
      now,
    };
    db.run(add, { ...row, plan: takePlan(db, run) });
    addEvents(db, id, [{ kind: "run.started", data: { repository, worktree, branch, plan: settings.plan.path } }], now);
    return mustFind(db, id);
  });
}

export function findRun(db: Database, run: RunId): RunRecord | null {
  const row = db.get(one, { run });
  return row === undefined ? null : toRun(row);
}

function mustFind(db: Database, run: RunId): RunRecord {
  const found = findRun(db, run);
  if (found === null) throw new MidwatchError("bug", "E_RUN_UNKNOWN", `there is no run ${run} in the store`);
  return found;
}

export function listRuns(db: Database, { worktree, limit }: { readonly worktree?: string; readonly limit: number }): readonly RunRecord[] {
  return (worktree === undefined ? db.all(newest, { limit }) : db.all(newestOfTree, { worktree, limit })).map(toRun);
}

/** Other settings may name another plan: the run goes on with that one's tasks. */
export function setSettings(db: Database, run: RunId, settings: RunSettings, now: number): void {
  db.write("setSettings", "ordinary", () => {
    planOfGoing(db, run);
    const before = mustFind(db, run);
    const plan = takePlan(db, { ...before, settings });
    db.run("UPDATE run SET settings = :settings, plan = :plan WHERE id = :run", { run, plan, settings: JSON.stringify(settings) });
    addEvents(db, run, [{ kind: "run.settings-changed", data: { before: before.settings, after: settings } }], now);
  });
}

export function setSupervisor(db: Database, run: RunId, supervisor: ProcessIdentity | null, now: number): void {
  db.write("setSupervisor", "ordinary", () => {
    planOfGoing(db, run);
    const { supervisor: before } = mustFind(db, run);
    if (JSON.stringify(before) === JSON.stringify(supervisor)) return;
    db.run("UPDATE run SET supervisor = :supervisor WHERE id = :run", { run, supervisor: maybeString(supervisor) });
    addEvents(
      db,
      run,
      [supervisor === null ? { kind: "run.released", data: { before } } : { kind: "run.recovered", data: { supervisor, before } }],
      now,
    );
  });
}

export function setPhase(db: Database, run: RunId, phase: RunPhase, events: readonly NewEvent[], now: number): void {
  if (phase === "ended") throw new MidwatchError("bug", "E_RUN_ENDS_WITH_REASON", "a run ends by endRun, with its reason");
  db.write("setPhase", "last-word", () => {
    planOfGoing(db, run);
    const { phase: before } = mustFind(db, run);
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
  putDecision(db, run, mustFind(db, run).state, decision, now);
}

/** A run with an open window does not end: the window is ended first, with its own reason. */
export function endRun(db: Database, run: RunId, stop: { readonly reason: StopReason; readonly detail: string }, now: number): void {
  db.write("endRun", "last-word", () => {
    planOfGoing(db, run);
    const window = db.get(openWindow, { run });
    if (window !== undefined)
      throw new MidwatchError("bug", "E_WINDOW_OPEN", `window ${int(window, "number")} of run ${run} is still open`);
    const { phase } = mustFind(db, run);
    db.run(leavePhase, { run, phase, now });
    db.run(end, { run, now, reason: stop.reason, detail: prose(stop.detail) });
    addEvents(db, run, [{ kind: "run.ended", data: { reason: stop.reason, detail: stop.detail, from: phase } }], now);
  });
}

export function setRequest(db: Database, run: RunId, request: RunRequest, now: number): void {
  db.write("setRequest", "last-word", () => {
    planOfGoing(db, run);
    const changed = db.run("UPDATE run SET request = :request WHERE id = :run AND request <> :request", { run, request });
    if (changed > 0) addEvents(db, run, [{ kind: request === "none" ? "request.cleared" : "request.made", data: { request } }], now);
  });
}

export function readRequest(db: Database, run: RunId): RunRequest {
  const row = db.get("SELECT request FROM run WHERE id = :run", { run });
  return row === undefined ? "none" : (text(row, "request") as RunRequest);
}

export function setPlanText(db: Database, run: RunId, planText: string, now: number): void {
  db.write("setPlanText", "ordinary", () => {
    putPlanText(db, planOfGoing(db, run), planText);
    addEvents(db, run, [{ kind: "plan.recorded", data: { characters: planText.length } }], now);
  });
}

function toRun(row: Row): RunRecord {
  return {
    id: text(row, "id") as RunId,
    repository: text(row, "repository"),
    worktree: text(row, "worktree"),
    branch: maybeText(row, "branch"),
    settings: json(row, "settings"),
    phase: text(row, "phase") as RunPhase,
    state: json(row, "state"),
    decision: maybeJson(row, "decision"),
    stopReason: maybeText(row, "stop_reason") as StopReason | null,
    stopDetail: text(row, "stop_detail"),
    request: text(row, "request") as RunRequest,
    supervisor: maybeJson(row, "supervisor"),
    startedAt: int(row, "started_at"),
    endedAt: maybeInt(row, "ended_at"),
    waitedPersonMs: int(row, "waited_person_ms"),
    waitedProviderMs: int(row, "waited_provider_ms"),
  };
}
