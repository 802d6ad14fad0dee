/** `midwatch run --dry-run` and `--print-prompt`: what would happen, without a row, a window or a cent. */
import { taskLimit } from "../core/budget.ts";
import { exitCodeOfError } from "../core/exit-codes.ts";
import { describeUnfit, isUnchecked, unfitness } from "../core/fit.ts";
import { describeGroundProblem, groundProblems } from "../core/ground.ts";
import { claimable } from "../core/plan-order.ts";
import { composePrompt, promptTemplate } from "../core/prompt.ts";
import { describeAgent, describePlan, type RunSettings } from "../core/run-settings.ts";
import { freshRunState } from "../core/run-state.ts";
import { planStanding } from "../core/standing.ts";
import type { Task } from "../core/task.ts";
import { settingsRefusal } from "../engine/repository-settings.ts";
import { samePlan, treeHolder } from "../engine/start-run.ts";
import type { RunRecord } from "../ports/store.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { App } from "./app.ts";
import { labelled, showLines } from "./layout.ts";
import { lookAtPlan } from "./plan-look.ts";
import { count, json, money, type Paint, painter, plain } from "./print.ts";
import { describeLeft, leftTasks, readLeft, withStore } from "./take-up.ts";

/** What stands against it, and the exit code that the run would have. */
interface Obstacle {
  readonly code: number;
  readonly line: string;
}

export async function dryRun(app: App, workspace: Workspace, settings: RunSettings, asJson: boolean): Promise<number> {
  const { top } = workspace.location;
  const left = await readLeft(app, top);
  const goesOn = left !== null && samePlan(left.settings, settings);
  const look = await lookAtPlan(app, workspace, settings.plan, goesOn ? await leftTasks(app, left) : []);
  const obstacles = await findObstacles(app, workspace, settings, goesOn ? left : null);
  const { limits } = settings;
  const value = {
    plan: settings.plan,
    agent: describeAgent(settings.agent),
    standing: planStanding(look.tasks),
    takesUp:
      left === null
        ? null
        : { run: left.id, phase: left.phase, samePlan: goesOn, windows: left.state.windows, spentMicroUsd: left.state.spentMicroUsd },
    firstWindow: firstTasks(look.tasks, settings).map(({ key, title }) => ({ key, title })),
    tasks: look.tasks.map(describeChecks),
    withoutCriterion: look.tasks.filter((task) => task.state !== "done" && isUnchecked(task)).map(({ key }) => key),
    caps: { windows: limits.windows, runUsd: limits.runMicroUsd / 1_000_000, windowUsd: limits.windowMicroUsd / 1_000_000 },
    notes: look.notes,
    standsAgainstIt: obstacles.map(({ line }) => line),
  };
  if (asJson) app.terminal.out(json(value));
  else {
    const paint = painter(app.terminal);
    showLines(app.terminal, headLines(settings, value, left), 14);
    showLines(app.terminal, [...taskLines(value.tasks, paint), ...endLines(value, paint)], 6);
  }
  return obstacles[0]?.code ?? 0;
}

function firstTasks(tasks: readonly Task[], { limits }: RunSettings): readonly Task[] {
  return claimable(tasks).slice(0, taskLimit(freshRunState, limits));
}

function describeChecks(task: Task) {
  const { key, title, state, dependsOn, criteria } = task;
  const texts = (isTold: boolean) => criteria.filter(({ kind }) => (kind === "prose") === isTold).map(({ text }) => text);
  return { key, title, state, after: dependsOn, checked: texts(false), told: texts(true), unfit: unfitness(task) };
}

/** In the order in which a run would meet them. */
async function findObstacles(app: App, workspace: Workspace, settings: RunSettings, left: RunRecord | null): Promise<readonly Obstacle[]> {
  const holder = await findHolder(app, workspace.location.top);
  const probe = await app.probeAgent(settings);
  const refusal = await settingsRefusal({ repositorySettings: await app.repositorySettings(workspace) }, settings);
  const unpriced = await app.unpricedModel(settings);
  const ground = groundProblems(await workspace.inspect(settings.bookkeeping), { branch: left?.branch ?? null });
  // A run that goes on asks where a new one is refused.
  const code = left === null ? exitCodeOfError("refused") : 3;
  return [
    ...(holder === null ? [] : [{ code: exitCodeOfError("busy"), line: holder }]),
    ...(refusal === null ? [] : [{ code, line: `${refusal.message}; ${refusal.hint}` }]),
    ...(probe.kind === "found" ? [] : [{ code, line: probe.hint === undefined ? probe.detail : `${probe.detail}; ${probe.hint}` }]),
    ...(unpriced === null ? [] : [{ code: left === null ? exitCodeOfError("config") : 3, line: `${unpriced.message}; ${unpriced.hint}` }]),
    ...ground.map((problem) => ({ code, line: describeGroundProblem(problem) })),
  ];
}

/** Without a store nobody has ever held a tree, and none is made for the question. */
function findHolder(app: App, top: string): Promise<string | null> {
  return withStore(app, null, async (store) => (await treeHolder(store, await app.locks(), top))?.message ?? null);
}

type DryRun = {
  readonly agent: string;
  readonly standing: ReturnType<typeof planStanding>;
  readonly firstWindow: readonly { readonly key: string; readonly title: string }[];
  readonly tasks: readonly ReturnType<typeof describeChecks>[];
  readonly notes: readonly string[];
  readonly standsAgainstIt: readonly string[];
};

function headLines({ plan, agent, limits }: RunSettings, value: DryRun, left: RunRecord | null): readonly string[] {
  const { total, open } = value.standing;
  const order = value.tasks.filter(({ state }) => state === "pending").map(({ key }) => plain(key));
  const isNew = left === null || !samePlan(left.settings, { plan });
  return labelled([
    ["plan", `${plain(describePlan(plan))}${plan.kind === "prompt" ? ", a repeated prompt" : `: ${open} of ${total} tasks open`}`],
    ["agent", plain(value.agent)],
    ["guards", agent.kind === "claude-code" ? "proved when the run starts, at no cost; nothing is started now" : ""],
    [isNew ? "ends first" : "takes up", left === null ? "" : describeLeft(left)],
    ["order", total === 0 ? "" : order.join(" ") || "nothing is open"],
    [
      isNew ? "first window" : "next window",
      total === 0 ? "" : value.firstWindow.map((task) => `${plain(task.key)} ${plain(task.title)}`).join(", ") || "none",
    ],
    ["caps", `${count(limits.windows, "window")}, ${money(limits.runMicroUsd)} in all, ${money(limits.windowMicroUsd)} a window`],
  ]);
}

/** What is run to check each open task, and what only the agent is told. */
function taskLines(tasks: DryRun["tasks"], paint: Paint): readonly string[] {
  return tasks
    .filter(({ state }) => state !== "done")
    .flatMap(({ key, title, checked, told, unfit }) => [
      "",
      `${paint("bold", plain(key))}  ${plain(title)}`,
      ...checked.map((text) => `    ${paint("green", "checked")}  ${plain(text)}`),
      ...told.map((text) => `    ${paint("dim", "told")}     ${plain(text)}`),
      ...(checked.length === 0
        ? [`    ${paint("yellow", "nothing is checked")}: a claim is taken, and reported as claimed, unchecked`]
        : []),
      ...signsOf(unfit).map((signs) => `    ${paint("yellow", "suits no unattended run")}: ${plain(signs)}`),
    ]);
}

/** That nothing is checked stands above. */
function signsOf(unfit: DryRun["tasks"][number]["unfit"]): readonly string[] {
  const signs = unfit.filter(({ kind }) => kind !== "unchecked");
  return signs.length === 0 ? [] : [describeUnfit(signs)];
}

function endLines({ notes, standsAgainstIt }: DryRun, paint: Paint): readonly string[] {
  const lines = [
    ...notes.map((note) => paint("yellow", plain(note))),
    ...standsAgainstIt.map((line) => `${paint("red", "stands against it")}: ${plain(line)}`),
  ];
  return lines.length === 0 ? [] : ["", ...lines];
}

export async function printFirstPrompt(app: App, workspace: Workspace, settings: RunSettings): Promise<number> {
  const { text, tasks } = await lookAtPlan(app, workspace, settings.plan);
  const prompt = composePrompt(settings.promptTemplate ?? promptTemplate, {
    windowNumber: 1,
    taskLimit: taskLimit(freshRunState, settings.limits),
    tasks: firstTasks(tasks, settings),
    openTasks: planStanding(tasks).open,
    planPath: settings.plan.kind === "board" ? null : settings.plan.path,
    board: settings.plan.kind === "board" ? { member: settings.member ?? null, teammates: [], messages: [], done: [] } : null,
    handoffPath: settings.handoff,
    lastNote: "",
    tell: [],
    answers: [],
    journal: [],
    nudge: false,
    repeated: settings.plan.kind === "prompt" ? text : null,
    hasDoor: true,
  });
  app.terminal.out(prompt);
  return 0;
}
