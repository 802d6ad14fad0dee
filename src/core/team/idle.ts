/**
 * What a run of a board does when its window has ended (K1): it works where there is something to do, looks again while something may come, and shuts down after so many
 * looks in vain. A message comes before a task: a person may have said which.
 */
import { countTasks, type Decision } from "../decide.ts";
import type { PlanStanding } from "../outcome.ts";

export const lookEveryMs = 5000;
export const mostLooks = 12;

export interface IdleFacts {
  /** Looks in vain so far. */
  readonly looks: number;
  readonly isMember: boolean;
  readonly unread: number;
  /** A task can be taken now. */
  readonly hasTask: boolean;
  /** Tasks that others have. */
  readonly withOthers: number;
  /** Questions of this run that are open, each about a task. */
  readonly ownQuestions: number;
  readonly standing: PlanStanding;
}

export type IdleStep =
  | { readonly kind: "work" }
  | { readonly kind: "look-again"; readonly afterMs: number }
  /** Nothing more to do here. */
  | { readonly kind: "over"; readonly decision: Exclude<Decision, { kind: "launch" }> };

export function idleStep(facts: IdleFacts): IdleStep {
  const { looks, isMember, unread, hasTask, withOthers, ownQuestions, standing } = facts;
  if (unread > 0 || hasTask) return { kind: "work" };
  // A member that could wait for a person's answer would keep its worktree for a task that any other can take afterwards.
  if (!isMember && ownQuestions > 0 && withOthers === 0) return { kind: "over", decision: { kind: "await-answers", tell: [] } };
  if (looks < mostLooks && (isMember || withOthers > 0)) return { kind: "look-again", afterMs: lookEveryMs };
  return { kind: "over", decision: over(facts, standing) };
}

function over({ withOthers, looks }: IdleFacts, { total, open, waiting, done, failed }: PlanStanding): Extract<Decision, { kind: "stop" }> {
  if (open === 0 && waiting === 0)
    return failed > 0
      ? { kind: "stop", reason: "finished-with-failures", detail: `${failed} of ${countTasks(total)} failed` }
      : { kind: "stop", reason: "finished", detail: `${done} of ${countTasks(total, "is", "are")} done` };
  const left = [
    ...(withOthers > 0 ? [`${countTasks(withOthers, "is", "are")} with others`] : []),
    ...(waiting > 0 ? [`${countTasks(waiting, "waits", "wait")} for a person`] : []),
  ];
  const idle = looks === 0 ? "there is nothing to take" : `${looks} looks in ${(looks * lookEveryMs) / 1000} s found nothing to take`;
  return { kind: "stop", reason: "idle", detail: [idle, ...left].join("; ") };
}
