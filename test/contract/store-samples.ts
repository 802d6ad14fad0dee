/** Values that the store's tests share: small, whole, and of the true types. */
import type { Decision } from "../../src/core/decide.ts";
import { runId, taskKey, windowId } from "../../src/core/ids.ts";
import type { WindowOutcome } from "../../src/core/outcome.ts";
import type { QuestionDraft } from "../../src/core/question.ts";
import type { RunSettings } from "../../src/core/run-settings.ts";
import { freshRunState } from "../../src/core/run-state.ts";
import type { PlannedTask } from "../../src/core/task.ts";
import type { NewRun, Store, TaskChange, WindowClosing, WindowResult } from "../../src/ports/store.ts";

export const settings: RunSettings = {
  plan: { kind: "list", path: "TASKS.md" },
  agent: { kind: "command", command: ["agent", "--go"], passEnv: [], env: {}, containment: "auto", sandbox: "auto", writable: [] },
  limits: {
    windows: 40,
    runMicroUsd: 20_000_000,
    windowMicroUsd: 5_000_000,
    unknownCostMicroUsd: 500_000,
    unknownCostWindows: 10,
    idleWindows: 2,
    windowsWithoutTask: 3,
    failedWindows: 2,
    attemptsPerTask: 3,
    tasksPerWindow: 5,
    windowMs: 3_600_000,
    idleMs: 600_000,
    toolMs: 1_200_000,
    lingerMs: 30_000,
    graceMs: 10_000,
    criterionMs: 600_000,
    callMicroUsd: null,
    taskMicroUsd: null,
    dayMicroUsd: null,
    monthMicroUsd: null,
    reserveMicroUsd: 1_000_000,
    agents: 12,
    agentsEach: 5,
    contextTellTokens: 150_000,
    contextTokens: 200_000,
    outageMs: 30_000,
    outageCeilingMs: 900_000,
    deadlineAt: null,
  },
  handoff: ".midwatch/handoff.md",
  bookkeeping: ["TASKS.md"],
  gateway: { mode: "auto", anthropic: null, openai: null, unpriced: "refuse" },
  leftovers: "ask",
  recheck: "after-window",
  integrity: "refuse",
  protect: [],
  onProviderLimit: "wait",
  onQuestion: "wait",
  promptTemplate: null,
  logBytes: 10_000_000,
};

export const supervisor = { pid: 4242, startTicks: 777, bootId: "boot-1" };

export function newRun(id = "run-1", change: Partial<NewRun> = {}): NewRun {
  return { id: runId(id), repository: "/home/ana/shop/.git", worktree: "/home/ana/shop", branch: "main", settings, supervisor, ...change };
}

export function planned(key: string, change: Partial<PlannedTask> = {}): PlannedTask {
  return {
    key: taskKey(key),
    keyGiven: true,
    title: `Task ${key}`,
    objective: `Do ${key}`,
    criteria: [
      { kind: "command", text: "- `npm test`", command: "npm test" },
      { kind: "file", text: "- notes.md says done", path: "notes.md", expect: { kind: "contains", needle: "done" } },
    ],
    context: ["docs/shop.md"],
    dependsOn: [],
    priority: 1,
    ticked: false,
    ...change,
  };
}

export const change = (key: string, move: TaskChange["move"], extra: Partial<TaskChange> = {}): TaskChange => ({
  key: taskKey(key),
  move,
  reason: "",
  by: "harness",
  ...extra,
});
export const close = (key: string, extra: Partial<TaskChange> = {}): TaskChange =>
  change(key, "close", { doneBy: "verified", by: "window 1", ...extra });

export function draft(extra: Partial<QuestionDraft> = {}): QuestionDraft {
  return {
    source: "agent",
    text: "Red or blue?",
    context: "For the button.",
    options: ["red", "blue"],
    defaultAnswer: "red",
    deadlineAt: 90_000,
    task: null,
    ...extra,
  };
}

export function newWindow(id = "window-1", run = "run-1"): Parameters<Store["openWindow"]>[0] {
  return {
    id: windowId(id),
    run: runId(run),
    openedAt: 2000,
    base: "a1b2c3",
    branch: "main",
    noteHash: null,
    planText: "- [ ] T1\0\u2028é\n",
    tasks: [taskKey("T1"), taskKey("T2")],
    taskLimit: 3,
    logPath: `/state/logs/${id}.log`,
  };
}

export const launch: Decision = { kind: "launch", nudge: false, tell: ["Look at T2."] };

const outcome: WindowOutcome = {
  end: { kind: "good", detail: "completed" },
  note: { kind: "absent" },
  doneRefused: null,
  codeChanged: true,
  tasksClosed: 1,
  progress: true,
  plan: { total: 2, open: 1, waiting: 0, done: 1, claimed: 0, failed: 0 },
  toolCalls: 7,
  costMicroUsd: 123_456,
  lastText: "Done.",
  conflictMarkers: [],
  remarks: [],
  request: "none",
  repeatedPrompt: false,
  now: 3000,
};

export const result: WindowResult = {
  exit: { kind: "completed", exitCode: 0 },
  outcome,
  counted: true,
  head: "d4e5f6",
  commits: 2,
  tasksClosed: [taskKey("T1")],
  costMicroUsd: 123_456,
  agentVersion: "1.2.3",
  sessionIds: ["s-1"],
  toolCalls: 7,
  subagentToolCalls: 0,
  maxContextTokens: 50_000,
  lastTool: "Bash npm test",
  durationMs: 1000,
  notes: [],
};

export function closing(extra: Partial<WindowClosing> = {}): WindowClosing {
  const state = { ...freshRunState, windows: 1, spentMicroUsd: 123_456 };
  return {
    window: windowId("window-1"),
    run: runId("run-1"),
    result,
    state,
    decision: launch,
    changes: [],
    attempts: [],
    planText: "- [x] T1\n",
    events: [],
    ...extra,
  };
}

/** A run with the tasks T1, T2 and T3, at time 1000. */
export async function startRun(store: Store, id = "run-1", extra: Partial<NewRun> = {}): Promise<void> {
  const run = newRun(id, extra);
  await store.createRun(run, 1000);
  await store.syncTasks(run.id, [planned("T1"), planned("T2"), planned("T3")], [], [], 1000);
}

/** What the log says, one line an event: its kind and the task it is about. */
export async function log(store: Store, run = "run-1"): Promise<readonly string[]> {
  const events = await store.eventsAfter(runId(run), 0, 1000);
  return events.map(({ kind, data }) => (typeof data["task"] === "string" ? `${kind} ${data["task"]}` : kind));
}
