/** Statements about windows. A window's end is one transaction with everything that follows from it. */
import { MidwatchError } from "../../../core/error.ts";
import type { RunId, WindowId } from "../../../core/ids.ts";
import type { ProcessIdentity } from "../../../ports/processes.ts";
import type { Store, WindowClosing, WindowRecord, WindowResult } from "../../../ports/store.ts";
import { putDecision } from "./course.ts";
import type { Database, Row } from "./database.ts";
import { addEvents } from "./events.ts";
import { planOfGoing, putPlanText } from "./plans.ts";
import { int, json, maybeInt, maybeJson, maybeString, maybeText, text } from "./rows.ts";
import { releaseOwned, startFirst } from "./task-claims.ts";
import { addAttempts, moveTasks } from "./tasks.ts";
import { giveMessages, takeMessagesBack } from "./team.ts";

type NewWindow = Parameters<Store["openWindow"]>[0];

const add = `INSERT INTO window (id, run, number, state, opened_at, base, branch, note_hash, plan_text, tasks, task_limit, log_path)
  VALUES (:id, :run, (SELECT count(*) + 1 FROM window WHERE run = :run), 'open', :openedAt, :base, :branch, :noteHash, :planText, :tasks, :taskLimit, :logPath)`;
const find = "SELECT * FROM window WHERE id = :window";
const openOne = "SELECT * FROM window WHERE run = :run AND state = 'open'";
const start = "UPDATE window SET process = :process WHERE id = :window AND state = 'open' RETURNING run, number";
const end =
  "UPDATE window SET state = 'ended', ended_at = :now, result = :result WHERE id = :window AND run = :run AND state = 'open' RETURNING number";

export function openWindow(db: Database, window: NewWindow, now: number): WindowRecord {
  return db.write("openWindow", "ordinary", () => {
    const { id, run, openedAt, base, branch, noteHash, planText, tasks, taskLimit, logPath } = window;
    const plan = planOfGoing(db, run);
    const open = db.get(openOne, { run });
    if (open !== undefined) throw new MidwatchError("bug", "E_WINDOW_OPEN", `window ${int(open, "number")} of run ${run} is still open`);
    const texts = { planText: maybeString(planText), tasks: JSON.stringify(tasks) };
    db.run(add, { id, run, openedAt, base, branch, noteHash, taskLimit, logPath, ...texts });
    const row = mustFind(db, id);
    addEvents(db, run, [{ kind: "window.opened", window: id, data: { number: row.number, base, branch, tasks, taskLimit } }], now);
    startFirst(db, { plan, run, window: id, now }, tasks, `window ${row.number}`);
    giveMessages(db, run, id);
    return row;
  });
}

export function startWindow(db: Database, window: WindowId, process: ProcessIdentity, now: number): void {
  db.write("startWindow", "last-word", () => {
    const row = db.get(start, { window, process: JSON.stringify(process) });
    if (row === undefined) return void mustFind(db, window);
    addEvents(db, text(row, "run") as RunId, [{ kind: "window.started", window, data: { number: int(row, "number"), process } }], now);
  });
}

export function endWindow(db: Database, closing: WindowClosing, now: number): void {
  const { window, run, result } = closing;
  db.write("endWindow", "last-word", () => {
    const plan = planOfGoing(db, run);
    const row = db.get(end, { window, run, now, result: JSON.stringify(result) });
    if (row === undefined) throw new MidwatchError("bug", "E_WINDOW_ENDED", `window ${window} is no open window of run ${run}`);
    addEvents(db, run, [{ kind: "window.ended", window, data: { number: int(row, "number"), ...summary(result) } }], now);
    addAttempts(db, { plan, run, window, now }, closing.attempts);
    moveTasks(db, { plan, run, window, now }, closing.changes);
    releaseOwned(db, { plan, run, window, now }, "its window ended");
    if (result.exit.kind === "lost") takeMessagesBack(db, window);
    if (closing.planText !== null) putPlanText(db, plan, closing.planText);
    putDecision(db, run, closing.state, closing.decision, now);
    addEvents(db, run, closing.events, now);
  });
}

/** What a reader of the log wants to know of it; the whole is in the window's row. */
function summary({ exit, outcome, counted, head, commits, tasksClosed, costMicroUsd, durationMs }: WindowResult): Record<string, unknown> {
  return { exit, end: outcome.end, counted, head, commits, tasksClosed, costMicroUsd, durationMs };
}

export function listWindows(db: Database, run: RunId): readonly WindowRecord[] {
  return db.all("SELECT * FROM window WHERE run = :run ORDER BY number", { run }).map(toWindow);
}

export function openWindowOf(db: Database, run: RunId): WindowRecord | null {
  const row = db.get(openOne, { run });
  return row === undefined ? null : toWindow(row);
}

function mustFind(db: Database, window: WindowId): WindowRecord {
  const row = db.get(find, { window });
  if (row === undefined) throw new MidwatchError("bug", "E_WINDOW_UNKNOWN", `there is no window ${window} in the store`);
  return toWindow(row);
}

function toWindow(row: Row): WindowRecord {
  return {
    id: text(row, "id") as WindowId,
    run: text(row, "run") as RunId,
    number: int(row, "number"),
    state: text(row, "state") as WindowRecord["state"],
    openedAt: int(row, "opened_at"),
    endedAt: maybeInt(row, "ended_at"),
    base: text(row, "base"),
    branch: maybeText(row, "branch"),
    noteHash: maybeText(row, "note_hash"),
    planText: maybeJson(row, "plan_text"),
    tasks: json(row, "tasks"),
    taskLimit: int(row, "task_limit"),
    process: maybeJson(row, "process"),
    logPath: text(row, "log_path"),
    result: maybeJson(row, "result"),
  };
}
