/**
 * What a run does after a window. `decide(state, limits, outcome)` folds the outcome into the counters, then takes the first rule
 * of `policy` that applies. The order of the rules is the policy (A6): a finish outranks a question, a question outranks money, and so on.
 * Telling the next window something, and the nudge after a silent one, are no rules of their own: they ride on `launch`, so that
 * they can never carry a run past a limit.
 */
import { secretQuestion } from "./committed-secret.ts";
import type { QuestionId } from "./ids.ts";
import { dollars } from "./money/amount.ts";
import { countOutcome, type WindowOutcome } from "./outcome.ts";
import { goOn, type QuestionDraft, stopRun } from "./question.ts";
import type { RunLimits, RunState, StopReason } from "./run-state.ts";

export type Decision =
  /** `tell` = lines for the next window's prompt. */
  | { readonly kind: "launch"; readonly nudge: boolean; readonly tell: readonly string[] }
  | { readonly kind: "wait"; readonly why: "limit" | "outage"; readonly untilAt: number; readonly tell: readonly string[] }
  | { readonly kind: "ask"; readonly question: QuestionDraft; readonly tell: readonly string[] }
  /** The question stands; the run goes on when it is answered. */
  | { readonly kind: "await-answer"; readonly question: QuestionId; readonly tell: readonly string[] }
  /** Every task that is left waits for an answer to a question asked earlier. */
  | { readonly kind: "await-answers"; readonly tell: readonly string[] }
  | { readonly kind: "pause"; readonly tell: readonly string[] }
  | { readonly kind: "stop"; readonly reason: StopReason; readonly detail: string };

interface Facts {
  readonly state: RunState;
  readonly limits: RunLimits;
  readonly outcome: WindowOutcome;
}

interface Rule {
  readonly name: string;
  readonly applies: (facts: Facts) => boolean;
  readonly decision: (facts: Facts) => Decision;
}

export const policy: readonly Rule[] = [
  {
    name: "finished: nothing is left to do, and neither the note nor what was committed disagrees",
    applies: ({ outcome }) =>
      outcome.plan.open === 0 &&
      outcome.plan.waiting === 0 &&
      !asksPerson(outcome) &&
      outcome.asked === undefined &&
      outcome.conflictMarkers.length === 0 &&
      outcome.secrets === undefined,
    decision: ({ outcome }) =>
      outcome.plan.failed > 0
        ? stop("finished-with-failures", `${outcome.plan.failed} of ${countTasks(outcome.plan.total)} failed`)
        : stop("finished", finishedDetail(outcome)),
  },
  {
    name: "a person said stop",
    applies: ({ outcome }) => outcome.request === "stop-now" || outcome.request === "stop-after-window",
    decision: ({ outcome }) =>
      stop(
        "stopped",
        withLastText(outcome.request === "stop-now" ? "a person said stop now" : "a person said stop after this window", outcome),
      ),
  },
  {
    name: "the agent asked for a person, or something only a person can mend",
    applies: ({ outcome }) =>
      asksPerson(outcome) || outcome.end.kind === "needs-person" || outcome.conflictMarkers.length > 0 || outcome.secrets !== undefined,
    decision: (facts) => ({ kind: "ask", question: personQuestion(facts.outcome), tell: tellings(facts) }),
  },
  {
    name: "the agent put a question about the run through its door",
    applies: ({ outcome }) => outcome.asked !== undefined,
    decision: (facts) => awaitAnswer(facts.outcome.asked, tellings(facts)),
  },
  {
    name: "every task that is left waits for an answer",
    applies: ({ outcome }) => outcome.plan.open === 0 && outcome.plan.waiting > 0,
    decision: (facts) => ({ kind: "await-answers", tell: tellings(facts) }),
  },
  {
    name: "the money of the run is spent",
    applies: ({ state, limits }) => state.spentMicroUsd >= limits.runMicroUsd,
    decision: ({ state, limits, outcome }) =>
      stop("money", withLastText(`${dollars(state.spentMicroUsd)} of ${dollars(limits.runMicroUsd)} are spent`, outcome)),
  },
  {
    name: "a cap that the next window would meet too",
    applies: ({ outcome }) => outcome.capped !== undefined,
    decision: ({ outcome }) => stop("money", outcome.capped ?? ""),
  },
  {
    name: "too many windows of unknown cost",
    applies: ({ state, limits }) => state.unknownCostWindows >= limits.unknownCostWindows,
    decision: (facts) => ({ kind: "ask", question: unknownCostQuestion(facts), tell: tellings(facts) }),
  },
  {
    name: "the provider's limit: wait, the same window again",
    applies: ({ outcome }) => outcome.end.kind === "limited",
    decision: (facts) => ({ kind: "wait", why: "limit", untilAt: waitUntil(facts), tell: tellings(facts) }),
  },
  {
    name: "the provider is out: back off, the same window again",
    applies: ({ outcome }) => outcome.end.kind === "outage",
    decision: (facts) => ({ kind: "wait", why: "outage", untilAt: waitUntil(facts), tell: tellings(facts) }),
  },
  {
    name: "failed windows in a row",
    applies: ({ state, limits }) => state.failedInARow >= limits.failedWindows,
    decision: ({ state, outcome }) =>
      stop("failing", withLastText(`${inARow(state.failedInARow)} failed; the last: ${outcome.end.detail}`, outcome)),
  },
  {
    name: "unreadable notes or refused DONEs, twice in a row",
    applies: ({ state }) => state.noteTroubleInARow >= 2,
    decision: (facts) => ({ kind: "ask", question: noteQuestion(facts.outcome), tell: tellings(facts) }),
  },
  {
    // Where one idle window is the limit, a silent one is still followed by the nudge (J2).
    name: "windows in a row without progress",
    applies: ({ state, limits }) => state.idleInARow >= limits.idleWindows && !(state.silentInARow === 1 && state.idleInARow === 1),
    decision: ({ state, outcome }) =>
      stop("stalled", withLastText(`${inARow(state.idleInARow)} made no code commit and closed no task`, outcome)),
  },
  {
    name: "windows in a row with code and no closed task",
    applies: ({ state, limits }) => state.withoutTaskInARow >= limits.windowsWithoutTask,
    decision: ({ state, outcome }) =>
      stop("no-task", withLastText(`${inARow(state.withoutTaskInARow)} committed code and closed no task`, outcome)),
  },
  {
    name: "the limit of windows",
    applies: ({ state, limits }) => state.windows >= limits.windows,
    decision: ({ limits, outcome }) =>
      stop("windows", withLastText(limits.windows === 1 ? "the one window is used" : `${limits.windows} windows are used`, outcome)),
  },
  {
    name: "the run's own clock",
    applies: ({ limits, outcome }) => limits.deadlineAt !== null && outcome.now >= limits.deadlineAt,
    decision: ({ outcome }) => stop("clock", withLastText("the run's time is over", outcome)),
  },
  {
    name: "a person said pause",
    applies: ({ outcome }) => outcome.request === "pause",
    decision: (facts) => ({ kind: "pause", tell: tellings(facts) }),
  },
  {
    name: "launch the next window",
    applies: () => true,
    decision: (facts) => ({ kind: "launch", nudge: facts.state.silentInARow === 1, tell: tellings(facts) }),
  },
];

/**
 * Folds one outcome into the state, then says what happens next. Pure and total.
 * @returns the new state and the decision; both are recorded before the decision is carried out
 */
export function decide(before: RunState, limits: RunLimits, outcome: WindowOutcome): readonly [RunState, Decision] {
  const state = countOutcome(before, limits, outcome);
  const facts = { state, limits, outcome };
  const rule = policy.find(({ applies }) => applies(facts));
  return [state, rule === undefined ? { kind: "launch", nudge: false, tell: [] } : rule.decision(facts)];
}

function asksPerson({ note }: WindowOutcome): boolean {
  return note.kind === "note" && (note.note.status === "awaiting-human" || note.note.status === "blocked");
}

function finishedDetail({ plan }: WindowOutcome): string {
  const claimed = plan.claimed === 0 ? "" : `, ${plan.claimed} of them claimed, unchecked: no criterion that can be run`;
  return `${plan.done} of ${countTasks(plan.total, "is", "are")} done${claimed}`;
}

function awaitAnswer(question: QuestionId | undefined, tell: readonly string[]): Decision {
  return question === undefined ? { kind: "await-answers", tell } : { kind: "await-answer", question, tell };
}

function personQuestion(outcome: WindowOutcome): QuestionDraft {
  if (outcome.secrets !== undefined) return secretQuestion(outcome.secrets, alsoAsked(outcome));
  const base = { options: [], defaultAnswer: null, deadlineAt: null, task: null } as const;
  if (outcome.note.kind === "note" && asksPerson(outcome)) {
    const { question, body, next } = outcome.note.note;
    return { ...base, source: "agent", text: question, context: [next && `next: ${next}`, body].filter(Boolean).join("\n") };
  }
  if (outcome.conflictMarkers.length > 0) {
    const files = outcome.conflictMarkers.join(", ");
    return {
      ...base,
      source: "conflict-markers",
      text: `The last window committed conflict markers in ${files}. Mend them, then go on.`,
      context: "",
      options: [goOn, stopRun],
    };
  }
  return { ...base, source: "provider", text: oneLine(outcome.end.detail), context: "", options: [goOn, stopRun] };
}

/** What else a person would be asked about: the agent's note is read again by the next window, and other trouble shows again. */
function alsoAsked(outcome: WindowOutcome): string {
  if (outcome.note.kind === "note" && asksPerson(outcome)) return `the agent asks: ${outcome.note.note.question}`;
  return outcome.end.kind === "needs-person" ? outcome.end.detail : "";
}

function noteQuestion({ note, doneRefused }: WindowOutcome): QuestionDraft {
  const [text, context] =
    note.kind === "malformed"
      ? [`Two handoff notes in a row cannot be read (${oneLine(note.reason)}). What shall the next window do?`, note.rawLines.join("\n")]
      : [
          `Two windows in a row said DONE, but it does not hold: ${oneLine(doneRefused ?? "tasks are open")}. What shall the next window do?`,
          "",
        ];
  return { source: "note", text, context, options: [], defaultAnswer: null, deadlineAt: null, task: null };
}

function unknownCostQuestion({ state }: Facts): QuestionDraft {
  const windows = state.unknownCostWindows === 1 ? "1 window" : `${state.unknownCostWindows} windows`;
  const text = `${windows} told no cost; ${dollars(state.spentMicroUsd)} were charged for the run by estimate. Go on?`;
  return { source: "unknown-cost", text, context: "", options: [goOn, stopRun], defaultAnswer: null, deadlineAt: null, task: null };
}

/** A stated reset time counts; without one, and for outages, the wait doubles up to the ceiling. */
function waitUntil({ state, limits, outcome }: Facts): number {
  const backOff = Math.min(limits.outageMs * 2 ** Math.min(state.outagesInARow - 1, 20), limits.outageCeilingMs);
  const stated = outcome.end.kind === "limited" ? outcome.end.untilAt : null;
  return stated !== null && stated > outcome.now ? stated : outcome.now + backOff;
}

/** What the next window must know of this one. */
function tellings({ outcome }: Facts): readonly string[] {
  const { note, end } = outcome;
  return [
    note.kind === "malformed" ? `The last handoff note does not count: ${note.reason}. Write it exactly as the contract below says.` : "",
    outcome.doneRefused === null ? "" : `The last window said DONE, which does not hold: ${outcome.doneRefused}.`,
    end.kind === "failed" ? `The last window failed: ${end.detail}. Look at what it left before you go on.` : "",
    ...outcome.remarks,
  ].filter((line) => line !== "");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** `1 task is`, `3 tasks are`. */
export function countTasks(total: number, one = "", more = ""): string {
  return (total === 1 ? `1 task ${one}` : `${total} tasks ${more}`).trimEnd();
}

/** What a count of windows made a run stop for. */
function inARow(windows: number): string {
  return windows === 1 ? "a window" : `${windows} windows in a row`;
}

const lastTextLength = 120;

/** A window without progress and without a new note usually asked something in chat, where nobody reads (A8). One line, and said once. */
function withLastText(detail: string, outcome: WindowOutcome): string {
  const asked = outcome.note.kind === "absent" || outcome.note.kind === "unchanged";
  const text = oneLine(outcome.lastText);
  if (!asked || outcome.progress || text === "" || detail.includes(text)) return detail;
  return `${detail}; the agent's last words: ${text.length > lastTextLength ? `${text.slice(0, lastTextLength - 1)}…` : text}`;
}

function stop(reason: StopReason, detail: string): Decision {
  return { kind: "stop", reason, detail };
}
