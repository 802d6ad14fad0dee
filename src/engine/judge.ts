/**
 * Judges a window that has ended, from outside: git, the plan file, the note, the criteria, the process. Claims are checked here and recorded one by
 * one; everything else is gathered into one outcome, decided on, and recorded in one transaction.
 */
import { type CommittedSecret, describeSecret, openSecrets } from "../core/committed-secret.ts";
import { type Decision, decide } from "../core/decide.ts";
import { type ExitReason, exitReason } from "../core/exit-reason.ts";
import type { TreeChange } from "../core/ground.ts";
import { maxNoteBytes, type NoteReading, readNote } from "../core/handoff-note.ts";
import type { QuestionId, TaskKey } from "../core/ids.ts";
import { committedMicroUsd } from "../core/money/cap.ts";
import type { PlanStanding, WindowEnd, WindowOutcome } from "../core/outcome.ts";
import { matchPlan } from "../core/plan-change.ts";
import { windowsEdit } from "../core/plan-edit.ts";
import type { RunState } from "../core/run-state.ts";
import { openKeys, planStanding } from "../core/standing.ts";
import { isOpen, type Task } from "../core/task.ts";
import { windowEnd } from "../core/window-end.ts";
import { faultPoint } from "../faults.ts";
import type { TaskChange, WindowRecord, WindowResult } from "../ports/store.ts";
import { checkClaim, recheckDone } from "./claims.ts";
import { findCommittedSecrets } from "./committed-secrets.ts";
import { type RunContext, treePath } from "./context.ts";
import { parseTasks, readPlanText } from "./plan-file.ts";
import { isAboutRun } from "./waiting.ts";
import type { SeenWindow } from "./window.ts";

export interface Judgement {
  readonly state: RunState;
  readonly decision: Decision;
}

/** Records the judgement; when it resolves, the decision can be carried out. */
export async function judgeWindow(context: RunContext, seen: SeenWindow, before: RunState): Promise<Judgement> {
  const { ports, settings } = context;
  const { window, transcript, end, money } = seen;
  const exit = exitReason(transcript, end, money.refused);
  const ended = windowEnd(exit);
  context.ground.spoil();
  const [change, note, committed] = await Promise.all([
    ports.workspace.changeSince(window.base, settings.bookkeeping),
    ports.files.readNote(treePath(context, settings.handoff), maxNoteBytes).then((file) => readNote(file, window.noteHash)),
    findCommittedSecrets(context, window.base),
    context.ground.latest(), // beside the others: the claims and the next window's check will want it
  ]);
  const plan = await judgePlan(context, window);
  // A question about the run pauses it (A9), whether it came in the note or through the door.
  const asked = (await ports.store.questions({ run: context.run, state: "open" })).find(isAboutRun)?.id;
  const tasks = await judgeTasks(context, { window, exit, ended, note, head: change.head, asked });
  await context.control.look(); // whoever was told "after this window" a moment ago must be right
  const outcome = gather({
    context,
    seen,
    exit,
    ended,
    change,
    note,
    ignored: plan.ignored,
    tasks,
    before,
    asked,
    secrets: openSecrets(committed),
  });
  const [state, decision] = decide(before, settings.limits, outcome);
  faultPoint("window.judged");
  await ports.store.endWindow(
    {
      window: window.id,
      run: context.run,
      result: resultOf({ context, seen, exit, outcome, change, closed: tasks.closed, plan, committed }),
      state,
      decision,
      changes: tasks.changes,
      attempts: tasks.attempts,
      planText: plan.text,
      events: plan.ignored.length === 0 ? [] : [{ kind: "plan.change-ignored", window: window.id, data: { notes: plan.ignored } }],
    },
    ports.clock.now(),
  );
  return { state, decision };
}

interface PlanJudgement {
  readonly text: string | null;
  readonly ignored: readonly string[];
}

/** Ticks are claims and are checked now; the rest of what the window did to the list changes nothing. */
async function judgePlan(context: RunContext, window: WindowRecord): Promise<PlanJudgement> {
  if (window.planText === null) return { text: null, ignored: [] };
  const reading = await readPlanText(context);
  if (reading.kind === "problem")
    return { text: "", ignored: window.planText === "" ? [] : [`${reading.detail}: the window took it away`] };
  if (reading.text === window.planText) return { text: reading.text, ignored: [] };
  const after = parseTasks(context, reading.text);
  if (after === null) return { text: reading.text, ignored: [`${context.settings.plan.path} does not read as a plan any more`] };
  const known = await context.ports.store.tasks(context.run);
  const edit = windowsEdit(matchPlan(known, parseTasks(context, window.planText) ?? []).tasks, after);
  for (const key of edit.claims) await checkClaim(context, window, key);
  return { text: reading.text, ignored: edit.ignored };
}

interface TaskJudgement {
  readonly tasks: readonly Task[];
  readonly standing: PlanStanding;
  readonly closed: readonly TaskKey[];
  readonly changes: readonly TaskChange[];
  readonly attempts: readonly TaskKey[];
  readonly remarks: readonly string[];
}

async function judgeTasks(
  context: RunContext,
  {
    window,
    exit,
    ended,
    note,
    head,
    asked,
  }: { window: WindowRecord; exit: ExitReason; ended: WindowEnd; note: NoteReading; head: string; asked: QuestionId | undefined },
): Promise<TaskJudgement> {
  const { store } = context.ports;
  const [tasks, closedNow, refused] = await Promise.all([store.tasks(context.run), store.closedIn(window.id), store.refusedIn(window.id)]);
  const reopened = await reopen(context, tasks, head);
  const closed = closedNow.filter((key) => !reopened.some((one) => one.key === key));
  const wasCutShort = exit.kind === "stopped" || exit.kind === "lost" || ended.kind === "needs-person" || asked !== undefined;
  const attempts =
    ended.kind === "limited" || ended.kind === "outage" || isShortOfMoney(exit)
      ? []
      : attemptsOf(window, { closed, refused, note, tasks, wasCutShort });
  const failures = failedNow(context, tasks, attempts);
  const changes = [...reopened.map((one) => ({ ...one, move: "reopen" as const, by: "harness" })), ...failures];
  const after = tasks.map((task) => applied(task, changes));
  const remarks = [
    ...tasks.filter((task) => refused.includes(task.key)).map((task) => `${task.key} was claimed and is not done: see below.`),
    ...reopened.map((one) => `${one.key} is open again: ${one.reason}`),
  ];
  return { tasks: after, standing: standingOf(context, after), closed, changes, attempts, remarks };
}

async function reopen(context: RunContext, tasks: readonly Task[], head: string) {
  const { open, waiting } = planStanding(tasks);
  const due = context.settings.recheck === "after-window" || (open === 0 && waiting === 0);
  return due ? recheckDone(context, tasks, head) : [];
}

/** No fault of its tasks, unless it is their own money that is spent. */
function isShortOfMoney(exit: ExitReason): boolean {
  return exit.kind === "capped" && exit.by !== "task";
}

interface AttemptFacts {
  readonly closed: readonly TaskKey[];
  readonly refused: readonly TaskKey[];
  readonly note: NoteReading;
  readonly tasks: readonly Task[];
  readonly wasCutShort: boolean;
}

/** An attempt: a claim that was lost, or the window's first task when nothing came of it and neither a question nor a person's stop cut it short. */
function attemptsOf(window: WindowRecord, { closed, refused, note, tasks, wasCutShort }: AttemptFacts): readonly TaskKey[] {
  const first = window.tasks[0];
  const asks = note.kind === "note" && (note.note.status === "awaiting-human" || note.note.status === "blocked");
  const untouched =
    first !== undefined && closed.length === 0 && !asks && !wasCutShort && tasks.some((task) => task.key === first && isOpen(task));
  return untouched && !refused.includes(first) ? [...refused, first] : refused;
}

function failedNow(context: RunContext, tasks: readonly Task[], attempts: readonly TaskKey[]): readonly TaskChange[] {
  const most = context.settings.limits.attemptsPerTask;
  return tasks
    .filter((task) => isOpen(task) && attempts.includes(task.key) && task.attempts + 1 >= most)
    .map((task) => ({
      key: task.key,
      move: "fail" as const,
      reason: `${most} attempts; the last: ${firstLine(task.lastEvidence) || "nothing was claimed"}`,
      by: "harness",
    }));
}

function applied(task: Task, changes: readonly TaskChange[]): Task {
  const change = changes.find((one) => one.key === task.key);
  if (change === undefined) return task;
  return { ...task, state: change.move === "fail" ? "failed" : "pending", reason: change.reason };
}

/** A repeated prompt has no tasks: what is open is its next iterations. On a board others may bring more: what follows is found out when the next window would open. */
function standingOf({ settings: { plan, member } }: RunContext, tasks: readonly Task[]): PlanStanding {
  if (plan.kind === "prompt") return { total: 1, open: 1, waiting: 0, done: 0, claimed: 0, failed: 0 };
  const standing = planStanding(tasks);
  const isOver = standing.open === 0 && standing.waiting === 0 && member === undefined;
  return plan.kind === "list" || isOver ? standing : { ...standing, open: Math.max(1, standing.open) };
}

interface Gathered {
  readonly context: RunContext;
  readonly seen: SeenWindow;
  readonly exit: ExitReason;
  readonly ended: WindowEnd;
  readonly change: TreeChange;
  readonly note: NoteReading;
  readonly ignored: readonly string[];
  readonly tasks: TaskJudgement;
  readonly before: RunState;
  readonly asked: QuestionId | undefined;
  readonly secrets: readonly string[];
}

function gather({ context, seen, exit, ended, change, note, ignored, tasks, before, asked, secrets }: Gathered): WindowOutcome {
  const { ports, settings, control } = context;
  const { transcript } = seen;
  const toolCalls = transcript.showsTurns ? transcript.toolCalls + transcript.subagentToolCalls : null;
  const repeated = settings.plan.kind === "prompt" ? settings.plan : null;
  const open = openKeys(tasks.tasks);
  // A window of a board without a task was opened for a message.
  const wasTold = settings.plan.kind === "board" && seen.window.tasks.length === 0;
  const saidDone = note.kind === "note" && note.note.status === "done";
  return {
    end: ended,
    note,
    doneRefused:
      settings.plan.kind === "list" && saidDone && open.length > 0
        ? `${open.slice(0, 10).join(", ")} ${open.length === 1 ? "is" : "are"} not done`
        : null,
    codeChanged: change.codeChanged,
    tasksClosed: tasks.closed.length,
    progress: repeated === null ? change.codeChanged || tasks.closed.length > 0 || (wasTold && toolCalls !== 0) : toolCalls !== 0,
    plan: repeated?.iterations === before.windows + 1 ? { ...tasks.standing, open: 0, done: 1 } : tasks.standing,
    toolCalls,
    costMicroUsd: chargedMicroUsd(seen, exit),
    ...(exit.kind === "capped" && meetsNextWindow(exit, seen) ? { capped: exit.detail } : {}),
    lastText: firstLine(transcript.lastText),
    conflictMarkers: change.conflictMarkers,
    ...(secrets.length === 0 ? {} : { secrets }),
    remarks: [
      ...(exit.kind === "background-abandoned"
        ? [`The last window ended while ${exit.tasks} of its background tasks were still at work; what they did is not known.`]
        : []),
      ...ignored.map((line) => `A change to the task list does not count: ${line}.`),
      ...tasks.remarks,
    ],
    ...(asked === undefined ? {} : { asked }),
    request: control.current(),
    repeatedPrompt: repeated !== null,
    now: ports.clock.now(),
  };
}

/** Against the run's cap: what is known, and for calls of which it is not known the most that they can have cost. */
function chargedMicroUsd({ transcript, money }: SeenWindow, exit: ExitReason): number | null {
  // An agent that worked without a call that we saw went past the gateway: then its own word is all there is.
  if (money.ledger !== null && (money.ledger.calls > 0 || exit.kind === "capped" || !transcript.hasTurn))
    return committedMicroUsd(money.ledger);
  // What never had a turn cost nothing; one that was ended because it took no guard may have had some.
  return exit.kind === "start-failed" && !transcript.hasTurn ? (transcript.costMicroUsd ?? 0) : transcript.costMicroUsd;
}

/** A cap that outlasts the window, or one under which not even a first call fits. */
function meetsNextWindow({ by }: ExitReason & { kind: "capped" }, { money }: SeenWindow): boolean {
  if (by === "window" || by === "call") return money.ledger?.calls === 0;
  return by === "run" || by === "batch" || by === "day" || by === "month";
}

function resultOf({
  context,
  seen,
  exit,
  outcome,
  change,
  closed,
  plan,
  committed,
}: {
  context: RunContext;
  seen: SeenWindow;
  exit: ExitReason;
  outcome: WindowOutcome;
  change: TreeChange;
  closed: readonly TaskKey[];
  plan: PlanJudgement;
  committed: readonly CommittedSecret[];
}): WindowResult {
  const { transcript, end, window, money } = seen;
  const maxContextTokens = Math.max(transcript.maxContextTokens, money.maxContextTokens);
  return {
    exit,
    outcome,
    counted: outcome.end.kind !== "limited" && outcome.end.kind !== "outage",
    head: change.head,
    commits: change.commits,
    tasksClosed: closed,
    costMicroUsd: money.ledger === null || money.ledger.calls === 0 ? outcome.costMicroUsd : money.ledger.spentMicroUsd,
    ledger: money.ledger,
    reportedMicroUsd: transcript.costMicroUsd,
    agentVersion: transcript.version,
    sessionIds: transcript.sessionIds,
    toolCalls: outcome.toolCalls,
    subagentToolCalls: transcript.subagentToolCalls,
    maxContextTokens: maxContextTokens === 0 ? null : maxContextTokens,
    lastTool: transcript.lastTool === null ? "" : `${transcript.lastTool.name} ${transcript.lastTool.summary}`,
    durationMs: context.ports.clock.now() - window.openedAt,
    notes: resultNotes(end, [
      ...plan.ignored,
      ...committed.map(describeSecret),
      ...(change.failure === undefined ? [] : [`git could not tell what changed: ${change.failure}`]),
    ]),
  };
}

function resultNotes(end: SeenWindow["end"], ignored: readonly string[]): readonly string[] {
  return [
    ...ignored,
    ...(end.descendantsEnded > 0
      ? [
          `${end.descendantsEnded === 1 ? "1 process that it left behind was" : `${end.descendantsEnded} processes that it left behind were`} ended`,
        ]
      : []),
    ...(end.leftBehind === undefined ? [] : [`left running, and ended with the window: ${end.leftBehind.join(", ")}`]),
    ...(end.refusedWrites ?? []).map(
      (path) => `not writable in the sandbox: ${path}; to allow it, name its folder in agent.writable of your own settings`,
    ),
    ...(end.uncontained.length > 0 ? [`could not be ended: pid ${end.uncontained.join(", ")}`] : []),
    ...(end.linesCut > 0
      ? [`${end.linesCut === 1 ? "1 line was too long and was" : `${end.linesCut} lines were too long and were`} cut`]
      : []),
  ];
}

function firstLine(text: string): string {
  return (text.trim().split("\n")[0] ?? "").slice(0, 300);
}
