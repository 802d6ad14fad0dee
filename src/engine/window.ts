/** One window: opened in the store, started, watched to its end. It decides nothing; what it saw goes to the judgement. */
import { taskLimit, windowCapMicroUsd } from "../core/budget.ts";
import type { GroundState } from "../core/ground.ts";
import { maxNoteBytes } from "../core/handoff-note.ts";
import type { RunId, TaskKey } from "../core/ids.ts";
import { claimable } from "../core/plan-order.ts";
import type { ProcessEnd } from "../core/process-end.ts";
import { composePrompt, promptTemplate } from "../core/prompt.ts";
import type { RunState } from "../core/run-state.ts";
import type { Task } from "../core/task.ts";
import { createIdentity } from "../core/team/identity.ts";
import { createTranscript, type Transcript } from "../core/transcript.ts";
import { isOwnTool } from "../core/window-watch.ts";
import { faultPoint } from "../faults.ts";
import type { OpenedDoor } from "../ports/door.ts";
import type { WindowRecord } from "../ports/store.ts";
import { recordActions } from "./actions.ts";
import { noteRefs } from "./committed-secrets.ts";
import { type RunContext, treePath } from "./context.ts";
import { createDoor, type OpenDoor } from "./door.ts";
import { createGuard } from "./guard.ts";
import { gatherPrompt } from "./prompt-facts.ts";
import { createSecondLine, type SecondLine } from "./second-line.ts";
import { createShownCalls } from "./shown-calls.ts";
import { createSpawnWatch } from "./spawn-watch.ts";
import { type OpenMoney, openMoney, type WindowMoney } from "./window-money.ts";
import { createWindowWatch, type WindowWatch } from "./window-watch.ts";

export interface WindowPlan {
  readonly state: RunState;
  readonly ground: GroundState;
  /** Null for a repeated prompt. */
  readonly planText: string | null;
  readonly tasks: readonly Task[];
  readonly tell: readonly string[];
  readonly nudge: boolean;
}

export interface SeenWindow {
  readonly window: WindowRecord;
  readonly transcript: Transcript;
  readonly end: ProcessEnd;
  readonly money: WindowMoney;
}

export async function runWindow(context: RunContext, plan: WindowPlan): Promise<SeenWindow> {
  const [window] = await Promise.all([openWindow(context, plan), noteRefs(context)]);
  faultPoint("window.opened");
  const actions = recordActions(context, window.id);
  const door = createDoor(context, window, plan.state, actions.writeNow);
  const { limits } = context.settings;
  const figures = createWindowWatch({ ...limits, capMicroUsd: windowCapMicroUsd(plan.state, limits) }, context.ports.clock);
  const secondLine = createSecondLine();
  const isGuarded = context.ports.agent.capabilities.guard !== "none";
  const money = openMoney(context, { window, state: plan.state, door, watch: figures, secondLine: isGuarded ? secondLine : null });
  const opened = await context.ports.doors.open(door, money.desk);
  let seen: Omit<SeenWindow, "money">;
  try {
    seen = await watch(context, { window, plan, door, actions, figures, money, secondLine, opened });
  } finally {
    money.desk?.shut();
    await opened.close(); // every call of its is booked then
  }
  return { ...seen, money: await money.settle() };
}

async function openWindow(context: RunContext, { state, ground, planText, tasks }: WindowPlan): Promise<WindowRecord> {
  const { ports, settings } = context;
  const id = ports.ids.newWindowId();
  const limit = taskLimit(state, settings.limits);
  await ports.files.makeFolder(treePath(context, folderOf(settings.handoff)));
  const note = await ports.files.readNote(treePath(context, settings.handoff), maxNoteBytes);
  const row = {
    id,
    run: context.run,
    openedAt: ports.clock.now(),
    base: ground.head,
    branch: ground.branch,
    noteHash: note.kind === "file" ? note.hash : null,
    planText,
    tasks: settings.plan.kind === "board" ? tasksOfRun(tasks, context.run) : nextTasks(tasks, limit),
    taskLimit: limit,
    logPath: `${ports.logFolder}/${id}.log`,
  };
  return ports.store.openWindow(row, row.openedAt);
}

function nextTasks(tasks: readonly Task[], limit: number): readonly TaskKey[] {
  return claimable(tasks)
    .slice(0, limit)
    .map(({ key }) => key);
}

/** Of a board: what was taken for this window. */
function tasksOfRun(tasks: readonly Task[], run: RunId): readonly TaskKey[] {
  return tasks.filter(({ owner }) => owner === run).map(({ key }) => key);
}

function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
}

interface OpenWindow {
  readonly window: WindowRecord;
  readonly plan: WindowPlan;
  readonly door: OpenDoor;
  readonly actions: ReturnType<typeof recordActions>;
  readonly figures: WindowWatch;
  readonly money: OpenMoney;
  readonly secondLine: SecondLine;
  readonly opened: OpenedDoor;
}

async function watch(
  context: RunContext,
  { window, plan, door, actions, figures, money, secondLine, opened }: OpenWindow,
): Promise<Omit<SeenWindow, "money">> {
  const { ports, settings } = context;
  const { limits } = settings;
  const transcript = createTranscript();
  const identity = createIdentity(settings.member);
  const guard = createGuard(context, { window, startRoutes: context.startRoutes }, ports.workspace.location.top);
  const spawns = createSpawnWatch(context, window);
  const shown = createShownCalls(context, window.id, ports.workspace.location.top);
  // What the last window wrote for this one may hold what it should not.
  const prompt = ports.redactor.text(composePrompt(settings.promptTemplate ?? promptTemplate, await gatherPrompt(context, window, plan)));
  faultPoint("window.before-start");
  const agent = ports.agent.start({
    window: window.id,
    cwd: ports.workspace.location.top,
    prompt,
    env: { ...ports.agentEnv, ...ports.models?.(opened.modelUrls, opened.token), ...windowEnvironment(context, window, opened.url) },
    limits: { wallMs: limits.windowMs, idleMs: limits.idleMs, graceMs: limits.graceMs, toolMs: limits.toolMs, lingerMs: limits.lingerMs },
    log: { path: window.logPath, maxBytes: settings.logBytes, redacting: ports.redactor.stream() },
    // What must not be done is denied for what it is; only what is left is a matter of money.
    guard: async (call) => {
      const answer = await guard.judge(call);
      if (answer.kind === "deny") {
        await spawns.denied(call, answer.denial);
        return { kind: "deny", reason: answer.reason };
      }
      if (door.team?.isIdle() && !isOwnTool(call.name)) return { kind: "deny", reason: "you said that you are idle: end your turn" };
      const last = (await figures.verdict(call.name)) ?? (await spawns.judge(call)) ?? answer;
      if (last.kind === "allow") secondLine.allowed(call.toolId);
      return last;
    },
    advise: () => {
      const text = [identity.take(), figures.takeAdvice()].filter((line) => line !== null).join("\n") || null;
      if (text !== null) actions.add({ kind: "notice", tag: "told", text });
      return text;
    },
    toolsUrl: opened.toolsUrl,
    capMicroUsd: money.ownCapMicroUsd,
    // The gateway knows better, and earlier.
    ...(money.desk === null ? { onSpend: (microUsd: number) => figures.seeSpend(microUsd) } : {}),
    onEvent: (event) => {
      transcript.add(event);
      actions.add(event);
      identity.see(event);
      shown(event);
      if (event.kind !== "result" || money.desk === null) figures.see(event);
      money.see(event);
      // A full context is told when an answer begins, before the calls that it asks for: ending it then would throw away what was just paid.
      // An answer without a call is the end of the turn anyway.
      if (event.kind === "tool-end" && transcript.openTools === 0 && figures.mustEnd()) agent.stop("window-limit");
    },
  });
  money.attach(agent);
  const stopListening = context.control.onChange((request) => {
    if (request === "stop-now") agent.stop("stopped");
  });
  try {
    if (context.control.current() === "stop-now") agent.stop("stopped");
    if (agent.identity !== null) await ports.store.startWindow(window.id, agent.identity, ports.clock.now());
    faultPoint("window.started");
  } catch (error) {
    agent.stop("stopped", "now"); // without a store nothing may go on spending
    await agent.end;
    throw error;
  }
  const end = await agent.end;
  stopListening();
  if (end.cause === "no-guard" || end.cause === "unguarded") context.proof.key = null; // to be proved again before the next window
  await door.settled();
  await guard.finish();
  await actions.flush();
  faultPoint("window.process-ended");
  return { window, transcript: transcript.read(), end };
}

/** The contract with any program: besides its standard input, this is all it is told. */
function windowEnvironment(context: RunContext, window: WindowRecord, url: string): Record<string, string> {
  return {
    MIDWATCH_RUN: context.run,
    MIDWATCH_WINDOW: window.id,
    MIDWATCH_WINDOW_NUMBER: String(window.number),
    MIDWATCH_URL: url,
    MIDWATCH_HANDOFF: treePath(context, context.settings.handoff),
    ...(context.settings.plan.kind === "board" ? {} : { MIDWATCH_PLAN: treePath(context, context.settings.plan.path) }),
    ...(context.settings.member === undefined ? {} : { MIDWATCH_MEMBER: context.settings.member.name }),
  };
}
