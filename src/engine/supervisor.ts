/**
 * The supervisor of one run: carries out the recorded decision, records the next one, until the run ends or waits for a person with nobody to wait.
 * It decides nothing itself (core/decide.ts does) and holds no state that is not in the store: killed at any step, it goes on from there.
 */
import { countTasks, type Decision } from "../core/decide.ts";
import type { GroundState } from "../core/ground.ts";
import { goOn, nextWindow, type Question, type QuestionDraft, startedAgain, stopRun } from "../core/question.ts";
import type { RunPhase, RunState, StopReason } from "../core/run-state.ts";
import { planStanding } from "../core/standing.ts";
import { isHeldUp, type Task } from "../core/task.ts";
import { faultPoint } from "../faults.ts";
import { recheckDone } from "./claims.ts";
import type { RunContext } from "./context.ts";
import { missingFunds } from "./funds.ts";
import { checkGround, groundQuestion } from "./ground-check.ts";
import { judgeWindow } from "./judge.ts";
import { type PlanReading, readPlanText, syncPlan, writeMarks } from "./plan-file.ts";
import { findProgram } from "./program.ts";
import { ensureGuards } from "./prove-guards.ts";
import { recoverWindow } from "./recovery.ts";
import { checkRepositorySettings } from "./repository-settings.ts";
import { settleApprovals } from "./settle-approvals.ts";
import { type Sought, seekWork, tellActivity } from "./team/seek-work.ts";
import { takeTask, whileRenewed } from "./team/task-lease.ts";
import { isAboutRun, isStop, takeDefaults, waitForAnswer, waitUntil, waitWhilePaused } from "./waiting.ts";
import { runWindow } from "./window.ts";

export interface RunEnd {
  readonly phase: RunPhase;
  readonly reason: StopReason | null;
  readonly detail: string;
}

interface Step {
  readonly state: RunState;
  readonly decision: Decision;
}

/** Carries a run on until it ends, or until it waits for a person and the settings say not to wait. */
export async function superviseRun(context: RunContext): Promise<RunEnd> {
  let step = await takeUp(context);
  for (;;) {
    const next = await carryOut(context, step);
    if ("phase" in next) return next;
    step = next;
  }
}

/** Where a run stands at the start of this process: fresh, waiting, or left by a supervisor that died. */
async function takeUp(context: RunContext): Promise<Step> {
  const record = await context.ports.store.run(context.run);
  const state = record?.state;
  if (record === null || state === undefined) throw new Error(`run ${context.run} is gone from the store`);
  const recovered = await recoverWindow(context, state);
  await context.ports.store.releaseTasks(context.run, "its supervisor died", context.ports.clock.now());
  await marksOf(context);
  return recovered ?? lookAgain(context, { state, decision: record.decision ?? { kind: "launch", nudge: false, tell: [] } });
}

/**
 * Starting a run again says that what the harness itself asked about is mended. It is looked at before it is believed: the question is answered by a
 * launch that does not meet it any more, and the same one stands where it does.
 */
async function lookAgain(context: RunContext, step: Step): Promise<Step> {
  if (step.decision.kind !== "await-answer") return step;
  const question = await context.ports.store.question(step.decision.question);
  if (question?.state !== "open" || !isMendable(question)) return step;
  return { state: answeredState(step.state, question), decision: { kind: "launch", nudge: false, tell: step.decision.tell } };
}

function isMendable({ source }: Question): boolean {
  return source === "ground" || source === "plan" || source === "provider";
}

/** @param still  the question that stands */
async function settleMended({ ports, run }: RunContext, still: Question | null): Promise<void> {
  for (const question of await ports.store.questions({ run, state: "open" }))
    if (isMendable(question) && question.id !== still?.id) await ports.store.answer(question.id, goOn, startedAgain, ports.clock.now());
}

async function marksOf(context: RunContext): Promise<void> {
  if (context.settings.plan.kind === "list") await writeMarks(context);
}

async function carryOut(context: RunContext, step: Step): Promise<Step | RunEnd> {
  const { decision } = step;
  switch (decision.kind) {
    case "launch":
      return launch(context, step, decision);
    case "wait":
      return waitForProvider(context, step, decision);
    case "ask":
      return ask(context, step, decision);
    case "await-answer":
      return awaitAnswer(context, step, decision);
    case "await-answers":
      return awaitAnswers(context, step, decision);
    case "pause":
      return pause(context, step, decision);
    case "stop":
      return end(context, decision.reason, decision.detail);
  }
}

type Decided<K extends Decision["kind"]> = Extract<Decision, { kind: K }>;

async function launch(context: RunContext, step: Step, decision: Decided<"launch">): Promise<Step | RunEnd> {
  const { ports, settings } = context;
  const request = await context.control.look();
  if (isStop(context)) return end(context, "stopped", "a person said stop");
  if (request === "pause") return decideAnew(context, step, { kind: "pause", tell: decision.tell });
  const asked = (await takeDefaults(context)).find(isAboutRun);
  if (asked !== undefined) return decideAnew(context, step, { kind: "await-answer", question: asked.id, tell: decision.tell });
  // Answers move tasks, and the plan's marks follow before anybody reads them.
  if (settings.plan.kind === "list" && (await hasMovingAnswers(context))) await marksOf(context);
  const ready = await readyPlan(context);
  if (ready.kind === "problem") return decideAnew(context, step, askAbout("plan", `${ready.detail}. Mend it, then go on.`, decision.tell));
  if (settings.plan.kind !== "prompt" && (await settleApprovals(context))) return decideAnew(context, step, decision);
  const sought = settings.plan.kind === "board" ? await seekWork(context) : null;
  if (sought?.kind === "interrupted") return step;
  const tasks = await ports.store.tasks(context.run);
  const over = await nothingToDo(context, { tasks, decision, sought });
  if (over?.kind === "stop") await settleMended(context, null);
  if (over !== null) return decideAnew(context, step, over);
  const spaced = await keepDistance(context);
  if (spaced === "stop") return end(context, "stopped", "a person said stop");
  const missing = await missingFunds(context);
  if (missing !== null) return end(context, "money", missing);
  const brought = await checkRepositorySettings(context);
  if (brought.kind === "not-approved") return decideAnew(context, step, askAbout("provider", brought.text, decision.tell));
  const program = await findProgram(context);
  if (program.kind === "missing") return decideAnew(context, step, askAbout("provider", program.detail, decision.tell));
  const proof = await ensureGuards(context, program);
  if (proof.kind === "not-proved") return guardsFailed(context, step, proof.failures, decision.tell);
  const check = await checkGround(context, () => leftoversAllowed(context));
  if (check.kind === "problems")
    return decideAnew(context, step, { kind: "ask", question: groundQuestion(check.problems), tell: decision.tell });
  await settleMended(context, null);
  const toOpen = {
    ground: check.ground,
    planText: settings.plan.kind === "list" ? ready.text : null,
    decision: { ...decision, tell: [...decision.tell, ...brought.remarks, ...check.remarks] },
  };
  return sought === null ? window(context, step, { ...toOpen, tasks }) : boardWindow(context, step, toOpen);
}

/** What stands in the plan file or the repeated prompt; a board has no text. */
async function readyPlan(context: RunContext): Promise<PlanReading> {
  const { kind } = context.settings.plan;
  if (kind === "board") return { kind: "read", text: "" };
  return kind === "list" ? syncPlan(context) : readPlanText(context);
}

/** With the next task of the board, or with what the member was told. Whoever comes too late for both looks again. */
async function boardWindow(context: RunContext, step: Step, toOpen: Omit<Ready, "tasks">): Promise<Step> {
  const { store } = context.ports;
  await tellActivity(context, "working", 0);
  return whileRenewed(context, async () => {
    const task = await takeTask(context, null);
    faultPoint("task.taken");
    if (task === null && (await store.teams.unread(context.run)) === 0) return step;
    return window(context, step, { ...toOpen, tasks: await store.tasks(context.run) });
  });
}

interface Ready {
  readonly ground: GroundState;
  readonly tasks: readonly Task[];
  readonly planText: string | null;
  readonly decision: Decided<"launch">;
}

async function window(context: RunContext, { state }: Step, { ground, tasks, planText, decision }: Ready): Promise<Step> {
  const seen = await runWindow(context, { state, ground, planText, tasks, tell: decision.tell, nudge: decision.nudge });
  const judged = await judgeWindow(context, seen, state);
  faultPoint("window.recorded");
  await marksOf(context);
  return judged;
}

/** Whether a person has answered what closes or fails a task. */
async function hasMovingAnswers({ ports, run }: RunContext): Promise<boolean> {
  const answered = await ports.store.questions({ run, state: "answered" });
  return answered.some(({ source }) => source === "approval" || source === "returns");
}

/** A night without proved guards does not begin, and does not go on (F2). */
async function guardsFailed(context: RunContext, step: Step, failures: readonly string[], tell: readonly string[]): Promise<Step | RunEnd> {
  const detail = `the guards do not hold: ${failures.join("; ")}`;
  if (step.state.windows === 0) return end(context, "refused", detail);
  return decideAnew(context, step, askAbout("provider", `${detail}. Mend it, then go on.`, tell));
}

interface Standing {
  readonly tasks: readonly Task[];
  readonly decision: Decided<"launch">;
  /** Of a board. */
  readonly sought: Exclude<Sought, { kind: "interrupted" }> | null;
}

/** Tasks can be over before a window opens: the person closed the last one, or a default was an answer to nothing. */
async function nothingToDo(context: RunContext, { tasks, decision, sought }: Standing): Promise<Decision | null> {
  if (context.settings.plan.kind === "prompt" || sought?.kind === "work") return null;
  if (sought !== null) return boardIsOver(context, sought.decision, { tasks, decision });
  const standing = planStanding(tasks);
  if (standing.open > 0) return null;
  if (standing.waiting > 0) return { kind: "await-answers", tell: decision.tell };
  const { head } = await context.ground.latest();
  const reopened = await recheckDone(context, tasks, head);
  if (reopened.length > 0) return launchAgain(context, reopened, decision);
  const detail =
    standing.failed > 0
      ? `${standing.failed} of ${countTasks(standing.total)} failed`
      : `${standing.done} of ${countTasks(standing.total, "is", "are")} done`;
  return { kind: "stop", reason: standing.failed > 0 ? "finished-with-failures" : "finished", detail };
}

async function boardIsOver(
  context: RunContext,
  over: Decision,
  { tasks, decision }: { readonly tasks: readonly Task[]; readonly decision: Decided<"launch"> },
): Promise<Decision> {
  if (over.kind !== "stop" || over.reason === "idle") return over.kind === "await-answers" ? { ...over, tell: decision.tell } : over;
  const { head } = await context.ground.latest();
  const reopened = await recheckDone(context, tasks, head);
  return reopened.length > 0 ? launchAgain(context, reopened, decision) : over;
}

/** What was done and holds no more is open again, in the store and in the plan: a window that finds its task ticked cannot tick it. */
async function launchAgain(
  context: RunContext,
  reopened: Awaited<ReturnType<typeof recheckDone>>,
  decision: Decided<"launch">,
): Promise<Decision> {
  const changes = reopened.map((one) => ({ ...one, move: "reopen" as const, by: "harness" }));
  await context.ports.store.changeTasks(context.run, changes, [], context.ports.clock.now());
  await marksOf(context);
  return { ...decision, tell: [...decision.tell, ...reopened.map(({ key, reason }) => `${key} is open again: ${reason}`)] };
}

/** A repeated prompt starts at most every so often (A21). */
async function keepDistance(context: RunContext): Promise<"over" | "stop"> {
  const { plan } = context.settings;
  if (plan.kind !== "prompt" || plan.everyMs === 0) return "over";
  const last = (await context.ports.store.windows(context.run)).at(-1);
  return last === undefined ? "over" : waitUntil(context, last.openedAt + plan.everyMs);
}

/** What a window that ended badly left behind goes to the next one by setting, or by the person's answer since. */
async function leftoversAllowed(context: RunContext): Promise<boolean> {
  const last = (await context.ports.store.windows(context.run)).at(-1);
  if (last?.result == null) return false;
  if (context.settings.leftovers === "next-window" && last.result.outcome.end.kind !== "good") return true;
  const answers = await context.ports.store.questions({ run: context.run, state: "answered" });
  return answers.some(
    (question) => question.source === "ground" && question.answer === nextWindow && question.askedAt >= (last.endedAt ?? 0),
  );
}

function askAbout(source: "plan" | "provider", text: string, tell: readonly string[]): Decision {
  const question: QuestionDraft = {
    source,
    text,
    context: "",
    options: [goOn, stopRun],
    defaultAnswer: null,
    deadlineAt: null,
    task: null,
  };
  return { kind: "ask", question, tell };
}

async function decideAnew(context: RunContext, { state }: Step, decision: Decision): Promise<Step> {
  await context.ports.store.setDecision(context.run, state, decision, context.ports.clock.now());
  return { state, decision };
}

async function waitForProvider(context: RunContext, step: Step, decision: Decided<"wait">): Promise<Step | RunEnd> {
  const { ports, settings, run } = context;
  const { clock, store } = ports;
  if (settings.onProviderLimit === "stop")
    return end(
      context,
      "limit",
      `the provider's ${decision.why} lasts until ${new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: "UTC" }).format(decision.untilAt)} UTC`,
    );
  // Jitter on back-offs only: a stated reset time is met exactly.
  const spread = decision.why === "outage" ? Math.max(0, decision.untilAt - clock.now()) * 0.2 * ports.ids.random() : 0;
  const untilAt = Math.min(Math.round(decision.untilAt + spread), settings.limits.deadlineAt ?? Number.POSITIVE_INFINITY);
  await store.setPhase(run, "waiting-provider", [{ kind: "provider.wait-started", data: { why: decision.why, untilAt } }], clock.now());
  const over = await waitUntil(context, untilAt);
  await store.setPhase(run, "running", [], clock.now());
  if (over === "stop") return end(context, "stopped", "a person said stop");
  if (settings.limits.deadlineAt !== null && clock.now() >= settings.limits.deadlineAt)
    return end(context, "clock", "the run's time is over");
  return decideAnew(context, step, { kind: "launch", nudge: false, tell: decision.tell });
}

async function ask(context: RunContext, { state }: Step, { question: draft, tell }: Decided<"ask">): Promise<Step> {
  const { store, clock, notifier } = context.ports;
  const question = await store.ask(context.run, null, draft, clock.now(), (id) => ({ kind: "await-answer", question: id, tell }));
  faultPoint("question.asked");
  await settleMended(context, question);
  void notifier.notify({ kind: "question", text: `${question.id}: ${question.text}` });
  return { state, decision: { kind: "await-answer", question: question.id, tell } };
}

async function awaitAnswer(context: RunContext, step: Step, { question: id, tell }: Decided<"await-answer">): Promise<Step | RunEnd> {
  const question = await context.ports.store.question(id);
  if (question === null) return decideAnew(context, step, { kind: "launch", nudge: false, tell });
  const [answered] = await waitForPerson(context, [question]);
  if (isStop(context)) return end(context, "stopped", "a person said stop");
  if (answered === undefined) return { phase: "waiting-person", reason: null, detail: `${id}: ${question.text}` };
  if (answered.answer === stopRun) return end(context, "stopped", `answered "${stopRun}" to ${id}: ${question.text}`);
  return decideAnew(context, { ...step, state: answeredState(step.state, answered) }, { kind: "launch", nudge: false, tell });
}

/** The phase says so while it lasts; a run whose process does not stay keeps it. */
async function waitForPerson(context: RunContext, asked: readonly Question[]): Promise<readonly Question[]> {
  const { store, clock } = context.ports;
  await store.setPhase(context.run, "waiting-person", [], clock.now());
  const answered = await waitForAnswer(context, asked);
  if (answered.length > 0) await store.setPhase(context.run, "running", [], clock.now());
  return answered;
}

/** What an answer takes back: the counters that led to its question. */
function answeredState(state: RunState, { source }: Question): RunState {
  const fresh = { ...state, idleInARow: 0, noteTroubleInARow: 0, failedInARow: 0 };
  return source === "unknown-cost" ? { ...fresh, unknownCostWindows: 0 } : fresh;
}

async function awaitAnswers(context: RunContext, step: Step, { tell }: Decided<"await-answers">): Promise<Step | RunEnd> {
  const { store } = context.ports;
  const open = (await store.questions({ run: context.run, state: "open" })).filter((question) => question.task !== null);
  if (open.length === 0) return decideAnew(context, step, await askAboutBlocked(context, tell));
  const answered = await waitForPerson(context, open);
  if (isStop(context)) return end(context, "stopped", "a person said stop");
  if (answered.length === 0)
    return { phase: "waiting-person", reason: null, detail: open.map((question) => `${question.id}: ${question.text}`).join("; ") };
  return decideAnew(context, step, { kind: "launch", nudge: false, tell });
}

/** Blocked tasks whose questions are answered or gone: only a person can free them. */
async function askAboutBlocked(context: RunContext, tell: readonly string[]): Promise<Decision> {
  const blocked = (await context.ports.store.tasks(context.run)).filter(isHeldUp);
  if (blocked.length === 0) return { kind: "launch", nudge: false, tell };
  return askAbout(
    "plan",
    `Only blocked tasks are left: ${blocked.map((task) => `${task.key} (${task.reason})`).join(", ")}. Free one, then go on.`,
    tell,
  );
}

async function pause(context: RunContext, step: Step, decision: Decided<"pause">): Promise<Step | RunEnd> {
  const { store, clock } = context.ports;
  await store.setPhase(context.run, "paused", [], clock.now());
  const over = await waitWhilePaused(context);
  await store.setPhase(context.run, "running", [], clock.now());
  if (over === "stop") return end(context, "stopped", "a person said stop");
  return decideAnew(context, step, { kind: "launch", nudge: false, tell: decision.tell });
}

async function end(context: RunContext, reason: StopReason, detail: string): Promise<RunEnd> {
  faultPoint("run.before-end");
  await tellActivity(context, "gone", 0);
  await context.ports.store.endRun(context.run, { reason, detail }, context.ports.clock.now());
  await context.ports.notifier.notify({ kind: "stop", text: `${reason}: ${detail}` });
  return { phase: "ended", reason, detail };
}
