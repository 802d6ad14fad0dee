/** `midwatch run --dry-run` and `--print-prompt`: what would happen, without a row, a window or a cent. */
import { taskLimit } from "../core/budget.ts";
import { dollars } from "../core/decide.ts";
import { MidwatchError } from "../core/error.ts";
import { describeGroundProblem, groundProblems } from "../core/ground.ts";
import { claimable } from "../core/plan-order.ts";
import { composePrompt, promptTemplate } from "../core/prompt.ts";
import { describeAgent, type RunSettings } from "../core/run-settings.ts";
import { freshRunState } from "../core/run-state.ts";
import { planStanding } from "../core/standing.ts";
import type { Task } from "../core/task.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { App } from "./app.ts";
import { json, plain } from "./print.ts";

const maxPlanBytes = 5 * 1024 * 1024;

export async function dryRun(app: App, workspace: Workspace, settings: RunSettings, asJson: boolean): Promise<number> {
  const tasks = await plannedTasks(app, workspace, settings);
  const first = claimable(tasks).slice(0, taskLimit(freshRunState, settings.limits));
  const problems = groundProblems(await workspace.inspect(settings.bookkeeping), { branch: null }).map(describeGroundProblem);
  const unchecked = tasks
    .filter((task) => task.state !== "done" && task.criteria.every((criterion) => criterion.kind === "prose"))
    .map((task) => task.key);
  const value = {
    plan: settings.plan,
    agent: describeAgent(settings.agent),
    standing: planStanding(tasks),
    firstWindow: first.map(({ key, title }) => ({ key, title })),
    withoutCriterion: unchecked,
    caps: {
      windows: settings.limits.windows,
      runUsd: settings.limits.runMicroUsd / 1_000_000,
      windowUsd: settings.limits.windowMicroUsd / 1_000_000,
    },
    standsAgainstIt: problems,
  };
  app.terminal.out(asJson ? json(value) : text(value, tasks));
  return problems.length === 0 ? 0 : 6;
}

function text(
  value: {
    readonly agent: string;
    readonly firstWindow: readonly { key: string; title: string }[];
    readonly withoutCriterion: readonly string[];
    readonly caps: { windows: number; runUsd: number; windowUsd: number };
    readonly standsAgainstIt: readonly string[];
  },
  tasks: readonly Task[],
): string {
  const lines = [
    `agent         ${plain(value.agent)}`,
    ...(tasks.length === 0
      ? []
      : [
          `order         ${
            tasks
              .filter((task) => task.state !== "done")
              .map((task) => plain(task.key))
              .join(" ") || "nothing is open"
          }`,
          `first window  ${value.firstWindow.map((task) => `${plain(task.key)} ${plain(task.title)}`).join(", ") || "none"}`,
        ]),
    `caps          ${value.caps.windows} windows, ${dollars(value.caps.runUsd * 1_000_000)} in all, ${dollars(value.caps.windowUsd * 1_000_000)} a window`,
    ...(value.withoutCriterion.length === 0
      ? []
      : [
          `no criterion  ${value.withoutCriterion.map(plain).join(" ")}: a claim of these cannot be checked and will be reported as claimed`,
        ]),
    ...value.standsAgainstIt.map((problem) => `stands against it: ${plain(problem)}`),
  ];
  return `${lines.join("\n")}\n`;
}

export async function printFirstPrompt(app: App, workspace: Workspace, settings: RunSettings): Promise<number> {
  const tasks = await plannedTasks(app, workspace, settings);
  const limit = taskLimit(freshRunState, settings.limits);
  const prompt = composePrompt(settings.promptTemplate ?? promptTemplate, {
    windowNumber: 1,
    taskLimit: limit,
    tasks: claimable(tasks).slice(0, limit),
    openTasks: planStanding(tasks).open,
    planPath: settings.plan.path,
    handoffPath: settings.handoff,
    lastNote: "",
    tell: [],
    answers: [],
    journal: [],
    nudge: false,
    repeated: settings.plan.kind === "prompt" ? await planText(app, workspace, settings) : null,
    hasDoor: true,
  });
  app.terminal.out(prompt);
  return 0;
}

async function plannedTasks(app: App, workspace: Workspace, settings: RunSettings): Promise<readonly Task[]> {
  const content = await planText(app, workspace, settings);
  if (settings.plan.kind === "prompt") return [];
  const parsed = app.plans.parse(settings.plan.path, content);
  if (parsed.kind === "broken")
    throw new MidwatchError(
      "config",
      "E_PLAN_BROKEN",
      `${settings.plan.path}${parsed.line > 0 ? `:${parsed.line}` : ""}: ${parsed.reason}`,
    );
  for (const note of parsed.notes) app.terminal.err(`${plain(note)}\n`);
  return parsed.tasks.map((task, position) => ({
    ...task,
    position,
    state: task.ticked ? "done" : "pending",
    attempts: 0,
    doneBy: task.ticked ? "person" : null,
    reason: "",
    lastEvidence: "",
  }));
}

async function planText(app: App, workspace: Workspace, { plan }: RunSettings): Promise<string> {
  const file = await app.files.readText(`${workspace.location.top}/${plan.path}`, maxPlanBytes);
  if (file.kind === "text") return file.text;
  throw new MidwatchError(
    "config",
    "E_PLAN_MISSING",
    file.kind === "absent" ? `the plan ${plan.path} is not there` : `the plan ${plan.path} cannot be read (${file.detail})`,
    {
      hint: "name it: midwatch run FILE, or make one with: midwatch init",
    },
  );
}
