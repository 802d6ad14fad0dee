/** Where a run stands, as one value: the terminal, `--json` and later the page print the same. */
import { taskLimit } from "../core/budget.ts";
import type { Question } from "../core/question.ts";
import type { RunPhase, StopReason } from "../core/run-state.ts";
import type { RunSandbox } from "../core/sandbox/run-sandbox.ts";
import { planStanding } from "../core/standing.ts";
import type { Task } from "../core/task.ts";
import type { Processes } from "../ports/processes.ts";
import type { RunRecord, Store } from "../ports/store.ts";
import { isSupervised, nextStep } from "./people.ts";
import { withObstacles } from "./report.ts";
import { sandboxOf } from "./sandbox.ts";
import { spentInWindow } from "./spent.ts";

export interface RunStatus {
  readonly run: string;
  readonly worktree: string;
  readonly branch: string | null;
  readonly phase: RunPhase;
  /** A process is carrying it out. */
  readonly supervised: boolean;
  readonly supervisorPid: number | null;
  /** Null = nothing is recorded of it. */
  readonly sandbox: RunSandbox | null;
  readonly stopReason: StopReason | null;
  readonly stopDetail: string;
  readonly request: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly windows: { readonly counted: number; readonly limit: number; readonly open: OpenWindowStatus | null };
  readonly money: { readonly spentMicroUsd: number; readonly capMicroUsd: number; readonly unknownCostWindows: number };
  readonly nextTaskLimit: number;
  readonly tasks: {
    readonly total: number;
    readonly done: number;
    readonly claimed: number;
    readonly open: number;
    readonly waiting: number;
    readonly failed: number;
  };
  readonly taskList: readonly TaskStatus[];
  readonly questions: readonly Question[];
  /** G4: one line on why nothing runs, or what runs. */
  readonly why: string;
  /** What to type so that it goes on; empty when nothing is needed. */
  readonly next: string;
}

export interface OpenWindowStatus {
  readonly number: number;
  readonly openedAt: number;
  readonly pid: number | null;
  readonly lastAction: string;
}

export interface TaskStatus {
  readonly key: string;
  readonly title: string;
  readonly state: Task["state"];
  readonly doneBy: Task["doneBy"];
  readonly attempts: number;
  readonly reason: string;
}

export async function runStatus(store: Store, processes: Processes, run: RunRecord): Promise<RunStatus> {
  const [tasks, questions, open, actions, sandbox] = await Promise.all([
    store.tasks(run.id),
    store.questions({ run: run.id, state: "open" }),
    store.openWindowOf(run.id),
    store.recentEvents(run.id, "agent.acted", 1),
    sandboxOf(store, run.id),
  ]);
  const supervised = isSupervised(run, processes);
  const inWindow = await spentInWindow(store, open);
  const action = actions.find((event) => event.window === open?.id);
  const window =
    open === null
      ? null
      : {
          number: open.number,
          openedAt: open.openedAt,
          pid: open.process?.pid ?? null,
          lastAction: action === undefined ? "" : `${String(action.data["what"])} ${String(action.data["text"])}`,
        };
  return {
    run: run.id,
    worktree: run.worktree,
    branch: run.branch,
    phase: run.phase,
    supervised,
    supervisorPid: supervised ? (run.supervisor?.pid ?? null) : null,
    sandbox,
    stopReason: run.stopReason,
    stopDetail: run.stopDetail,
    request: run.request,
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    windows: { counted: run.state.windows, limit: run.settings.limits.windows, open: window },
    money: {
      spentMicroUsd: run.state.spentMicroUsd + inWindow,
      capMicroUsd: run.settings.limits.runMicroUsd,
      unknownCostWindows: run.state.unknownCostWindows,
    },
    nextTaskLimit: taskLimit(run.state, run.settings.limits),
    tasks: planStanding(tasks),
    taskList: withObstacles(tasks).map(({ key, title, state, doneBy, attempts, reason }) => ({
      key,
      title,
      state,
      doneBy,
      attempts,
      reason,
    })),
    questions,
    why: why(run, { supervised, questions, window, isIdle: await isIdle(store, run) }),
    next: nextStep(run, supervised, questions),
  };
}

interface Seen {
  readonly supervised: boolean;
  readonly questions: readonly Question[];
  readonly window: OpenWindowStatus | null;
  readonly isIdle: boolean;
}

/** Of a teammate: nothing is to be had, and it looks again. */
async function isIdle({ boards, teams }: Store, { id, settings, phase }: RunRecord): Promise<boolean> {
  if (settings.member === undefined || phase !== "running") return false;
  return (await teams.members((await boards.ofRun(id)).id)).some(({ run, activity }) => run === id && activity === "idle");
}

function why(run: RunRecord, { supervised, questions, window, isIdle }: Seen): string {
  const next = nextStep(run, supervised, questions);
  if (run.phase === "ended") return `it ended: ${run.stopReason} (${run.stopDetail})`;
  if (run.phase === "waiting-person") {
    const [question] = questions;
    return question === undefined
      ? `its question is answered${next === "" ? "" : `; go on with: ${next}`}`
      : `${question.id} waits for you: ${question.text}${choices(question)} (${next})`;
  }
  if (!supervised) return `its process is gone; take it up again with: ${next}`;
  if (run.phase === "paused") return `a person paused it; go on with: ${next}`;
  const pending = pendingWords[run.request];
  return `${whatItDoes(run, window, isIdle)}${pending === undefined ? "" : `; ${pending}`}`;
}

function choices({ options }: Question): string {
  return options.length === 0 ? "" : ` [${options.map((option, index) => `${index + 1}) ${option}`).join("  ")}]`;
}

/** What a person has asked for and the run has not done yet. */
const pendingWords: Readonly<Partial<Record<RunRecord["request"], string>>> = {
  pause: "it pauses after this window",
  "stop-after-window": "it stops after this window",
  "stop-now": "it is being stopped",
};

function whatItDoes(run: RunRecord, window: OpenWindowStatus | null, isIdle: boolean): string {
  if (run.phase === "waiting-provider") return `it waits for the provider (${run.decision?.kind === "wait" ? run.decision.why : "limit"})`;
  if (window === null) return isIdle ? "it is idle: it looks for a message or a task" : "it is between two windows";
  const action = window.lastAction.length > 60 ? `${window.lastAction.slice(0, 59)}…` : window.lastAction;
  return `it works: window ${window.number}${action === "" ? "" : `, ${action}`}`;
}
