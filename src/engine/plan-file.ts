/** The plan file of a run: read at the start of each window, judged at its end, marked by us in between. The person owns its words. */
import { matchPlan } from "../core/plan-change.ts";
import { moveFor, personsEdit } from "../core/plan-edit.ts";
import type { PlannedTask, Task } from "../core/task.ts";
import { faultPoint } from "../faults.ts";
import type { TaskChange } from "../ports/store.ts";
import { type RunContext, treePath } from "./context.ts";

export const maxPlanBytes = 5 * 1024 * 1024;

export type PlanReading = { readonly kind: "read"; readonly text: string } | { readonly kind: "problem"; readonly detail: string };

/** The text of the plan file or of the repeated prompt. */
export async function readPlanText(context: RunContext): Promise<PlanReading> {
  const { path } = context.settings.plan;
  const file = await context.ports.files.readText(treePath(context, path), maxPlanBytes);
  if (file.kind === "text") return { kind: "read", text: file.text };
  return {
    kind: "problem",
    detail: file.kind === "absent" ? `the plan ${path} is not there` : `the plan ${path} cannot be read (${file.detail})`,
  };
}

export function parseTasks(context: RunContext, text: string): readonly PlannedTask[] | null {
  const parsed = context.ports.plans.parse(context.settings.plan.path, text);
  return parsed.kind === "plan" ? parsed.tasks : null;
}

/**
 * Takes over what the person changed in the plan since it was last read or written, and returns its text.
 * A plan that a window has removed or broken is no problem: the store has the tasks.
 */
export async function syncPlan(context: RunContext): Promise<PlanReading> {
  const { ports, run, settings } = context;
  const known = await ports.store.planText(run);
  const reading = await readPlanText(context);
  const text = reading.kind === "read" ? reading.text : "";
  if (text === known) return { kind: "read", text };
  if (reading.kind === "problem") return reading;
  const parsed = ports.plans.parse(settings.plan.path, text);
  if (parsed.kind === "broken")
    return { kind: "problem", detail: `${settings.plan.path}${parsed.line > 0 ? `:${parsed.line}` : ""}: ${parsed.reason}` };
  const tasks = await ports.store.tasks(run);
  const edit = personsEdit(tasks, known === null ? null : parseTasks(context, known), parsed.tasks);
  const now = ports.clock.now();
  const events = edit.notes.length === 0 || tasks.length === 0 ? [] : [{ kind: "plan.edited", data: { by: "person", notes: edit.notes } }];
  await ports.store.syncTasks(
    run,
    edit.planned,
    [...moves(tasks, edit.closed, "close"), ...moves(tasks, edit.reopened, "reopen")],
    events,
    now,
  );
  await ports.store.setPlanText(run, text, now);
  return { kind: "read", text };
}

/** A new task has no row yet; the store inserts it as pending before it applies the moves. */
function moves(tasks: readonly Task[], keys: readonly string[], wish: "close" | "reopen"): readonly TaskChange[] {
  return keys.flatMap((key) => {
    const task = tasks.find((one) => one.key === key);
    const move = task === undefined ? "close" : moveFor(task, wish);
    if (move === null) return [];
    const change = {
      key: key as Task["key"],
      move,
      reason: wish === "close" ? "" : "the person took the mark out of the plan",
      by: "person",
    } as const;
    return [wish === "close" ? { ...change, doneBy: "person" as const } : change];
  });
}

/** Sets the marks of the plan to what the store says. Every byte that is not a mark stays. Done again after a death, it changes nothing. */
export async function writeMarks(context: RunContext): Promise<void> {
  const { ports, run, settings } = context;
  const reading = await readPlanText(context);
  const inFile = reading.kind === "read" ? parseTasks(context, reading.text) : null;
  // A window took the file away or broke it: the judgement has reported that, and the person mends it.
  if (reading.kind === "problem" || inFile === null) return;
  const tasks = await ports.store.tasks(run);
  const { keysInPlan } = matchPlan(tasks, inFile);
  const marks = new Map(tasks.map((task) => [keysInPlan.get(task.key) ?? task.key, task.state === "done"]));
  const { text } = ports.plans.withMarks(settings.plan.path, reading.text, marks);
  if (text === reading.text) return;
  faultPoint("plan.before-write");
  await ports.files.writeAtomic(treePath(context, settings.plan.path), text);
  faultPoint("plan.written");
  await ports.store.setPlanText(run, text, ports.clock.now());
}
