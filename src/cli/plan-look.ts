/** The plan of a run to be, read without a run: for `run --dry-run`, `--print-prompt` and `doctor`. */
import { MidwatchError } from "../core/error.ts";
import type { PlanSettings } from "../core/run-settings.ts";
import type { Task } from "../core/task.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { App } from "./app.ts";
import { withStore } from "./take-up.ts";

const maxPlanBytes = 5 * 1024 * 1024;

export interface PlanLook {
  readonly text: string;
  /** Empty for a repeated prompt. */
  readonly tasks: readonly Task[];
  readonly notes: readonly string[];
}

/**
 * @param known  the tasks of the run that would go on: what it knows of them counts
 * @throws MidwatchError kind config when there is no plan, or none that reads
 */
export async function lookAtPlan(app: App, { location }: Workspace, plan: PlanSettings, known: readonly Task[] = []): Promise<PlanLook> {
  if (plan.kind === "board") return { text: "", tasks: await boardTasks(app, location.commonDir), notes: [] };
  const text = await planText(app, location.top, plan);
  if (plan.kind === "prompt") return { text, tasks: [], notes: [] };
  const parsed = (await app.plans()).parse(plan.path, text);
  if (parsed.kind === "broken")
    throw new MidwatchError("config", "E_PLAN_BROKEN", `${plan.path}${parsed.line > 0 ? `:${parsed.line}` : ""}: ${parsed.reason}`, {
      hint: "mend the line, then look again with: midwatch run --dry-run",
    });
  const tasks = parsed.tasks.map((task, position): Task => {
    const before = known.find(({ key }) => key === task.key);
    const { attempts, reason, lastEvidence } = before ?? { attempts: 0, reason: "", lastEvidence: "" };
    if (task.ticked)
      return { ...task, position, attempts, owner: null, state: "done", doneBy: before?.doneBy ?? "person", reason: "", lastEvidence };
    const state = before === undefined || before.state === "done" ? "pending" : before.state;
    return { ...task, position, attempts, owner: null, state, doneBy: null, reason, lastEvidence };
  });
  return { text, tasks, notes: parsed.notes };
}

async function planText(app: App, top: string, { path }: PlanSettings): Promise<string> {
  const file = await app.files.readText(`${top}/${path}`, maxPlanBytes);
  if (file.kind === "text") return file.text;
  const detail = file.kind === "absent" ? `the plan ${path} is not there` : `the plan ${path} cannot be read (${file.detail})`;
  throw new MidwatchError("config", "E_PLAN_MISSING", detail, { hint: "name it: midwatch run FILE, or make one with: midwatch init" });
}

function boardTasks(app: App, repository: string): Promise<readonly Task[]> {
  return withStore(app, [], async ({ boards }) => {
    const board = await boards.ofRepository(repository);
    return board === null ? [] : boards.tasks(board.id);
  });
}
