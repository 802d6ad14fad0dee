/**
 * Batches and jobs: correctness. Each method is one transaction, durable when it resolves. Who runs what, when and where is the Dispatcher's; whatever it delivers twice
 * or too late, the fencing number here lets only one of them write. Times and leases are taken inside the transaction from `now`, which is read after the lock is had.
 */
import type { JobState } from "../core/batch/job.ts";
import type { Moment } from "../core/batch/lease.ts";
import type { BatchSettings } from "../core/batch/settings.ts";

export interface NewBatch {
  readonly name: string;
  readonly version: string;
  readonly settings: BatchSettings;
}

export interface BatchRecord extends NewBatch {
  /** closed: every job is done or failed. archived: its rows lie in a file of their own; keys and sums stay. */
  readonly state: "open" | "paused" | "closed" | "archived";
  readonly reason: string;
  /** What a person asked of its supervisors. */
  readonly request: "none" | "stop" | "stop-now";
  readonly addedAt: number;
  readonly closedAt: number | null;
  readonly archivedTo: string | null;
}

export interface NewJob {
  /** The person's own id, or the line number. */
  readonly id: string;
  /** JSON text of the job, as it will be given to the program. */
  readonly payload: string;
}

export interface Added {
  readonly added: number;
  /** Were there already, with the same content. */
  readonly known: number;
  /** Ids that are there with another content, the first hundred of them: nothing of the whole list was added then. */
  readonly changed: readonly string[];
}

/** The right to work on one job, by one attempt. */
export interface JobClaim {
  readonly batch: string;
  readonly id: string;
  /** `batch:job:version`. */
  readonly key: string;
  readonly payload: string;
  readonly attempt: number;
  readonly fence: number;
  readonly round: number;
  /** `seat.slot` of whoever holds it. */
  readonly slot: string;
}

export type AttemptEnd =
  | { readonly kind: "done"; readonly answer: Uint8Array }
  /** It counts. `forGood`: another try would meet the same, so the job is failed whatever attempts are left. */
  | { readonly kind: "failed"; readonly reason: string; readonly forGood?: true; readonly output?: FailedOutput }
  /** It does not count (E10, or a stop): given back until `notBefore`. */
  | { readonly kind: "released"; readonly reason: string; readonly notBefore: number };

/** What a failed attempt left behind, bounded and without keys; hostile text all the same. */
export interface FailedOutput {
  /** The beginning of what it gave as its answer; null = nothing, or it could not be read. */
  readonly answer: string | null;
  /** Of the whole answer; at least so many where it was over the bound. */
  readonly answerBytes: number;
  /** Its end. */
  readonly stderr: string;
}

export interface JobFailure extends FailedOutput, Pick<AttemptRecord, "attempt" | "fence" | "round" | "reason"> {
  readonly endedAt: number;
}

export interface JobRecord {
  readonly batch: string;
  readonly id: string;
  readonly key: string;
  readonly state: JobState;
  readonly attempts: number;
  readonly fence: number;
  /** How often a person has had its models asked anew, from 0. */
  readonly round: number;
  readonly slot: string | null;
  /** Why it failed, or what its last attempt ended with. */
  readonly reason: string;
  readonly notBefore: number;
  readonly addedAt: number;
  readonly endedAt: number | null;
}

export interface AttemptRecord {
  readonly attempt: number;
  readonly fence: number;
  readonly round: number;
  readonly slot: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** `returned`: its slot died, or its lease ended. */
  readonly end: "running" | "done" | "failed" | "released" | "returned";
  readonly reason: string;
}

export interface BatchCounts {
  readonly pending: number;
  readonly running: number;
  readonly done: number;
  readonly failed: number;
  /** Attempts over all jobs, those before a retry included, released ones not. */
  readonly attempts: number;
}

/** Until when the slots of a seat begin nothing, as its supervisor tells it. */
export interface SlotWait {
  readonly seat: string;
  /** `fault`: ours. `money`: a day's or month's cap paused the batch. */
  readonly kind: "provider" | "fault" | "money";
  readonly until: number;
  readonly reason: string;
}

export interface RunningLease {
  readonly slot: string;
  /** By the wall clock. */
  readonly until: number;
}

export interface BatchStore {
  /** The same name again adds to it; @returns null when it is there with other settings or another version */
  addBatch(batch: NewBatch, now: number): Promise<BatchRecord | null>;
  /** Both at once: a new batch is there when its whole list is. @returns null as `addBatch` does */
  addList(batch: NewBatch, jobs: Iterable<NewJob>, now: number): Promise<Added | null>;
  /**
   * The list is read once, is written in parts between which others write, and is never held whole. Its jobs are there all at once in the end, or none of them: nothing is
   * added where an id is there with another content. New jobs open a batch again that is closed. Throws MidwatchError kind usage where there is no such batch, and busy
   * when another process begins to add to it in the meantime: whoever comes last is the one who adds.
   */
  addJobs(batch: string, jobs: Iterable<NewJob>, now: number): Promise<Added>;
  batch(name: string): Promise<BatchRecord | null>;
  batches(): Promise<readonly BatchRecord[]>;
  counts(batch: string): Promise<BatchCounts>;
  setState(batch: string, state: "open" | "paused" | "closed", reason: string, now: number): Promise<void>;
  /** On a person's word only: other caps, slots or times. What the work is does not change. */
  setSettings(batch: string, settings: BatchSettings, now: number): Promise<void>;
  setRequest(batch: string, request: BatchRecord["request"], now: number): Promise<void>;
  /** Cheap enough to be asked four times a second. */
  request(batch: string): Promise<BatchRecord["request"]>;

  /** What a seat left running goes back, or becomes failed after its last attempt. Only whoever holds the seat's lock may call it. Their number. */
  returnSeat(batch: string, seat: string, now: Moment): Promise<number>;
  /** First every expired lease of the batch goes back; then one pending job is taken, in the order of the list. Null = none is to be had now.
   * The claim outlives the process; a power cut, which ends every holder, only once anything was written after it. */
  claim(batch: string, slot: string, leaseMs: number, now: () => Moment): Promise<JobClaim | null>;
  /** Renews all of them in one transaction; @returns those that are lost */
  renew(claims: readonly JobClaim[], leaseMs: number, now: () => Moment): Promise<readonly JobClaim[]>;
  /** Writes only if the claim still holds; false = it does not, and nothing was changed. */
  finish(claim: JobClaim, end: AttemptEnd, now: number): Promise<boolean>;
  /** When the next pending job may be claimed (0 = now), or the next lease ends, by the wall clock; null = every job has ended. */
  nextChangeAt(batch: string): Promise<number | null>;
  /**
   * Failed jobs on a person's word; empty = all failed ones. Their attempts begin anew, and a closed batch is open again. Their number.
   * @param how  `anew` = each in its next round: nothing that was paid for it before is served again
   */
  retry(batch: string, ids: readonly string[], now: number, how?: "again" | "anew"): Promise<number>;

  /** For whoever looks; decides nothing. Null = it waits for nothing. All are void when the batch is opened or closed, a seat's when it is taken. */
  setWait(batch: string, seat: string, wait: Omit<SlotWait, "seat"> | null): Promise<void>;
  waits(batch: string): Promise<readonly SlotWait[]>;
  /** Of the jobs that run. */
  leases(batch: string): Promise<readonly RunningLease[]>;

  job(batch: string, id: string): Promise<JobRecord | null>;
  /** In the order of the list. */
  jobs(
    batch: string,
    filter: { readonly state?: JobState; readonly after?: string; readonly limit: number },
  ): Promise<readonly JobRecord[]>;
  payload(batch: string, id: string): Promise<string | null>;
  attempts(batch: string, id: string): Promise<readonly AttemptRecord[]>;
  answer(batch: string, id: string): Promise<Uint8Array | null>;
  /** The last attempt that failed and left something; null = none did. It stays when a later one is done. */
  failure(batch: string, id: string): Promise<JobFailure | null>;
}
