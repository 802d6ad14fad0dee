/**
 * Claims: a tick in the plan, or a POST to the door. The claim is checked here and nowhere else, one at a time, at HEAD with a clean tree.
 */
import { secretFindings } from "../core/committed-secret.ts";
import { approvalsToAsk } from "../core/criteria/approval.ts";
import type { TestsCriterion } from "../core/criteria/criterion.ts";
import type { TestReport } from "../core/criteria/test-report/report.ts";
import { allHold, describeRefusal, type Evidence, isVerified } from "../core/evidence.ts";
import type { TaskKey, WindowId } from "../core/ids.ts";
import { describeFindings, type Finding, isWorthless, refuses } from "../core/integrity/finding.ts";
import { isHeldUp, isOpen, type Task } from "../core/task.ts";
import { faultPoint } from "../faults.ts";
import type { ClaimAnswer } from "../ports/door.ts";
import type { CheckStart, WindowRecord } from "../ports/store.ts";
import { searchAt } from "./committed-secrets.ts";
import type { RunContext } from "./context.ts";
import { checkCriteria } from "./criteria/check.ts";
import { measuringFor } from "./criteria/in-run.ts";
import { examineClaim } from "./integrity/examine.ts";
import { freshTests } from "./integrity/fresh-tests.ts";
import { askAboutReturns, askApprovals } from "./person-questions.ts";
import { newLease } from "./team/task-lease.ts";

/** `base`: HEAD when it opened. */
type ClaimingWindow = Pick<WindowRecord, "id" | "number" | "base">;

/** Checks one claimed task and records the evidence with the move it led to. */
export async function checkClaim(context: RunContext, window: ClaimingWindow, key: string): Promise<ClaimAnswer> {
  const { ports, run } = context;
  const tasks = await ports.store.tasks(run);
  const task = findTask(tasks, key);
  const refusal = task === undefined ? `there is no task ${key} in the plan` : refuseBeforeChecks(task, tasks);
  if (task === undefined || refusal !== null) return { kind: "refused", reason: refusal ?? "", evidence: [] };
  if (task.state === "done") return { kind: "done", doneBy: task.doneBy === "verified" ? "verified" : "claimed", evidence: [] };
  return checkAtHead(context, window, task);
}

/** Keys are the same in any case. */
export function findTask(tasks: readonly Task[], key: string): Task | undefined {
  return tasks.find((one) => one.key === key) ?? tasks.find((one) => one.key.toLowerCase() === key.toLowerCase());
}

function refuseBeforeChecks(task: Task, tasks: readonly Task[]): string | null {
  if (task.state === "failed") return `${task.key} has failed and waits for a person (${task.reason})`;
  if (isHeldUp(task)) return `${task.key} ${task.state === "blocked" ? "is blocked" : "waits for a person"}: ${task.reason}`;
  const open = task.dependsOn.filter((key) => tasks.find((one) => one.key === key)?.state !== "done");
  return isOpen(task) && open.length > 0
    ? `${task.key} comes after ${open.join(", ")}, which ${open.length === 1 ? "is" : "are"} open`
    : null;
}

async function checkAtHead(context: RunContext, window: ClaimingWindow, task: Task): Promise<ClaimAnswer> {
  const ground = await context.ground.latest();
  if (ground.failure !== "") return refuse(context, window, task.key, `git cannot tell whether everything is committed: ${ground.failure}`);
  // Work on another branch is not the run's: it would be called finished while the run's own branch has none of it.
  if (ground.branch !== context.branch)
    return refuse(
      context,
      window,
      task.key,
      `${ground.branch ?? "no branch"} is checked out, and the run works on ${context.branch ?? "no branch"}: bring the work there first`,
    );
  const dirty = [...new Set([...ground.staged.paths, ...ground.changed.paths, ...ground.untracked.paths, ...ground.conflicted.paths])];
  if (dirty.length > 0)
    return refuse(
      context,
      window,
      task.key,
      `commit first: ${dirty.slice(0, 5).join(", ")} ${dirty.length === 1 ? "is" : "are"} not committed`,
    );
  const start = await context.ports.store.startCheck(
    context.run,
    window.id,
    { key: task.key, by: workerName(context, window), lease: newLease(context) },
    context.ports.clock.now(),
  );
  if (start.kind !== "checking") return { kind: "refused", reason: notOurs(task.key, start), evidence: [] };
  faultPoint("claim.checking");
  const commit = ground.head;
  const started = window.base;
  const tree = measuringFor(context, task.key);
  const measuring = {
    ...tree,
    fresh: (criterion: TestsCriterion, report: TestReport) => freshTests(context, tree, { criterion, report, commit, started }),
  };
  // The agent is answered with it, and its tools print what they like.
  const { value } = context.ports.redactor;
  // Beside the criteria, which mostly take longer.
  const searched = searchAt(context, started, commit);
  const evidence = value(await checkCriteria(measuring, task.criteria, { commit, window: window.number }));
  const findings = allHold(evidence)
    ? [...value(await examineClaim(context, measuring, { task, commit, started, evidence })), ...secretFindings(await searched)]
    : [];
  faultPoint("claim.checked");
  return settleClaim(context, window, { task, evidence, findings, commit });
}

interface Checked {
  readonly task: Task;
  readonly evidence: readonly Evidence[];
  readonly findings: readonly Finding[];
  readonly commit: string;
}

/** What follows from what was seen: it waits for a person, is refused, or is done. */
async function settleClaim(
  context: RunContext,
  window: ClaimingWindow,
  { task, evidence, findings, commit }: Checked,
): Promise<ClaimAnswer> {
  const { ports, run } = context;
  const record = { run, window: window.id, task: task.key, evidence, findings, commit };
  const criteria = approvalsToAsk(task, evidence);
  if (criteria.length > 0) {
    if (!(await ports.store.recordClaim({ ...record, change: null, refusal: "" }, ports.clock.now()))) return lost(task, evidence);
    const [question] = await askApprovals(context, window.id, { task, commit, criteria });
    const id = question?.id ?? "";
    return { kind: "waits", question: id, reason: `all else holds; ${task.key} waits for a person's yes (${id})`, evidence };
  }
  if (!allHold(evidence) || findings.some(refuses)) {
    const refusal = [describeRefusal(evidence), describeFindings(findings)].filter(Boolean).join("\n");
    if (!(await ports.store.recordClaim({ ...record, change: null, refusal }, ports.clock.now()))) return lost(task, evidence);
    const question = await askAboutReturns(context, window.id, task, refusal);
    const waits = question === null ? "" : `\n${task.key} waits for a person, who says what becomes of it (${question.id})`;
    return { kind: "refused", reason: `${refusal}${waits}`, evidence };
  }
  const doneBy = isVerified(evidence) && !isWorthless(task.criteria, findings) ? "verified" : "claimed";
  const change = { key: task.key, move: "close", doneBy, reason: "", by: workerName(context, window) } as const;
  const isRecorded = await ports.store.recordClaim({ ...record, change, refusal: "" }, ports.clock.now());
  return isRecorded ? { kind: "done", doneBy, evidence } : lost(task, evidence);
}

function lost({ key }: Task, evidence: readonly Evidence[]): ClaimAnswer {
  return {
    kind: "refused",
    reason: `${key} is no longer this window's: its lease was over, or a person moved it. Nothing was recorded as done`,
    evidence,
  };
}

function notOurs(key: TaskKey, start: Exclude<CheckStart, { kind: "checking" }>): string {
  return start.kind === "held"
    ? `${key} is with ${start.by}`
    : `${key} is ${start.state} by now${start.reason === "" ? "" : `: ${start.reason}`}`;
}

/** Who works, for the history: the member, where the run has a name. */
function workerName({ settings }: RunContext, { number }: Pick<WindowRecord, "number">): string {
  return settings.member?.name ?? `window ${number}`;
}

async function refuse(context: RunContext, window: { readonly id: WindowId }, task: TaskKey, reason: string): Promise<ClaimAnswer> {
  await context.ports.store.recordClaim(
    { run: context.run, window: window.id, task, evidence: [], findings: [], commit: "", change: null, refusal: reason },
    context.ports.clock.now(),
  );
  return { kind: "refused", reason, evidence: [] };
}

/** On a board that several work on, what others did lies in their worktrees: it is theirs to look at again. */
async function doneHere(
  { ports, settings }: RunContext,
  tasks: readonly Task[],
  windows: readonly WindowRecord[],
): Promise<readonly Task[]> {
  if (settings.plan.kind !== "board") return tasks;
  const closed = new Set((await Promise.all(windows.map(({ id }) => ports.store.closedIn(id)))).flat());
  return tasks.filter(({ key }) => closed.has(key));
}

/** Runs the criteria of closed tasks again; one that no longer holds reopens its task (C7). Nothing is recorded here. */
export async function recheckDone(
  context: RunContext,
  tasks: readonly Task[],
  commit: string,
): Promise<readonly { readonly key: TaskKey; readonly reason: string }[]> {
  const reopened: { key: TaskKey; reason: string }[] = [];
  const windows = await context.ports.store.windows(context.run);
  const window = windows.at(-1)?.number ?? 0;
  for (const task of await doneHere(context, tasks, windows)) {
    if (task.state !== "done" || task.doneBy !== "verified") continue;
    // A person's yes was to the tree that the task was done with: a done task asks nobody again.
    const criteria = task.criteria.filter(({ kind }) => kind !== "approval");
    // What was new when it was claimed is new no more.
    const measuring = { ...measuringFor(context, task.key), fresh: async ({ newAtLeast }: TestsCriterion) => newAtLeast };
    const evidence = await checkCriteria(measuring, criteria, { commit, window });
    if (!allHold(evidence))
      reopened.push({ key: task.key, reason: `it was done and does not hold any more: ${describeRefusal(evidence)}` });
  }
  return reopened;
}
