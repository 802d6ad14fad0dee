/** The plan's row behind a run: its tasks and its text outlive the run. */
import { MidwatchError } from "../../../core/error.ts";
import type { RunId } from "../../../core/ids.ts";
import type { NewRun } from "../../../ports/store.ts";
import type { Database } from "./database.ts";
import { addEvents } from "./events.ts";
import { int, maybeJson, maybeString, text } from "./rows.ts";

const add = `INSERT INTO plan (kind, repository, worktree, path) VALUES (:kind, :repository, :worktree, :path)
  ON CONFLICT DO UPDATE SET path = path RETURNING id`;
const ofRun = "SELECT plan, phase FROM run WHERE id = :run";
const textOfRun = "SELECT text FROM plan WHERE id = (SELECT plan FROM run WHERE id = :run)";

interface PlanPlace extends Pick<NewRun, "repository" | "worktree"> {
  readonly settings: Pick<NewRun["settings"], "plan">;
}

/** The row for the plan of a run: the one that is there, or a new one. */
export function takePlan(db: Database, { repository, worktree, settings }: PlanPlace): number {
  const { kind, path } = settings.plan;
  const row = db.get(add, { kind, repository, worktree: kind === "board" ? "" : worktree, path });
  if (row === undefined) throw new MidwatchError("bug", "E_PLAN_ROW", `no row for the plan ${path}`);
  return int(row, "id");
}

/** The plan of a run that is there and has not ended: nothing is recorded about an ended one. */
export function planOfGoing(db: Database, run: RunId): number {
  const row = db.get(ofRun, { run });
  if (row === undefined) throw new MidwatchError("bug", "E_RUN_UNKNOWN", `there is no run ${run} in the store`);
  if (text(row, "phase") === "ended")
    throw new MidwatchError("refused", "E_RUN_ENDED", `run ${run} has ended`, { hint: "see how: midwatch report" });
  return int(row, "plan");
}

export function planText(db: Database, run: RunId): string | null {
  const row = db.get(textOfRun, { run });
  return row === undefined ? null : maybeJson<string>(row, "text");
}

/** To be called inside a write. */
export function putPlanText(db: Database, plan: number, planText: string | null): void {
  db.run("UPDATE plan SET text = :text WHERE id = :plan", { plan, text: maybeString(planText) });
}

export function setPlanText(db: Database, run: RunId, planText: string, now: number): void {
  db.write("setPlanText", "ordinary", () => {
    putPlanText(db, planOfGoing(db, run), planText);
    addEvents(db, run, [{ kind: "plan.recorded", data: { characters: planText.length } }], now);
  });
}
