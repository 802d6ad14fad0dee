/** Plain values that the tests of core start from: limits with the defaults of the policy, and a window that did its work. */
import type { Decision } from "../../src/core/decide.ts";
import type { HandoffNote, NoteReading } from "../../src/core/handoff-note.ts";
import type { PlanStanding, WindowOutcome } from "../../src/core/outcome.ts";
import type { RunLimits } from "../../src/core/run-state.ts";

export const now = 1_800_000_000_000;
export const dollar = 1_000_000;

export const limits: RunLimits = {
  windows: 40,
  runMicroUsd: 150 * dollar,
  windowMicroUsd: 20 * dollar,
  unknownCostMicroUsd: 2 * dollar,
  unknownCostWindows: 3,
  idleWindows: 2,
  windowsWithoutTask: 3,
  failedWindows: 2,
  attemptsPerTask: 3,
  tasksPerWindow: 5,
  windowMs: 10_800_000,
  idleMs: 600_000,
  toolMs: 1_800_000,
  lingerMs: 30_000,
  graceMs: 5_000,
  criterionMs: 600_000,
  callMicroUsd: null,
  taskMicroUsd: null,
  dayMicroUsd: null,
  monthMicroUsd: null,
  reserveMicroUsd: dollar,
  agents: 12,
  agentsEach: 5,
  contextTellTokens: 150_000,
  contextTokens: 200_000,
  outageMs: 30_000,
  outageCeilingMs: 600_000,
  deadlineAt: null,
};

export const plan = (change: Partial<PlanStanding> = {}): PlanStanding => ({
  total: 9,
  open: 5,
  waiting: 0,
  done: 4,
  claimed: 0,
  failed: 0,
  ...change,
});

export const noteOf = (change: Partial<HandoffNote> = {}): NoteReading => ({
  kind: "note",
  note: { status: "checkpoint", next: "T-5", question: "", body: "", ...change },
});

/** One task closed with a commit, a checkpoint left, a dollar spent: nothing to decide but the next window. */
export const worked: WindowOutcome = {
  end: { kind: "good", detail: "success" },
  note: noteOf(),
  doneRefused: null,
  codeChanged: true,
  tasksClosed: 1,
  progress: true,
  plan: plan(),
  toolCalls: 12,
  costMicroUsd: dollar,
  lastText: "T-4 is in, the tests pass.",
  conflictMarkers: [],
  remarks: [],
  request: "none",
  repeatedPrompt: false,
  now,
};

/** A decision in one word or two, for tables. */
export function inShort(decision: Decision): string {
  if (decision.kind === "stop") return `stop ${decision.reason}`;
  if (decision.kind === "ask") return `ask ${decision.question.source}`;
  if (decision.kind === "wait") return `wait ${decision.why}`;
  if (decision.kind === "launch") return decision.nudge ? "launch nudge" : "launch";
  return decision.kind;
}
