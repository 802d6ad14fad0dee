/** Runs: their rows, and what is said to them from outside. How they go on is in course.ts. */
import { MidwatchError } from "../../../core/error.ts";
import type { RunId } from "../../../core/ids.ts";
import { describePlan, type RunSettings } from "../../../core/run-settings.ts";
import { freshRunState, type RunPhase, type RunRequest, type StopReason } from "../../../core/run-state.ts";
import type { ProcessIdentity } from "../../../ports/processes.ts";
import type { NewRun, RunRecord } from "../../../ports/store.ts";
import type { Database, Row } from "./database.ts";
import { addEvents } from "./events.ts";
import { planOfGoing, takePlan } from "./plans.ts";
import { int, json, maybeInt, maybeJson, maybeString, maybeText, text } from "./rows.ts";

const add = `INSERT INTO run (id, plan, worktree, branch, settings, phase, phase_since, state, supervisor, started_at)
  VALUES (:id, :plan, :worktree, :branch, :settings, 'running', :now, :state, :supervisor, :now)`;
const columns = "SELECT run.*, plan.repository FROM run JOIN plan ON plan.id = run.plan";
const one = `${columns} WHERE run.id = :run`;
const newest = `${columns} ORDER BY run.started_at DESC, run.rowid DESC LIMIT :limit`;
const newestOfTree = `${columns} WHERE run.worktree = :worktree ORDER BY run.started_at DESC, run.rowid DESC LIMIT :limit`;

export function createRun(db: Database, run: NewRun, now: number): RunRecord {
  return db.write("createRun", "ordinary", () => {
    const { id, repository, worktree, branch, settings, supervisor } = run;
    const row = {
      id,
      worktree,
      branch,
      settings: JSON.stringify(settings),
      state: JSON.stringify(freshRunState),
      supervisor: maybeString(supervisor),
      now,
    };
    db.run(add, { ...row, plan: takePlan(db, run) });
    addEvents(db, id, [{ kind: "run.started", data: { repository, worktree, branch, plan: describePlan(settings.plan) } }], now);
    return getRun(db, id);
  });
}

export function findRun(db: Database, run: RunId): RunRecord | null {
  const row = db.get(one, { run });
  return row === undefined ? null : toRun(row);
}

/** Of a run that must be there. */
export function getRun(db: Database, run: RunId): RunRecord {
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
    const before = getRun(db, run);
    const plan = takePlan(db, { ...before, settings });
    db.run("UPDATE run SET settings = :settings, plan = :plan WHERE id = :run", { run, plan, settings: JSON.stringify(settings) });
    addEvents(db, run, [{ kind: "run.settings-changed", data: { before: before.settings, after: settings } }], now);
  });
}

export function setSupervisor(db: Database, run: RunId, supervisor: ProcessIdentity | null, now: number): void {
  db.write("setSupervisor", "ordinary", () => {
    planOfGoing(db, run);
    const { supervisor: before } = getRun(db, run);
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
