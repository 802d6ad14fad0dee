/**
 * How a run begins: the lock first, then everything that can be wrong is looked at before a row is written, so that a refusal leaves nothing behind.
 * A run that a dead or stopped process left in this tree is taken up again instead of started anew.
 */
import { MidwatchError } from "../core/error.ts";
import { describeGroundProblem, type GroundState } from "../core/ground.ts";
import type { GitRoute } from "../core/guard/git-settings.ts";
import type { RunId } from "../core/ids.ts";
import type { RunSettings } from "../core/run-settings.ts";
import type { RunRequest } from "../core/run-state.ts";
import type { Task } from "../core/task.ts";
import { faultPoint } from "../faults.ts";
import type { AgentProbe } from "../ports/agent.ts";
import type { RunRecord, Store, TreeLocks } from "../ports/store.ts";
import { createBooker } from "./calls/booker.ts";
import { recheckDone } from "./claims.ts";
import type { RunContext, RunPorts } from "./context.ts";
import { createRunControl, type RunControl } from "./control.ts";
import { criteriaMark } from "./criteria/in-run.ts";
import { checkGround, createGroundReader } from "./ground-check.ts";
import { scratchFolder } from "./integrity/trials.ts";
import { isSupervised } from "./people.ts";
import { parseTasks, readPlanText, syncPlan } from "./plan-file.ts";
import { settingsRefusal } from "./repository-settings.ts";
import { insistOnSandbox, recordSandbox } from "./sandbox.ts";
import { type RunEnd, superviseRun } from "./supervisor.ts";
import { unpricedError } from "./unpriced.ts";

export interface StartOptions {
  readonly ports: RunPorts;
  readonly locks: TreeLocks;
  readonly settings: RunSettings;
  /** Branch to be made first; null = the one that is checked out. */
  readonly newBranch: string | null;
  /** Called once the run has its row and its control: from here signals mean "stop this run". */
  readonly onStarted: (run: RunId, control: RunControl) => void;
}

export interface StartedRun extends RunEnd {
  readonly run: RunId;
}

/**
 * Starts a run, or takes up the one that was left with the settings of now. Throws MidwatchError: busy, refused, config.
 * @returns null when every task is done and still holds: no run is made for that
 */
export async function startRun(options: StartOptions): Promise<StartedRun | null> {
  return withLock(options, async () => {
    const { ports, settings } = options;
    const left = await unfinishedRun(ports.store, ports.workspace.location.top);
    if (left !== null && samePlan(left.settings, settings)) {
      const limits = { ...settings.limits, deadlineAt: left.settings.limits.deadlineAt ?? settings.limits.deadlineAt };
      return takeUp(options, left.id, { settings: { ...settings, limits } });
    }
    const branch = await preflight(options);
    if (left === null && (await isAllDone(options))) return null;
    // Another plan takes its place: what it left open is judged first.
    if (left !== null) await takeUp({ ports, onStarted: () => undefined }, left.id, { request: "stop-now" });
    return begin(options, branch);
  });
}

/**
 * Goes on with the run that waits, is paused, or was left by a process that died.
 * @param how.request  `stop-now` ends it instead, after what it left open was judged
 * @param how.settings  where they are to be others than those it was started with
 */
export async function resumeRun(
  options: Omit<StartOptions, "settings" | "newBranch">,
  run: RunId,
  how: { readonly request?: "none" | "stop-now"; readonly settings?: RunSettings } = {},
): Promise<StartedRun> {
  return withLock(options, () => takeUp(options, run, how));
}

export async function unfinishedRun(store: Store, worktree: string): Promise<RunRecord | null> {
  const [last] = await store.runs({ worktree, limit: 1 });
  return last === undefined || last.phase === "ended" ? null : last;
}

async function withLock<T>({ ports, locks }: Pick<StartOptions, "ports" | "locks">, work: () => Promise<T>): Promise<T> {
  const { top } = ports.workspace.location;
  const lock = await locks.acquire(top);
  if (lock.kind === "busy") throw await busyError(ports.store, top);
  faultPoint("run.locked");
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function busyError(store: Store, worktree: string): Promise<MidwatchError> {
  const [holder] = await store.runs({ worktree, limit: 1 });
  const who = holder?.supervisor == null ? "another process" : `process ${holder.supervisor.pid}, run ${holder.id}`;
  const first = holder?.phase === "paused" ? "it is paused; let it go on with: midwatch resume" : "see it with: midwatch status";
  return new MidwatchError("busy", "E_TREE_LOCKED", `a run holds ${worktree}: ${who}`, { hint: `${first}; end it with: midwatch stop` });
}

/** Why no run can begin in the tree right now; null when the tree is free. The lock is given back at once. */
export async function treeHolder(store: Store, locks: TreeLocks, worktree: string): Promise<MidwatchError | null> {
  const lock = await locks.acquire(worktree);
  if (lock.kind === "busy") return busyError(store, worktree);
  lock.release();
  return null;
}

export function samePlan(left: Pick<RunSettings, "plan">, now: Pick<RunSettings, "plan">): boolean {
  return left.plan.kind === now.plan.kind && left.plan.path === now.plan.path;
}

/** Looks at plan, program and tree; throws at the first thing that stands against a first window. Returns the branch. */
async function preflight({ ports, settings, newBranch }: StartOptions): Promise<string | null> {
  const context = bare(ports, settings);
  if (settings.plan.kind === "board") await requireBoard(context);
  else await requirePlan(context);
  const refusal = await settingsRefusal(ports, settings);
  if (refusal !== null) throw refusal;
  const probe = await ports.agent.probe(ports.agentEnv);
  if (probe.kind === "missing") throw agentMissing(probe);
  insistOnSandbox(ports, settings);
  const { prices, agentEnv, clock } = ports;
  const unpriced = ports.models === null ? null : unpricedError(settings, { prices, agentEnv, now: clock.now() });
  if (unpriced !== null) throw unpriced;
  const { branch } = await checkFirstGround(context);
  // Checked out already: the same command was killed right after it had made the branch.
  if (newBranch === null || newBranch === branch) return branch;
  await makeBranch(ports, newBranch);
  return newBranch;
}

async function requirePlan(context: RunContext): Promise<void> {
  const { ports, settings } = context;
  const plan = await readPlanText(context);
  if (plan.kind === "problem")
    throw new MidwatchError("config", "E_PLAN_MISSING", plan.detail, {
      hint: "name it: midwatch run FILE, or make one with: midwatch init",
    });
  if (settings.plan.kind === "list") {
    const parsed = ports.plans.parse(settings.plan.path, plan.text);
    if (parsed.kind === "broken")
      throw new MidwatchError(
        "config",
        "E_PLAN_BROKEN",
        `${settings.plan.path}${parsed.line > 0 ? `:${parsed.line}` : ""}: ${parsed.reason}`,
        { hint: "mend the line, then look at it with: midwatch run --dry-run" },
      );
  }
}

/** There are tasks, and nobody else works under the run's name. */
async function requireBoard({ ports: { store, workspace, processes }, settings: { member } }: RunContext): Promise<void> {
  const board = await store.boards.ofRepository(workspace.location.commonDir);
  const tasks = board === null ? [] : await store.boards.tasks(board.id);
  if (board === null || tasks.length === 0)
    throw new MidwatchError("config", "E_BOARD_EMPTY", "the board of this repository has no tasks", {
      hint: 'add one: midwatch task add "…", or bring a list: midwatch task import FILE',
    });
  if (member === undefined) return;
  const same = (await store.teams.members(board.id)).find(({ name }) => name === member.name);
  const holder = same === undefined || same.worktree === workspace.location.top ? null : await store.run(same.run);
  if (holder !== null && isSupervised(holder, processes))
    throw new MidwatchError("busy", "E_MEMBER_TAKEN", `${member.name} works on this board already, in ${holder.worktree}`, {
      hint: "choose another name, or end that one there with: midwatch stop",
    });
}

function agentMissing({ detail, hint }: Extract<AgentProbe, { kind: "missing" }>): MidwatchError {
  return new MidwatchError("refused", "E_AGENT_MISSING", detail, {
    hint: hint ?? "install it or mend agent in midwatch.jsonc, then try: midwatch doctor",
  });
}

/** Every task is done by what the store and the plan say, and what was verified holds at HEAD: there is nothing to start a run for. */
async function isAllDone({ ports, settings }: StartOptions): Promise<boolean> {
  const context = bare(ports, settings);
  // A board's members look for messages too, and others may bring more tasks.
  const tasks = settings.plan.kind === "list" ? await tasksIfDone(context) : null;
  if (tasks === null) return false;
  const { head } = await context.ground.latest();
  return (await recheckDone(context, tasks, head)).length === 0;
}

/** The tasks as an earlier run left them; null when one is open. A plan that was edited since counts by its own marks. */
async function tasksIfDone(context: RunContext): Promise<readonly Task[] | null> {
  const { ports, settings } = context;
  const reading = await readPlanText(context);
  const text = reading.kind === "read" ? reading.text : "";
  const earlier = await ports.store.runs({ worktree: ports.workspace.location.top, limit: 20 });
  const last = earlier.find((run) => samePlan(run.settings, settings));
  const known = last === undefined ? [] : await ports.store.tasks(last.id);
  const isAsLeft = last !== undefined && text === (await ports.store.planText(last.id));
  const allDone = isAsLeft ? known.every(({ state }) => state === "done") : parseTasks(context, text)?.every(({ ticked }) => ticked);
  return allDone === true ? known : null;
}

async function checkFirstGround(context: RunContext): Promise<GroundState> {
  const check = await checkGround(context, async () => false);
  if (check.kind === "clean") return check.ground;
  throw new MidwatchError("refused", "E_GROUND", check.problems.map(describeGroundProblem).join("; "), {
    hint: "nothing was started; mend it, then run again",
  });
}

async function makeBranch({ workspace }: RunPorts, name: string): Promise<void> {
  const made = await workspace.createBranch(name);
  if (made.kind === "exists")
    throw new MidwatchError("refused", "E_BRANCH_EXISTS", `the branch ${name} exists already`, {
      hint: `check it out yourself: git switch ${name}`,
    });
  if (made.kind === "failed")
    throw new MidwatchError("refused", "E_BRANCH", `the branch ${name} cannot be made: ${made.detail}`, {
      hint: "give another name: midwatch run --branch NAME",
    });
}

async function begin({ ports, settings, onStarted }: StartOptions, branch: string | null): Promise<StartedRun> {
  const { location } = ports.workspace;
  const id = ports.ids.newRunId();
  await ports.store.createRun(
    { id, repository: location.commonDir, worktree: location.top, branch, settings, supervisor: ports.processes.self() },
    ports.clock.now(),
  );
  faultPoint("run.created");
  if (settings.plan.kind === "list") {
    const context = { ...bare(ports, settings), run: id };
    await syncPlan(context);
    await retryFailed(context);
  }
  return supervise(ports, { id, settings, branch }, onStarted);
}

/** A person who starts a run again means its failed tasks too. */
async function retryFailed({ ports, run }: Pick<RunContext, "ports" | "run">): Promise<void> {
  const failed = (await ports.store.tasks(run)).filter((task) => task.state === "failed");
  const changes = failed.map((task) => ({ key: task.key, move: "retry" as const, reason: "a new run was started", by: "person" }));
  if (changes.length > 0) await ports.store.changeTasks(run, changes, [], ports.clock.now());
}

interface TakeUp {
  readonly request?: RunRequest;
  /** Instead of those it had, from here on. */
  readonly settings?: RunSettings;
}

async function takeUp(
  { ports, onStarted }: Pick<StartOptions, "ports" | "onStarted">,
  id: RunId,
  { request = "none", settings: wanted }: TakeUp,
): Promise<StartedRun> {
  const record = await ports.store.run(id);
  if (record === null)
    throw new MidwatchError("usage", "E_RUN_UNKNOWN", `there is no run ${id}`, { hint: "see them with: midwatch status --all" });
  insistOnSandbox(ports, wanted ?? record.settings);
  await ports.processes.sweep(criteriaMark(id), null);
  faultPoint("recovery.criteria-ended");
  const now = ports.clock.now();
  await ports.store.setSupervisor(id, ports.processes.self(), now);
  if (wanted !== undefined) await ports.store.setSettings(id, wanted, now);
  await ports.store.setRequest(id, request, now);
  // It may have died before its failed tasks were tried again; later ones have failed in this run.
  if (record.decision === null) await retryFailed({ ports, run: id });
  await ports.store.setPhase(id, "running", [], now);
  return supervise(ports, { ...record, settings: wanted ?? record.settings }, onStarted);
}

async function supervise(
  ports: RunPorts,
  run: Pick<RunRecord, "id" | "settings" | "branch">,
  onStarted: StartOptions["onStarted"],
): Promise<StartedRun> {
  if (run.settings.member !== undefined) await ports.store.teams.join(run.id, run.settings.member, ports.clock.now());
  const control = createRunControl(ports.store, run.id, ports.clock);
  onStarted(run.id, control);
  const copies = scratchFolder(ports.stateFolder, run.id);
  await ports.history.sweep(copies); // a supervisor that died may have left some
  try {
    await recordSandbox({ ports, run: run.id });
    const end = await superviseRun({
      ports,
      run: run.id,
      settings: run.settings,
      branch: run.branch,
      control,
      ground: groundOf(ports, run.settings),
      booker: bookerOf(ports),
      startRoutes: await readRoutes(ports),
      proof: { key: null },
      refsAtStart: { current: null, searched: null },
      seenSettings: { files: null },
      beginning: { base: null, held: new Map() },
    });
    // It waits with nobody to carry it out, which is no death.
    if (end.phase !== "ended") await ports.store.setSupervisor(run.id, null, ports.clock.now());
    return { run: run.id, ...end };
  } finally {
    await control.close();
    await ports.history.sweep(copies);
    await ports.doors.close();
  }
}

/** Settings that cannot be read are none: then nothing is pushed. */
async function readRoutes({ workspace, agent, agentEnv }: RunPorts): Promise<readonly GitRoute[]> {
  if (agent.capabilities.guard === "none") return [];
  return (await workspace.gitSettings(workspace.location.top, agentEnv))?.routes ?? [];
}

function groundOf({ workspace, clock }: RunPorts, settings: RunSettings) {
  return createGroundReader(workspace, settings.bookkeeping, clock);
}

function bookerOf({ store, clock }: RunPorts) {
  return createBooker(store.ledger, clock.nextTurn);
}

/** A context for looking at things before there is a run. */
function bare(ports: RunPorts, settings: RunSettings): RunContext {
  const silent: RunControl = {
    current: () => "none",
    look: async () => "none",
    say: () => undefined,
    nextChange: () => Promise.resolve(),
    onChange: () => () => undefined,
    close: () => Promise.resolve(),
  };
  return {
    ...{ ports, run: "" as RunId, settings, branch: null, control: silent, ground: groundOf(ports, settings), booker: bookerOf(ports) },
    ...{
      startRoutes: [],
      proof: { key: null },
      refsAtStart: { current: null, searched: null },
      seenSettings: { files: null },
      beginning: { base: null, held: new Map() },
    },
  };
}
