/** How a window ended, seen from outside the agent: values from git, the store, criteria and the process. Prose is carried for people only. */
import type { NoteReading } from "./handoff-note.ts";
import type { QuestionId } from "./ids.ts";
import type { RunLimits, RunRequest, RunState } from "./run-state.ts";

/** What an end means for the run; the exit reason itself is kept beside it in the window's row. */
export type WindowEnd =
  /** Ended well: also a cap's end and a full context. */
  | { readonly kind: "good"; readonly detail: string }
  | { readonly kind: "limited"; readonly detail: string; readonly untilAt: number | null }
  | { readonly kind: "outage"; readonly detail: string }
  | { readonly kind: "needs-person"; readonly detail: string }
  | { readonly kind: "failed"; readonly detail: string };

export interface PlanStanding {
  readonly total: number;
  /** Pending tasks that can be worked now or after others. */
  readonly open: number;
  /** Blocked by an open question. */
  readonly waiting: number;
  readonly done: number;
  /** Done without a criterion that could be run. */
  readonly claimed: number;
  /** Failed, or never workable because of a failed one. */
  readonly failed: number;
}

export interface WindowOutcome {
  readonly end: WindowEnd;
  readonly note: NoteReading;
  /** Why a DONE does not hold; null when none was said, or when it holds. */
  readonly doneRefused: string | null;
  /** HEAD's tree changed outside bookkeeping (A7). */
  readonly codeChanged: boolean;
  readonly tasksClosed: number;
  /** A7; for a repeated prompt its own rule (A21). */
  readonly progress: boolean;
  readonly plan: PlanStanding;
  /** null = this agent shows no tool calls and is never judged by them (J2). */
  readonly toolCalls: number | null;
  /** null = nobody told it. */
  readonly costMicroUsd: number | null;
  /** A cap that outlasts the window was in its way: the run's, the day's, the month's. */
  readonly capped?: string;
  readonly lastText: string;
  readonly conflictMarkers: readonly string[];
  /** Secrets that it brought into the history, told without them; absent = none. */
  readonly secrets?: readonly string[];
  /** A question about the run that was put through the door and is still open. */
  readonly asked?: QuestionId;
  /** Lines for the next window: changes to the plan that were ignored, evidence of refused claims. */
  readonly remarks: readonly string[];
  readonly request: RunRequest;
  /** Commit and task rules do not apply (A21). */
  readonly repeatedPrompt: boolean;
  readonly now: number;
}

/** Zero tool calls, a good end, no progress and no new note: nothing happened (J2). */
export function isSilent(outcome: WindowOutcome): boolean {
  const newNote = outcome.note.kind === "note" || outcome.note.kind === "malformed";
  return outcome.end.kind === "good" && outcome.toolCalls === 0 && !outcome.progress && !newNote;
}

/** Only counts. A window given back to the provider changes nothing but money and the back-off. */
export function countOutcome(state: RunState, limits: RunLimits, outcome: WindowOutcome): RunState {
  const told = outcome.costMicroUsd === null ? null : Math.max(0, outcome.costMicroUsd);
  const money = {
    spentMicroUsd: state.spentMicroUsd + (told ?? limits.unknownCostMicroUsd),
    unknownCostWindows: state.unknownCostWindows + (outcome.costMicroUsd === null ? 1 : 0),
  };
  if (outcome.end.kind === "limited" || outcome.end.kind === "outage") {
    // Nothing ran that could tell a cost: no floor is charged for a refused call.
    return { ...state, spentMicroUsd: state.spentMicroUsd + (told ?? 0), outagesInARow: state.outagesInARow + 1 };
  }
  const closed = outcome.tasksClosed > 0;
  const noteTrouble = outcome.note.kind === "malformed" || outcome.doneRefused !== null;
  return {
    ...money,
    windows: state.windows + 1,
    failedInARow: outcome.end.kind === "failed" && !closed ? state.failedInARow + 1 : 0,
    idleInARow: outcome.progress || asksOrNeedsPerson(outcome) ? 0 : state.idleInARow + 1,
    withoutTaskInARow: closed || outcome.repeatedPrompt ? 0 : state.withoutTaskInARow + (outcome.codeChanged ? 1 : 0),
    noteTroubleInARow: noteTrouble ? state.noteTroubleInARow + 1 : 0,
    outagesInARow: 0,
    silentInARow: isSilent(outcome) ? state.silentInARow + 1 : 0,
    recent: [...state.recent, { costMicroUsd: told ?? limits.unknownCostMicroUsd, tasksClosed: outcome.tasksClosed }].slice(-5),
  };
}

/** A person's answer is new input: the window before it is not held against the run. */
function asksOrNeedsPerson({ note, end, asked }: WindowOutcome): boolean {
  if (asked !== undefined || end.kind === "needs-person") return true;
  return note.kind === "note" && (note.note.status === "awaiting-human" || note.note.status === "blocked");
}
