/**
 * The supervisor of a batch: takes a seat, lets the dispatcher hand out jobs, carries each attempt out and writes down what came of it. It holds nothing that is not
 * in the store: killed at any step, whoever takes the seat next goes on from there.
 */
import type { AttemptVerdict } from "../../core/batch/attempt-end.ts";
import { archivedBatch, unknownBatch } from "../../core/batch/refusals.ts";
import { afterRelease, mustPause, noTrouble, type Trouble } from "../../core/batch/trouble.ts";
import { MidwatchError } from "../../core/error.ts";
import type { CapKind } from "../../core/money/cap.ts";
import { faultPoint } from "../../faults.ts";
import type { AttemptEnd, BatchCounts, JobClaim } from "../../ports/batch-store.ts";
import { createBooker } from "../calls/booker.ts";
import { createCallsOnTheWay } from "../calls/job-desk.ts";
import { type AttemptOutcome, runAttempt } from "./attempt.ts";
import { type BatchContext, type BatchPorts, batchFolder } from "./context.ts";
import { type BatchControl, createBatchControl } from "./control.ts";
import { createLingering } from "./lingering.ts";
import { type BatchMoney, batchMoney } from "./money.ts";
import { takeSeat } from "./seat.ts";
import { createSlotWaits } from "./slot-waits.ts";

export interface BatchEnd {
  /** `elsewhere`: what is left is in the hands of other supervisors. */
  readonly kind: "closed" | "paused" | "stopped" | "elsewhere";
  readonly reason: string;
  /** Of a pause that was ours. */
  readonly why?: Halt["why"];
  readonly counts: BatchCounts;
  readonly money: BatchMoney;
}

interface Halt {
  readonly why: "money" | "unpriced" | "provider";
  /** Which one, of `money`. */
  readonly cap?: CapKind;
  readonly reason: string;
}

export interface RunBatchOptions {
  readonly ports: BatchPorts;
  readonly name: string;
  readonly slots: number | null;
  readonly onStarted: (started: { readonly seat: string; readonly returned: number; readonly control: BatchControl }) => void;
  /** `money`: of the whole batch, now; null = the store is too busy to say. */
  readonly onAttempt: (done: { readonly claim: JobClaim; readonly verdict: AttemptVerdict; readonly money: BatchMoney | null }) => void;
}

/** Carries a batch on until every job has ended, or until it is paused or stopped. */
export async function runBatch({ ports, name, slots, onStarted, onAttempt }: RunBatchOptions): Promise<BatchEnd> {
  const { store, clock } = ports;
  const batch = (await store.batches.batch(name)) ?? unknownBatch(name);
  if (batch.state === "archived") throw archivedBatch(name, batch.archivedTo);
  const folder = batchFolder(ports.stateFolder, name);
  const seat = await takeSeat(ports, batch);
  // Starting it is a person's word that it may go on.
  await store.batches.setRequest(name, "none", clock.now());
  await store.batches.setWait(name, seat.name, null);
  if (batch.state === "paused") await store.batches.setState(name, "open", "", clock.now());
  const control = createBatchControl(ports, { name, stopFile: stopFile(folder) });
  const context: BatchContext = {
    ...{ ports, batch, seat: seat.name, folder, control },
    ...{ booker: createBooker(store.ledger, clock.nextTurn), onTheWay: createCallsOnTheWay(), lingering: createLingering() },
  };
  try {
    await prepareWork(context);
    await control.looked;
    onStarted({ seat: seat.name, returned: seat.returned, control });
    return await work(context, slots ?? batch.settings.slots, onAttempt);
  } finally {
    await control.close();
    await context.lingering.settled(batch.settings.graceMs, clock);
    await ports.doors.close();
    // An answer that could not be booked has left its row open, and nobody waits for it any more. Where the store fails, whoever takes the seat does it.
    await store.ledger.giveUp({ batch: name, seat: seat.name }, clock.now()).catch(() => undefined);
    seat.release();
  }
}

/** What our own program is told of a prompt batch; a command needs nothing. */
async function prepareWork({ ports, batch, folder }: BatchContext): Promise<void> {
  const { work: task } = batch.settings;
  if (task.kind === "prompt") await ports.files.writeAtomic(`${folder}/work.json`, JSON.stringify(task));
}

async function work(context: BatchContext, slots: number, onAttempt: RunBatchOptions["onAttempt"]): Promise<BatchEnd> {
  const { ports, batch, seat, control } = context;
  const { store, clock, dispatcher } = ports;
  const noMoreClaims = new AbortController();
  const endJobs = new AbortController();
  const stopListening = control.onChange((request) => {
    noMoreClaims.abort();
    if (request === "stop-now") endJobs.abort();
    else void clock.sleep(batch.settings.graceMs, endJobs.signal).then(() => endJobs.abort());
  });
  const waits = createSlotWaits(ports, batch.name, seat);
  let trouble: Trouble = noTrouble;
  let halted: Halt | null = null;

  async function attempt(claim: JobClaim, lost: AbortSignal): Promise<void> {
    const startedAt = clock.now();
    const outcome = await runAttempt(context, claim, AbortSignal.any([lost, endJobs.signal])).catch(brokenBy);
    faultPoint("attempt.before-finish");
    const isWritten = await writeEnd(context, claim, { end: endOf(outcome), lost });
    faultPoint("attempt.finished");
    if (isWritten) await see(outcome, startedAt);
    const money = await batchMoney(store, batch).catch(() => null); // it is told again after the next one
    onAttempt({ claim, verdict: isWritten ? verdictOf(outcome) : tooLate, money });
    if (!isWritten) return;
    if (outcome.kind === "halt") return halt(outcome);
    if (!mustPause(trouble)) return;
    if (outcome.kind === "broken") throw outcome.error;
    await halt({ why: "provider", reason: `three times in a row a job met trouble of the provider: ${trouble.reason}` });
  }

  /** At once, before any slot claims again. */
  async function see(outcome: Outcome, startedAt: number): Promise<void> {
    if (outcome.kind === "provider" || outcome.kind === "broken")
      trouble = afterRelease(trouble, { reason: outcome.reason, startedAt, now: clock.now() }, ports.waits);
    else if (outcome.kind === "done") trouble = noTrouble;
    await waits.tellTrouble(trouble, outcome.kind === "broken" ? "fault" : "provider");
  }

  async function halt(why: Halt): Promise<void> {
    if (halted !== null) return;
    halted = why;
    noMoreClaims.abort();
    await store.batches.setState(batch.name, "paused", why.reason, clock.now());
    if (why.cap !== undefined) await waits.tellCap(why.cap, why.reason);
  }

  try {
    if (control.current() !== "none") noMoreClaims.abort();
    const end = await dispatcher.run({
      ...{ store: store.batches, batch: batch.name, seat, slots, leaseMs: batch.settings.leaseMs },
      // Until then it may still be in the midst of being ended.
      jobMs: batch.settings.jobMs + 3 * batch.settings.graceMs,
      hold: () => Math.max(0, trouble.holdUntil - clock.now()),
      work: attempt,
      signal: noMoreClaims.signal,
    });
    return await conclude(context, end, halted);
  } finally {
    stopListening();
    endJobs.abort();
  }
}

/** `broken`: an error of ours, which is no fault of the job's. */
type Outcome = AttemptOutcome | { readonly kind: "broken"; readonly reason: string; readonly error: unknown };

function brokenBy(error: unknown): Outcome {
  return { kind: "broken", reason: error instanceof Error ? error.message : String(error), error };
}

function verdictOf(outcome: Outcome): AttemptVerdict {
  return outcome.kind === "broken" ? { kind: "released", reason: outcome.reason } : outcome;
}

const tooLate: AttemptVerdict = {
  kind: "released",
  reason: "its lease was lost, and nothing of it was written: the job is in other hands",
};

const againMs = 500;
/** A store that fails is asked so often, one that is busy for as long as the claim holds: the answer was paid for. */
const mostTries = 4;

interface Ending {
  readonly end: AttemptEnd;
  readonly lost: AbortSignal;
}

/** False = the claim does not hold any more. */
async function writeEnd({ ports }: BatchContext, claim: JobClaim, { end, lost }: Ending): Promise<boolean> {
  const { store, clock } = ports;
  for (let tries = 1; ; ) {
    try {
      return await store.batches.finish(claim, end, clock.now());
    } catch (error) {
      if (!(error instanceof MidwatchError) || lost.aborted || tries === mostTries) throw error;
      if (error.kind !== "busy") tries += 1;
      await clock.sleep(againMs, lost);
    }
  }
}

function endOf(outcome: Outcome): AttemptEnd {
  switch (outcome.kind) {
    case "done":
    case "failed":
      return outcome;
    case "released":
    case "provider":
    case "halt":
    case "broken":
      return { kind: "released", reason: outcome.reason, notBefore: 0 };
  }
}

async function conclude(
  { ports, batch, control, folder }: BatchContext,
  end: "nothing-left" | "stopped",
  halted: Halt | null,
): Promise<BatchEnd> {
  const { store, clock, notifier, files } = ports;
  const books = { counts: await store.batches.counts(batch.name), money: await batchMoney(store, batch) };
  const { counts } = books;
  if (halted !== null) {
    await notifier.notify({ kind: "stop", text: `batch ${batch.name} is paused: ${halted.reason}` });
    return { kind: "paused", why: halted.why, reason: halted.reason, ...books };
  }
  const now = await store.batches.batch(batch.name);
  if (now?.state === "paused" && end === "stopped" && control.current() === "none") return { kind: "paused", reason: now.reason, ...books };
  if (end === "stopped")
    return { kind: "stopped", reason: (await files.exists(stopFile(folder))) ? fileSaysStop(folder) : "a person said stop", ...books };
  if (counts.pending + counts.running > 0) return { kind: "elsewhere", reason: "other supervisors hold what is left", ...books };
  const reason = counts.failed === 0 ? `${counts.done} jobs are done` : `${counts.done} jobs are done, ${counts.failed} failed`;
  await store.batches.setState(batch.name, "closed", reason, clock.now());
  await notifier.notify({ kind: "stop", text: `batch ${batch.name}: ${reason}` });
  return { kind: "closed", reason, ...books };
}

const stopFile = (folder: string): string => `${folder}/stop`;
const fileSaysStop = (folder: string): string =>
  `the file ${stopFile(folder)} says stop; it goes on when that is removed and it is run again`;
