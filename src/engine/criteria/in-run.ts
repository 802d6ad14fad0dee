/** Measuring within a run: its limits, its base, its ledger, and what a person said. */
import type { ApprovalStanding } from "../../core/criteria/approval.ts";
import type { ApprovalCriterion } from "../../core/criteria/criterion.ts";
import type { RunId, TaskKey } from "../../core/ids.ts";
import { approve, disapprove, type Question } from "../../core/question.ts";
import { planPlace, type RunContext } from "../context.ts";
import { readBase } from "../integrity/claim-change.ts";
import { taskSpend } from "../spent.ts";
import type { Measuring } from "./measuring.ts";

/** Marks the processes of a run's criteria, so that those of a dead supervisor are found. One mark is enough: criteria run one at a time. */
export function criteriaMark(run: RunId): string {
  return `${run}.criteria`;
}

export function measuringFor(context: RunContext, task: TaskKey): Measuring {
  const { ports, run, settings, control } = context;
  return {
    ports,
    mark: criteriaMark(run),
    limits: settings.limits,
    bookkeeping: settings.bookkeeping,
    base: () => readBase(context),
    stop: {
      isSaid: () => control.current() === "stop-now",
      onSaid: (listener) =>
        control.onChange((request) => {
          if (request === "stop-now") listener();
        }),
    },
    onRan: () => context.ground.spoil(),
    spend: () => taskSpend(ports.store, planPlace(context), task),
    approval: (criterion) => approvalStanding(context, task, criterion),
  };
}

/** The words by which the question of a criterion is known. */
export function approvalText(task: TaskKey, { statement }: ApprovalCriterion): string {
  return `${task} waits for your yes: ${statement}`;
}

async function approvalStanding(context: RunContext, task: TaskKey, criterion: ApprovalCriterion): Promise<ApprovalStanding> {
  const { store } = context.ports;
  const text = approvalText(task, criterion);
  const question = (await store.questions({ run: context.run }))
    .filter((one) => one.source === "approval" && one.task === task && one.text === text)
    .at(-1);
  if (question === undefined) return { kind: "not-asked", changedSince: false };
  if (question.state === "open") return { kind: "open", question: question.id };
  if (isNo(question) && !(await isTaken(context, question))) return { kind: "no", words: wordsOf(question) };
  const isSame = await isSameTree(context, question.about ?? null);
  if (!isSame) return { kind: "not-asked", changedSince: true };
  return question.answer === approve ? { kind: "yes" } : { kind: "no", words: wordsOf(question) };
}

function isNo({ answer }: Question): boolean {
  return answer !== approve;
}

function wordsOf({ answer }: Question): string {
  return (answer ?? "").replace(new RegExp(`^${disapprove}:?\\s*`), "");
}

/** Whether a claim was judged with this answer. One of the same moment counts: asking again is the lesser evil. */
export async function isTaken({ ports, run }: RunContext, { task, answeredAt }: Question): Promise<boolean> {
  return (await ports.store.evidence(run)).some((one) => one.task === task && one.at >= (answeredAt ?? 0));
}

async function isSameTree({ ports, settings }: RunContext, commit: string | null): Promise<boolean> {
  if (commit === null) return false;
  const change = await ports.workspace.pathsChanged(commit, [], 1, settings.bookkeeping);
  return change.kind === "read" && change.paths.length === 0;
}
