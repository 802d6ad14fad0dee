/** What a claim asks of a person: a yes to what only eyes can judge, and what is to become of a task that comes back again and again. */
import type { ApprovalCriterion } from "../core/criteria/criterion.ts";
import type { WindowId } from "../core/ids.ts";
import { acceptAsIs, approve, disapprove, goOn, mostReturns, type Question, setAside } from "../core/question.ts";
import type { Task } from "../core/task.ts";
import { faultPoint } from "../faults.ts";
import { type RunContext, treePath } from "./context.ts";
import { approvalText } from "./criteria/in-run.ts";
import { readBase } from "./integrity/claim-change.ts";

const shownPaths = 20;

/** Asks for each; the task is blocked with the first, in one transaction with it. */
export async function askApprovals(
  context: RunContext,
  window: WindowId,
  { task, commit, criteria }: { readonly task: Task; readonly commit: string; readonly criteria: readonly ApprovalCriterion[] },
): Promise<readonly Question[]> {
  const { ports, run } = context;
  const change = await describeChange(context);
  const asked: Question[] = [];
  for (const criterion of criteria) {
    const show = criterion.show === null ? [] : [`look at: ${treePath(context, criterion.show)}`];
    const question = await ports.store.ask(
      run,
      window,
      {
        ...{ source: "approval", text: approvalText(task.key, criterion), options: [approve, disapprove], task: task.key, about: commit },
        ...{ context: [...show, `commit ${commit.slice(0, 12)}`, ...change].join("\n"), defaultAnswer: null, deadlineAt: null },
      },
      ports.clock.now(),
    );
    faultPoint("approval.asked");
    void ports.notifier.notify({ kind: "question", text: `${question.id}: ${question.text}` });
    asked.push(question);
  }
  return asked;
}

async function describeChange(context: RunContext): Promise<readonly string[]> {
  const { ports, settings } = context;
  const base = await readBase(context);
  const change = base === null ? null : await ports.workspace.pathsChanged(base, [], shownPaths + 1, settings.bookkeeping);
  if (change?.kind !== "read") return [];
  const shown = change.paths.slice(0, shownPaths).join(", ");
  return [`changed since the run began: ${shown === "" ? "nothing" : shown}${change.paths.length > shownPaths ? ", …" : ""}`];
}

/** After a refused claim: from the third return on it is a person's to say what becomes of the task. Null = not yet. */
export async function askAboutReturns(context: RunContext, window: WindowId, task: Task, refusal: string): Promise<Question | null> {
  const { ports, run } = context;
  if ((await ports.store.returnsOf(run, task.key)) < mostReturns) return null;
  const text = `${task.key} was claimed and refused ${mostReturns} times in this run. What shall become of it?`;
  const question = await ports.store.ask(
    run,
    window,
    {
      ...{ source: "returns", text, context: refusal, options: [goOn, acceptAsIs, setAside], task: task.key },
      ...{ defaultAnswer: null, deadlineAt: null },
    },
    ports.clock.now(),
  );
  faultPoint("returns.asked");
  void ports.notifier.notify({ kind: "question", text: `${question.id}: ${question.text}` });
  return question;
}
