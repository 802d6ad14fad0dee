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
  // Keys made by order move when a line is put in: every reading is brought under the keys of the store first.
  const asKnown = known === null ? null : parseTasks(context, known);
  const before = asKnown === null ? null : matchPlan(tasks, asKnown).tasks;
  const edit = personsEdit(tasks, before, parsed.tasks);
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

/**
 * Sets the marks of the plan to what the store says; every byte that is not a mark stays. A mark that is not as it was when the window was
 * judged is the person's already, or was written by us before a death: it is left alone. What is recorded is the judged text under our marks,
 * so that the next look finds what the person changed meanwhile, and nothing of ours in it.
 */
export async function writeMarks(context: RunContext): Promise<void> {
  const { ports, run, settings } = context;
  const [reading, judged] = await Promise.all([readPlanText(context), ports.store.planText(run)]);
  if (reading.kind === "problem" || judged === null) return;
  const inFile = parseTasks(context, reading.text);
  const atJudgement = reading.text === judged ? inFile : parseTasks(context, judged);
  // A window took the file away or broke it: the judgement has reported that, and the person mends it.
  if (inFile === null || atJudgement === null) return;
  const tasks = await ports.store.tasks(run);
  const [is, was] = [ticksOf(tasks, inFile), ticksOf(tasks, atJudgement)];
  const text = withMarks(context, tasks, { text: reading.text, parsed: inFile, isOurs: ({ key }) => is.get(key) === was.get(key) });
  const settled = withMarks(context, tasks, { text: judged, parsed: atJudgement, isOurs: () => true });
  if (text !== reading.text) {
    faultPoint("plan.before-write");
    await ports.files.writeAtomic(treePath(context, settings.plan.path), text);
    faultPoint("plan.written");
  }
  if (settled !== judged) await ports.store.setPlanText(run, settled, ports.clock.now());
}

/** By the keys of the store. */
function ticksOf(tasks: readonly Task[], parsed: readonly PlannedTask[]): ReadonlyMap<Task["key"], boolean> {
  return new Map(matchPlan(tasks, parsed).tasks.map(({ key, ticked }) => [key, ticked]));
}

interface Marking {
  readonly text: string;
  readonly parsed: readonly PlannedTask[];
  readonly isOurs: (task: Task) => boolean;
}

function withMarks({ ports, settings }: RunContext, tasks: readonly Task[], { text, parsed, isOurs }: Marking): string {
  const { keysInPlan } = matchPlan(tasks, parsed);
  const marks = new Map(tasks.filter(isOurs).map((task) => [keysInPlan.get(task.key) ?? task.key, task.state === "done"]));
  return ports.plans.withMarks(settings.plan.path, text, marks).text;
}
