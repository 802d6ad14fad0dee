/**
 * The store: one per user, outside every repository. Each method is one transaction that also writes the events it describes;
 * when it resolves, the change is durable. A method either does all or throws MidwatchError: kind "busy" after a bounded wait,
 * "environment" for a full disk, a read-only or vanished folder, "config"-free of guesses: absent, busy, unreadable and corrupt are four answers.
 */
import type { Lease, Moment } from "../core/batch/lease.ts";
import type { Decision } from "../core/decide.ts";
import type { Evidence } from "../core/evidence.ts";
import type { ExitReason } from "../core/exit-reason.ts";
import type { QuestionId, RunId, TaskKey, WindowId } from "../core/ids.ts";
import type { Finding } from "../core/integrity/finding.ts";
import type { Spend } from "../core/money/cap.ts";
import type { WindowOutcome } from "../core/outcome.ts";
import type { Question, QuestionDraft } from "../core/question.ts";
import type { RunSettings } from "../core/run-settings.ts";
import type { RunPhase, RunRequest, RunState, StopReason } from "../core/run-state.ts";
import type { DoneBy, PlannedTask, Task, TaskMove, TaskState } from "../core/task.ts";
import type { BatchArchive } from "./batch-archive.ts";
import type { BatchStore } from "./batch-store.ts";
import type { BoardStore } from "./board.ts";
import type { Ledger } from "./ledger.ts";
import type { ProcessIdentity } from "./processes.ts";
import type { TeamStore } from "./team.ts";

export interface RunRecord {
  readonly id: RunId;
  /** Real path of the git common dir. */
  readonly repository: string;
  /** Real path of the working tree. */
  readonly worktree: string;
  readonly branch: string | null;
  /** Frozen at the start: a file that changes in mid-run loosens nothing. */
  readonly settings: RunSettings;
  readonly phase: RunPhase;
  readonly state: RunState;
  /** The last recorded decision: what a restart carries out. */
  readonly decision: Decision | null;
  readonly stopReason: StopReason | null;
  readonly stopDetail: string;
  readonly request: RunRequest;
  /** Who carries the run out now, or did last. The kernel lock decides; this only says who. */
  readonly supervisor: ProcessIdentity | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** Sum of the times the run waited for a person / for a provider. */
  readonly waitedPersonMs: number;
  readonly waitedProviderMs: number;
}

export interface WindowRecord {
  readonly id: WindowId;
  readonly run: RunId;
  /** From 1, also for windows that do not count. */
  readonly number: number;
  readonly state: "open" | "ended";
  readonly openedAt: number;
  readonly endedAt: number | null;
  /** HEAD at the start; "" = no commit. */
  readonly base: string;
  readonly branch: string | null;
  /** Hash of the handoff file at the start; null = there was none. */
  readonly noteHash: string | null;
  /** Text of the plan file at the start, against which ticks are claims; null for a repeated prompt. */
  readonly planText: string | null;
  readonly tasks: readonly TaskKey[];
  readonly taskLimit: number;
  /** Null until the process is started. */
  readonly process: ProcessIdentity | null;
  readonly logPath: string;
  readonly result: WindowResult | null;
}

/** Written once, when a window ends. */
export interface WindowResult {
  readonly exit: ExitReason;
  readonly outcome: WindowOutcome;
  /** False when the window was given back to the provider. */
  readonly counted: boolean;
  readonly head: string;
  readonly commits: number;
  readonly tasksClosed: readonly TaskKey[];
  /** Charged for certain: a lower bound where calls are unknown. */
  readonly costMicroUsd: number | null;
  /** The window's sums by the ledger; null = its calls do not pass through the gateway. Absent in rows of older versions, as is the next. */
  readonly ledger?: WindowLedger | null;
  /** The agent's own figure. */
  readonly reportedMicroUsd?: number | null;
  readonly agentVersion: string;
  readonly sessionIds: readonly string[];
  readonly toolCalls: number | null;
  readonly subagentToolCalls: number;
  readonly maxContextTokens: number | null;
  readonly lastTool: string;
  readonly durationMs: number;
  readonly notes: readonly string[];
}

export type WindowLedger = Spend;

/** A fact that was recorded. `kind` is past tense, `subject.verb`: `window.ended`, `task.closed`, `agent.acted`. */
export interface NewEvent {
  readonly kind: string;
  readonly window?: WindowId;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StoredEvent extends NewEvent {
  /** Grows without gaps within a file; the place from which a reader goes on. */
  readonly id: number;
  readonly at: number;
  readonly run: RunId;
}

export interface TaskChange {
  readonly key: TaskKey;
  readonly move: TaskMove;
  readonly doneBy?: DoneBy;
  readonly reason: string;
  /** `window N`, a member's name, `person`, `harness`. */
  readonly by: string;
}

export interface NewRun {
  readonly id: RunId;
  readonly repository: string;
  readonly worktree: string;
  readonly branch: string | null;
  readonly settings: RunSettings;
  readonly supervisor: ProcessIdentity | null;
}

export interface Store {
  /** Every call to a provider: in the same file, so that an intent and the check of its window are one transaction. */
  readonly ledger: Ledger;
  /** Batches and their jobs: in the same file, so that an intent and the check of its job's fence are one transaction. */
  readonly batches: BatchStore;
  /** Batches that have ended, in files of their own. */
  readonly archive: BatchArchive;
  /** Tasks, for whoever looks at them or changes them without a run. */
  readonly boards: BoardStore;
  /** Who works on them together. */
  readonly teams: TeamStore;
  /** Adds the run with the tasks of its plan (merged by key with what the plan already has in this worktree: states and attempts stay, wording is the plan's). */
  createRun(run: NewRun, now: number): Promise<RunRecord>;
  run(id: RunId): Promise<RunRecord | null>;
  /** Newest first. */
  runs(filter: { readonly worktree?: string; readonly limit: number }): Promise<readonly RunRecord[]>;
  /** On a person's word only: a run that is started again after its supervisor died. */
  setSettings(run: RunId, settings: RunSettings, now: number): Promise<void>;
  setSupervisor(run: RunId, supervisor: ProcessIdentity | null, now: number): Promise<void>;
  /** Also adds the time since the last change of phase to the waited sums. */
  setPhase(run: RunId, phase: RunPhase, events: readonly NewEvent[], now: number): Promise<void>;
  setDecision(run: RunId, state: RunState, decision: Decision, now: number): Promise<void>;
  endRun(run: RunId, stop: { readonly reason: StopReason; readonly detail: string }, now: number): Promise<void>;
  setRequest(run: RunId, request: RunRequest, now: number): Promise<void>;
  /** Cheap enough to be asked four times a second. */
  request(run: RunId): Promise<RunRequest>;

  openWindow(window: Omit<WindowRecord, "state" | "endedAt" | "process" | "result" | "number">, now: number): Promise<WindowRecord>;
  /** After the spawn; a window that ended meanwhile is not touched. */
  startWindow(window: WindowId, process: ProcessIdentity, now: number): Promise<void>;
  /** Outcome, new state, decision, attempts and the plan's text in ONE transaction, before the decision is carried out. A second call for one window throws. */
  endWindow(end: WindowClosing, now: number): Promise<void>;
  windows(run: RunId): Promise<readonly WindowRecord[]>;
  openWindowOf(run: RunId): Promise<WindowRecord | null>;
  /** Tasks closed by claims of this window that are still done. */
  closedIn(window: WindowId): Promise<readonly TaskKey[]>;
  /** Tasks whose claim this window made and lost, and which are not done now. */
  refusedIn(window: WindowId): Promise<readonly TaskKey[]>;

  /** In the plan's order. */
  tasks(run: RunId): Promise<readonly Task[]>;
  /** The plan as the person has it now: adds, removes (kept in history), rewords, and applies the moves. */
  syncTasks(
    run: RunId,
    planned: readonly PlannedTask[],
    changes: readonly TaskChange[],
    events: readonly NewEvent[],
    now: number,
  ): Promise<void>;
  /** Refused claims of a task in a run that were measured, since a person last said "go on" to them; without those of windows that a death cut short. */
  returnsOf(run: RunId, task: TaskKey): Promise<number>;
  /** Takes the first claimable task of the run's board, after what others let their lease end on went back. Null = none is to be had now. */
  claimTask(claim: TaskClaim, moment: Moment): Promise<Task | null>;
  /** Renews the lease of what the run has. */
  renewTasks(run: RunId, lease: Lease): Promise<void>;
  /** What the run has is open again: its supervisor died. */
  releaseTasks(run: RunId, reason: string, now: number): Promise<void>;
  /** Before a claim is measured: from here on the run has the task. */
  startCheck(run: RunId, window: WindowId, claim: CheckedClaim, now: number): Promise<CheckStart>;
  /**
   * Evidence of one claim with the move it led to, if any. Attempts are counted by `endWindow` alone, once a window and task. Illegal moves throw.
   * @returns false when the task is no longer the run's: its lease was over, or a person moved it. What was seen is kept, and moves nothing
   */
  recordClaim(claim: ClaimRecord, now: number): Promise<boolean>;
  changeTasks(run: RunId, changes: readonly TaskChange[], events: readonly NewEvent[], now: number): Promise<void>;
  evidence(run: RunId): Promise<readonly StoredEvidence[]>;
  /** Of every claim, in their order. */
  findings(run: RunId): Promise<readonly StoredFinding[]>;
  /** The commit of the run's last accepted claim; null = there was none. */
  lastAccepted(run: RunId): Promise<string | null>;
  /** The plan file's text after our last write-back or reading; null = never read. */
  planText(run: RunId): Promise<string | null>;
  setPlanText(run: RunId, text: string, now: number): Promise<void>;

  /**
   * The same text while it is open is one question. With a task that is pending: blocks it in the same transaction.
   * @param decisionAfter  the run's decision from now on, recorded in the same transaction, so that a death cannot ask twice
   */
  ask(
    run: RunId,
    window: WindowId | null,
    draft: QuestionDraft,
    now: number,
    decisionAfter?: (question: QuestionId) => Decision,
  ): Promise<Question>;
  question(id: QuestionId): Promise<Question | null>;
  /** First answer wins. Unblocks the task it was about, or moves it where the answer says so (`moveOnAnswer`), in the same transaction. */
  answer(
    id: QuestionId,
    answer: string,
    by: string,
    now: number,
  ): Promise<{ readonly kind: "answered" | "was-answered"; readonly question: Question } | { readonly kind: "unknown" }>;
  questions(filter: { readonly run?: RunId; readonly state?: "open" | "answered" }): Promise<readonly Question[]>;

  appendEvents(run: RunId, events: readonly NewEvent[], now: number): Promise<void>;
  eventsAfter(run: RunId, after: number, limit: number): Promise<readonly StoredEvent[]>;
  /** The last events of one kind, oldest first. */
  recentEvents(run: RunId, kind: string, limit: number): Promise<readonly StoredEvent[]>;
  /** Removes events, evidence and log rows older than `before` of runs that ended; the rows of runs, windows, tasks and questions stay. Count removed. */
  prune(before: number): Promise<number>;
  close(): Promise<void>;
}

export interface WindowClosing {
  readonly window: WindowId;
  readonly run: RunId;
  readonly result: WindowResult;
  readonly state: RunState;
  readonly decision: Decision;
  /** Moves that the judgement made beyond single claims: failed after its attempts, reopened by a second check. */
  readonly changes: readonly TaskChange[];
  /** Tasks to which an attempt is added. */
  readonly attempts: readonly TaskKey[];
  /** The plan file as it was judged, before our write-back; null for a repeated prompt. */
  readonly planText: string | null;
  readonly events: readonly NewEvent[];
}

export interface TaskClaim {
  readonly run: RunId;
  /** That is open and is given one more task; null = none is open yet. */
  readonly window: WindowId | null;
  /** Who, for the history. */
  readonly by: string;
  readonly lease: Lease;
}

export interface CheckedClaim {
  readonly key: TaskKey;
  readonly by: string;
  /** Null = the run has its tasks for itself. */
  readonly lease: Lease | null;
}

export type CheckStart =
  | { readonly kind: "checking" }
  /** Another run has it. */
  | { readonly kind: "held"; readonly by: string }
  /** It is not open any more. */
  | { readonly kind: "moved"; readonly state: TaskState; readonly reason: string };

export interface ClaimRecord {
  readonly run: RunId;
  readonly window: WindowId;
  readonly task: TaskKey;
  readonly evidence: readonly Evidence[];
  /** What spoke against it, or should be read first. */
  readonly findings: readonly Finding[];
  /** HEAD when it was checked; "" = it came to no check. */
  readonly commit: string;
  /** Null = refused, or where there is no refusal either: it waits for a person. */
  readonly change: TaskChange | null;
  /** For the next window, when refused. */
  readonly refusal: string;
}

export interface StoredEvidence extends Evidence {
  readonly window: WindowId | null;
  readonly task: TaskKey;
  readonly at: number;
}

export interface StoredFinding extends Finding {
  readonly task: TaskKey;
  readonly window: WindowId;
}

/** How opening can end. Only `absent` may start afresh, and only where nothing points to an earlier file. */
export type StoreFault = "busy" | "unreadable" | "corrupt" | "newer-version" | "read-only" | "disk-full";

/** The kernel's lock on one working tree: held until released or until the process dies. */
export interface TreeLocks {
  acquire(worktree: string): Promise<{ readonly kind: "held"; release(): void } | { readonly kind: "busy" }>;
}
