/**
 * The report of a run (A18), computed from its rows. What nobody measured is null, never 0.
 */
import type { CountedAttempt } from "./attempts.ts";
import type { Evidence } from "./evidence.ts";
import { describeFinding, type Finding, refuses } from "./integrity/finding.ts";
import type { Spend } from "./money/cap.ts";
import { type Question, startedAgain } from "./question.ts";
import type { StopReason } from "./run-state.ts";
import type { RunSandbox } from "./sandbox/run-sandbox.ts";
import { isHeldUp, isOpen, type Task } from "./task.ts";

export interface ReportWindow {
  readonly number: number;
  readonly counted: boolean;
  readonly exit: string;
  readonly end: string;
  readonly detail: string;
  readonly tasksClosed: readonly string[];
  readonly commits: number;
  readonly costMicroUsd: number | null;
  /** Its sums by the ledger; null or absent = its calls did not pass through the gateway. */
  readonly ledger?: Spend | null;
  /** The agent's own figure. */
  readonly reportedMicroUsd?: number | null;
  readonly maxContextTokens: number | null;
  readonly toolCalls: number | null;
  readonly subagentToolCalls: number;
  readonly durationMs: number;
  readonly agentVersion: string;
  readonly notes: readonly string[];
  /** What its program printed, as it came. */
  readonly logPath: string;
}

export interface BroughtSettings {
  readonly how: "approved" | "ignored";
  readonly files: readonly string[];
  /** Written while the run went on; approved by nobody then. */
  readonly changed: readonly string[];
}

export interface ReportInput {
  readonly run: string;
  readonly worktree: string;
  readonly branch: string | null;
  readonly agent: string;
  readonly containment: string;
  /** Null = nothing is recorded of it. */
  readonly sandbox: RunSandbox | null;
  /** What agents tried and must not do, as far as we were asked or shown. */
  readonly attempts: readonly CountedAttempt[];
  /** `none` = it ran unguarded: nothing of ours stood before what it did. */
  readonly guard: "callback" | "none";
  /** What the repository brought for agents; null = nothing. */
  readonly repositorySettings: BroughtSettings | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly now: number;
  readonly phase: string;
  readonly stopReason: StopReason | null;
  readonly stopDetail: string;
  readonly spentMicroUsd: number;
  readonly capMicroUsd: number;
  readonly windowCapMicroUsd: number;
  /** What a window was charged that told no cost. */
  readonly unknownCostMicroUsd: number;
  readonly unknownCostWindows: number;
  readonly waitedPersonMs: number;
  readonly waitedProviderMs: number;
  readonly tasks: readonly Task[];
  readonly windows: readonly ReportWindow[];
  readonly questions: readonly Question[];
  /** Of all claims, in their order. Claims of one moment are one: each is measured after the last. */
  readonly evidence: readonly (Evidence & { readonly task: string; readonly at: number })[];
  /** What spoke against claims, in their order. */
  readonly findings: readonly (Finding & { readonly task: string })[];
}

/** Median, smallest, largest, and of how many. Null without a sample. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly n: number;
}

/** Windows whose calls passed through the gateway. */
export interface BookedCalls extends Spend {
  readonly windows: number;
  /** What the agent said of the same windows (D5); null = nothing of one of them. */
  readonly reportedMicroUsd: number | null;
}

/** A window that cost more than it might: its own cap, or what was left of the run's. */
export interface Overshoot {
  readonly window: number;
  readonly capMicroUsd: number;
  readonly overMicroUsd: number;
}

export interface ReportTask extends Pick<Task, "key" | "title" | "state" | "doneBy" | "attempts" | "reason"> {
  /** What its last claim was measured by; empty where none was. */
  readonly evidence: readonly ReportEvidence[];
}

export type ReportEvidence = Pick<Evidence, "criterion" | "kind" | "verdict" | "figures" | "countsFrom">;

export interface Report extends Omit<ReportInput, "now" | "tasks" | "questions" | "evidence" | "findings"> {
  readonly tasks: {
    readonly total: number;
    readonly verified: number;
    readonly claimed: number;
    readonly byPerson: number;
    readonly open: number;
    readonly failed: number;
    readonly blocked: number;
    readonly list: readonly ReportTask[];
  };
  readonly wallMs: number;
  /** Sum of the windows: the agent and the criteria. */
  readonly workMs: number;
  readonly perTask: { readonly minutes: Spread | null; readonly costMicroUsd: Spread | null };
  readonly window: { readonly durationMs: Spread | null; readonly costMicroUsd: Spread | null; readonly contextTokens: Spread | null };
  /** Null = there was no gateway. */
  readonly booked: BookedCalls | null;
  /** Where the cost is known. */
  readonly overshoots: readonly Overshoot[];
  readonly interventions: {
    readonly questions: number;
    readonly byPerson: number;
    readonly byDefault: number;
    /** Asked by the harness, and seen to be mended when the run was started again. */
    readonly byStartingAgain: number;
    readonly open: number;
    readonly ofAgent: number;
  };
  readonly questions: readonly Omit<Question, "run" | "window">[];
  /** Remarks about tasks that are done: criteria that hold are not "ready for production". */
  readonly readFirst: readonly (Finding & { readonly task: string })[];
  readonly notMeasured: readonly string[];
}

export function buildReport(input: ReportInput): Report {
  const { tasks, windows, questions, evidence, findings, now, ...rest } = input;
  const count = (test: (task: Task) => boolean) => tasks.filter(test).length;
  const costs = windows.flatMap((window) => window.costMicroUsd ?? []);
  const contexts = windows.flatMap((window) => window.maxContextTokens ?? []);
  // A window's time and money are shared out evenly over the tasks it closed.
  const shares = windows.filter((window) => window.tasksClosed.length > 0);
  const minutes = shares.flatMap((window) => window.tasksClosed.map(() => window.durationMs / 60_000 / window.tasksClosed.length));
  const money = shares.flatMap((window) =>
    window.costMicroUsd === null ? [] : window.tasksClosed.map(() => Math.round((window.costMicroUsd ?? 0) / window.tasksClosed.length)),
  );
  return {
    ...rest,
    tasks: {
      total: tasks.length,
      verified: count((task) => task.state === "done" && task.doneBy === "verified"),
      claimed: count((task) => task.state === "done" && task.doneBy === "claimed"),
      byPerson: count((task) => task.state === "done" && task.doneBy === "person"),
      open: count(isOpen),
      failed: count((task) => task.state === "failed"),
      blocked: count(isHeldUp),
      list: tasks.map(({ key, title, state, doneBy, attempts, reason }) => ({
        ...{ key, title, state, doneBy, attempts, reason },
        evidence: lastEvidence(evidence.filter(({ task }) => task === key)),
      })),
    },
    windows,
    wallMs: (input.endedAt ?? now) - input.startedAt,
    workMs: windows.reduce((sum, window) => sum + window.durationMs, 0),
    perTask: { minutes: spread(minutes), costMicroUsd: spread(money) },
    window: {
      durationMs: spread(windows.map((window) => window.durationMs)),
      costMicroUsd: spread(costs),
      contextTokens: spread(contexts),
    },
    booked: bookedCalls(windows),
    overshoots: overshoots(input),
    interventions: {
      questions: questions.length,
      byPerson: questions.filter(({ answeredBy }) => answeredBy !== null && answeredBy !== "default" && answeredBy !== startedAgain).length,
      byDefault: questions.filter(({ answeredBy }) => answeredBy === "default").length,
      byStartingAgain: questions.filter(({ answeredBy }) => answeredBy === startedAgain).length,
      open: questions.filter((question) => question.state === "open").length,
      ofAgent: questions.filter((question) => question.source === "agent").length,
    },
    questions: questions.map(({ run: _run, window: _window, ...question }) => question),
    readFirst: readFirst(tasks, findings),
    notMeasured: notMeasured(windows),
  };
}

function lastEvidence(all: ReportInput["evidence"]): readonly ReportEvidence[] {
  const last = all.at(-1)?.at;
  return all
    .filter(({ at }) => at === last)
    .map(({ criterion, kind, verdict, figures, countsFrom }) => ({
      ...{ criterion, verdict },
      ...(kind === undefined ? {} : { kind }),
      ...(figures === undefined ? {} : { figures }),
      ...(countsFrom === undefined ? {} : { countsFrom }),
    }));
}

/** Each of them once, however many claims it was found in. */
function readFirst(tasks: readonly Task[], findings: ReportInput["findings"]): Report["readFirst"] {
  const done = new Set<string>(tasks.filter(({ state }) => state === "done").map(({ key }) => key));
  const named = findings
    .filter((one) => done.has(one.task) && !refuses(one))
    .map((one) => [`${one.task} ${describeFinding(one)}`, one] as const);
  return [...new Map(named).values()];
}

function bookedCalls(windows: readonly ReportWindow[]): BookedCalls | null {
  const booked = windows.flatMap(({ ledger, reportedMicroUsd }) =>
    ledger == null ? [] : [{ ...ledger, reported: reportedMicroUsd ?? null }],
  );
  const sum = (of: (one: (typeof booked)[number]) => number) => booked.reduce((total, one) => total + of(one), 0);
  if (booked.length === 0) return null;
  return {
    windows: booked.length,
    calls: sum(({ calls }) => calls),
    unknown: sum(({ unknown }) => unknown),
    spentMicroUsd: sum(({ spentMicroUsd }) => spentMicroUsd),
    heldMicroUsd: sum(({ heldMicroUsd }) => heldMicroUsd),
    reportedMicroUsd: booked.some(({ reported }) => reported === null) ? null : sum(({ reported }) => reported ?? 0),
  };
}

/** Each window's cap as it stood when it opened: the run's money was charged with the windows before it. */
function overshoots({ windows, windowCapMicroUsd, capMicroUsd, unknownCostMicroUsd }: ReportInput): readonly Overshoot[] {
  let chargedMicroUsd = 0;
  return windows.flatMap(({ number, costMicroUsd, counted }) => {
    const cap = Math.max(0, Math.min(windowCapMicroUsd, capMicroUsd - chargedMicroUsd));
    chargedMicroUsd += costMicroUsd ?? (counted ? unknownCostMicroUsd : 0);
    const over = (costMicroUsd ?? 0) - cap;
    return over > 0 ? [{ window: number, capMicroUsd: cap, overMicroUsd: over }] : [];
  });
}

function notMeasured(windows: readonly ReportWindow[]): readonly string[] {
  const without = (test: (window: ReportWindow) => boolean, what: string) => {
    const missing = windows.filter(test).length;
    return missing === 0 ? [] : [`${what} of ${missing} of ${windows.length} windows`];
  };
  return [
    ...without((window) => window.costMicroUsd === null, "cost"),
    ...without((window) => window.maxContextTokens === null, "context size"),
    ...without((window) => window.toolCalls === null, "tool calls"),
  ];
}

export function spread(sample: readonly number[]): Spread | null {
  const sorted = [...sample].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? 0;
  if (sorted.length === 0) return null;
  const middle = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
  return { median, min: at(0), max: at(sorted.length - 1), n: sorted.length };
}
