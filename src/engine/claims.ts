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
import type { Task } from "../core/task.ts";
import { faultPoint } from "../faults.ts";
import type { ClaimAnswer } from "../ports/door.ts";
import type { WindowRecord } from "../ports/store.ts";
import { searchAt } from "./committed-secrets.ts";
import type { RunContext } from "./context.ts";
import { checkCriteria } from "./criteria/check.ts";
import { measuringFor } from "./criteria/in-run.ts";
import { examineClaim } from "./integrity/examine.ts";
import { freshTests } from "./integrity/fresh-tests.ts";
import { askAboutReturns, askApprovals } from "./person-questions.ts";

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
  if (task.state === "blocked") return `${task.key} is blocked: ${task.reason}`;
  const open = task.dependsOn.filter((key) => tasks.find((one) => one.key === key)?.state !== "done");
  return task.state === "pending" && open.length > 0
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
    await ports.store.recordClaim({ ...record, change: null, refusal: "" }, ports.clock.now());
    const [question] = await askApprovals(context, window.id, { task, commit, criteria });
    const id = question?.id ?? "";
    return { kind: "waits", question: id, reason: `all else holds; ${task.key} waits for a person's yes (${id})`, evidence };
  }
  if (!allHold(evidence) || findings.some(refuses)) {
    const refusal = [describeRefusal(evidence), describeFindings(findings)].filter(Boolean).join("\n");
    await ports.store.recordClaim({ ...record, change: null, refusal }, ports.clock.now());
    const question = await askAboutReturns(context, window.id, task, refusal);
    const waits = question === null ? "" : `\n${task.key} is blocked: a person says what becomes of it (${question.id})`;
    return { kind: "refused", reason: `${refusal}${waits}`, evidence };
  }
  const doneBy = isVerified(evidence) && !isWorthless(task.criteria, findings) ? "verified" : "claimed";
  await ports.store.recordClaim(
    { ...record, change: { key: task.key, move: "close", doneBy, reason: "", by: `window ${window.number}` }, refusal: "" },
    ports.clock.now(),
  );
  return { kind: "done", doneBy, evidence };
}

async function refuse(context: RunContext, window: { readonly id: WindowId }, task: TaskKey, reason: string): Promise<ClaimAnswer> {
  await context.ports.store.recordClaim(
    { run: context.run, window: window.id, task, evidence: [], findings: [], commit: "", change: null, refusal: reason },
    context.ports.clock.now(),
  );
  return { kind: "refused", reason, evidence: [] };
}

/** Runs the criteria of closed tasks again; one that no longer holds reopens its task (C7). Nothing is recorded here. */
export async function recheckDone(
  context: RunContext,
  tasks: readonly Task[],
  commit: string,
): Promise<readonly { readonly key: TaskKey; readonly reason: string }[]> {
  const reopened: { key: TaskKey; reason: string }[] = [];
  const window = (await context.ports.store.windows(context.run)).at(-1)?.number ?? 0;
  for (const task of tasks) {
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
