/**
 * The supervisor of a batch: takes a seat, lets the dispatcher hand out jobs, carries each attempt out and writes down what came of it. It holds nothing that is not
 * in the store: killed at any step, whoever takes the seat next goes on from there.
 */
import type { AttemptVerdict } from "../../core/batch/attempt-end.ts";
import { afterRelease, mustPause, noTrouble, type Trouble } from "../../core/batch/trouble.ts";
import { MidwatchError } from "../../core/error.ts";
import { faultPoint } from "../../faults.ts";
import type { AttemptEnd, BatchCounts, JobClaim } from "../../ports/batch-store.ts";
import { createBooker } from "../calls/booker.ts";
import { createCallsOnTheWay } from "../calls/job-desk.ts";
import { runAttempt } from "./attempt.ts";
import { type BatchContext, type BatchPorts, batchFolder } from "./context.ts";
import { type BatchControl, createBatchControl } from "./control.ts";
import { createLingering } from "./lingering.ts";
import { takeSeat } from "./seat.ts";

export interface BatchEnd {
  /** `elsewhere`: what is left is in the hands of other supervisors. */
  readonly kind: "closed" | "paused" | "stopped" | "elsewhere";
  readonly reason: string;
  /** Of a pause that was ours. */
  readonly why?: Halt["why"];
  readonly counts: BatchCounts;
}

interface Halt {
  readonly why: "money" | "unpriced" | "provider";
  readonly reason: string;
}

export interface RunBatchOptions {
  readonly ports: BatchPorts;
  readonly name: string;
  readonly slots: number | null;
  readonly onStarted: (started: { readonly seat: string; readonly returned: number; readonly control: BatchControl }) => void;
  readonly onAttempt: (done: { readonly claim: JobClaim; readonly verdict: AttemptVerdict }) => void;
}

/** Carries a batch on until every job has ended, or until it is paused or stopped. */
export async function runBatch({ ports, name, slots, onStarted, onAttempt }: RunBatchOptions): Promise<BatchEnd> {
  const { store, clock } = ports;
  const batch = await mustFind(ports, name);
  const folder = batchFolder(ports.stateFolder, name);
  const seat = await takeSeat(ports, name);
  // Starting it is a person's word that it may go on.
  await store.batches.setRequest(name, "none", clock.now());
  if (batch.state === "paused") await store.batches.setState(name, "open", "", clock.now());
  const control = createBatchControl(ports, { name, stopFile: `${folder}/stop` });
  const context: BatchContext = {
    ...{ ports, batch, seat: seat.name, folder, control },
    ...{ booker: createBooker(store.ledger, clock.nextTurn), onTheWay: createCallsOnTheWay(), lingering: createLingering() },
  };
  try {
    await prepareWork(context);
    onStarted({ seat: seat.name, returned: seat.returned, control });
    return await work(context, slots ?? batch.settings.slots, onAttempt);
  } finally {
    await control.close();
    await context.lingering.settled(batch.settings.graceMs, clock);
    await ports.doors.close();
    seat.release();
  }
}

async function mustFind({ store }: BatchPorts, name: string) {
  const batch = await store.batches.batch(name);
  if (batch === null)
    throw new MidwatchError("usage", "E_BATCH_UNKNOWN", `there is no batch ${name}`, { hint: "see them with: midwatch batch status" });
  if (batch.state === "archived")
    throw new MidwatchError("usage", "E_BATCH_ARCHIVED", `batch ${name} is archived`, {
      hint: `bring it back with: midwatch batch restore ${name}`,
    });
  return batch;
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
  let trouble: Trouble = noTrouble;
  let halted: Halt | null = null;

  async function attempt(claim: JobClaim, lost: AbortSignal): Promise<void> {
    const verdict = await runAttempt(context, claim, AbortSignal.any([lost, endJobs.signal])).catch(failedByUs);
    faultPoint("attempt.before-finish");
    await store.batches.finish(claim, endOf(verdict), clock.now());
    faultPoint("attempt.finished");
    if (verdict.kind === "provider") trouble = afterRelease(trouble, verdict.reason, clock.now());
    else if (verdict.kind === "done") trouble = noTrouble;
    if (verdict.kind === "halt") await halt(verdict);
    else if (mustPause(trouble))
      await halt({ why: "provider", reason: `three jobs in a row met trouble of the provider; the last: ${trouble.reason}` });
    onAttempt({ claim, verdict });
  }

  async function halt(why: Halt): Promise<void> {
    if (halted !== null) return;
    halted = why;
    noMoreClaims.abort();
    await store.batches.setState(batch.name, "paused", why.reason, clock.now());
  }

  try {
    if (control.current() !== "none") noMoreClaims.abort();
    const end = await dispatcher.run({
      ...{ store: store.batches, batch: batch.name, seat, slots, leaseMs: batch.settings.leaseMs },
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

/** An error of ours is no fault of the job's. */
function failedByUs(error: unknown): AttemptVerdict {
  return { kind: "released", reason: error instanceof Error ? error.message : String(error) };
}

function endOf(verdict: AttemptVerdict): AttemptEnd {
  switch (verdict.kind) {
    case "done":
    case "failed":
      return verdict;
    case "released":
    case "provider":
    case "halt":
      return { kind: "released", reason: verdict.reason, notBefore: 0 };
  }
}

async function conclude(
  { ports, batch, control }: BatchContext,
  end: "nothing-left" | "stopped",
  halted: Halt | null,
): Promise<BatchEnd> {
  const { store, clock, notifier } = ports;
  const counts = await store.batches.counts(batch.name);
  if (halted !== null) {
    await notifier.notify({ kind: "stop", text: `batch ${batch.name} is paused: ${halted.reason}` });
    return { kind: "paused", ...halted, counts };
  }
  const state = (await store.batches.batch(batch.name))?.state;
  if (state === "paused" && end === "stopped" && control.current() === "none")
    return { kind: "paused", reason: "another supervisor paused it", counts };
  if (end === "stopped") return { kind: "stopped", reason: "a person said stop", counts };
  if (counts.pending + counts.running > 0) return { kind: "elsewhere", reason: "other supervisors hold what is left", counts };
  const reason = counts.failed === 0 ? `${counts.done} jobs are done` : `${counts.done} jobs are done, ${counts.failed} failed`;
  await store.batches.setState(batch.name, "closed", reason, clock.now());
  await notifier.notify({ kind: "stop", text: `batch ${batch.name}: ${reason}` });
  return { kind: "closed", reason, counts };
}
