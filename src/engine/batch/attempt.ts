/** One attempt of a job: its door, its process, its answer. What came of it is core's to judge; what it paid is in the ledger whatever comes of it. */
import { type AttemptVerdict, judgeAttempt, type LeftAnswer } from "../../core/batch/attempt-end.ts";
import type { BatchSettings } from "../../core/batch/settings.ts";
import type { Cap, Scope } from "../../core/money/cap.ts";
import { faultPoint } from "../../faults.ts";
import type { JobClaim } from "../../ports/batch-store.ts";
import type { CallDesk } from "../../ports/calls.ts";
import { describeRefusal, type Refusal } from "../calls/desk.ts";
import { createJobDesk } from "../calls/job-desk.ts";
import { createAnswerText } from "./answer-text.ts";
import type { BatchContext } from "./context.ts";
import { describeTrouble } from "./provider-trouble.ts";
import { slotMark } from "./seat.ts";

/** @param signal  aborts when the lease is lost or the batch is stopped now */
export async function runAttempt(context: BatchContext, claim: JobClaim, signal: AbortSignal): Promise<AttemptVerdict> {
  const { ports, folder } = context;
  const slotFolder = `${folder}/slots/${claim.slot}`;
  const places = { job: `${slotFolder}/job.json`, answer: `${slotFolder}/answer` };
  await ports.files.remove(places.answer);
  await ports.files.writeAtomic(places.job, claim.payload);
  const money = openDesk(context, claim);
  const door = await ports.doors.open(null, money.desk);
  try {
    faultPoint("attempt.before-start");
    const env = { ...ports.jobEnv, ...ports.models(door.modelUrls, door.token), ...jobEnvironment(claim, places) };
    const { end, text } = await runProcess(context, claim, { env, signal });
    const answer = await readAnswer(context, places.answer, text);
    faultPoint("attempt.ended");
    const refusal = money.refusal();
    return judgeAttempt({
      end,
      answer,
      refused: refusal === null ? null : { by: refusal.kind === "cap" ? refusal.cap.kind : refusal.kind, detail: describeRefusal(refusal) },
      providerTrouble: money.trouble(),
      wasStopped: signal.aborted,
    });
  } finally {
    money.desk.shut();
    // An answer that is still on its way is read to its end and booked; the next attempt asks for it. Nobody waits for it here.
    context.lingering.add(door.close());
  }
}

function openDesk({ ports, batch, booker, onTheWay }: BatchContext, { key, attempt, fence }: JobClaim) {
  const { settings, name } = batch;
  let refusal: Refusal | null = null;
  let trouble: string | null = null;
  const parts = { booker, prices: ports.prices, clock: ports.clock, newCallId: ports.ids.newCallId, unpriced: settings.unpriced };
  const desk = createJobDesk(parts, {
    owner: { kind: "job", batch: name, job: key, attempt, fence },
    matching: settings.matching,
    onDivergence: settings.onDivergence,
    volatileFields: settings.volatile,
    scopes: (date) => scopesOf(name, key, date),
    caps: (date) => capsOf(settings, scopesOf(name, key, date)),
    onTheWay,
    refused(why) {
      if (why.kind !== "over") refusal ??= why;
    },
    closed(result) {
      trouble = describeTrouble(result);
    },
  });
  return { desk: desk satisfies CallDesk, refusal: () => refusal as Exclude<Refusal, { kind: "over" }> | null, trouble: () => trouble };
}

function scopesOf(batch: string, job: string, date: string): readonly Scope[] {
  return [
    { kind: "job", id: job },
    { kind: "batch", id: batch },
    { kind: "day", id: date },
    { kind: "month", id: date.slice(0, 7) },
  ];
}

function capsOf(settings: BatchSettings, scopes: readonly Scope[]): readonly Cap[] {
  const limitOf: Readonly<Partial<Record<Scope["kind"], number | null>>> = {
    job: settings.jobMicroUsd,
    batch: settings.batchMicroUsd,
    day: settings.dayMicroUsd,
    month: settings.monthMicroUsd,
  };
  const scoped = scopes.flatMap(({ kind, id }) => {
    const microUsd = limitOf[kind] ?? null;
    return microUsd === null ? [] : [{ kind, id, microUsd }];
  });
  return settings.callMicroUsd === null ? scoped : [{ kind: "call", id: "", microUsd: settings.callMicroUsd }, ...scoped];
}

interface Places {
  readonly job: string;
  readonly answer: string;
}

function jobEnvironment({ batch, id, key, attempt }: JobClaim, { job, answer }: Places): Readonly<Record<string, string>> {
  return {
    MIDWATCH_BATCH: batch,
    MIDWATCH_JOB: id,
    MIDWATCH_JOB_KEY: key,
    MIDWATCH_ATTEMPT: String(attempt),
    MIDWATCH_JOB_FILE: job,
    MIDWATCH_ANSWER_FILE: answer,
  };
}

async function runProcess(
  { ports, batch, folder }: BatchContext,
  claim: JobClaim,
  { env, signal }: { readonly env: Readonly<Record<string, string>>; readonly signal: AbortSignal },
) {
  const { settings } = batch;
  const text = createAnswerText(settings.maxAnswerBytes);
  const child = ports.processes.start({
    command: settings.work.kind === "command" ? settings.work.command : [...ports.ownCommand, "batch", "answer", `${folder}/work.json`],
    cwd: settings.cwd,
    env,
    input: claim.payload,
    mark: slotMark(claim.batch, claim.slot),
    limits: { wallMs: settings.jobMs, idleMs: null, graceMs: settings.graceMs },
    containment: "agent",
    log: { path: `${ports.logFolder}/${claim.batch}.${claim.slot}.log`, maxBytes: settings.maxAnswerBytes },
    onLine: (line, cut) => {
      text.add(line, cut);
      return "work";
    },
  });
  const stop = () => child.stop("stopped", "now");
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  const end = await child.end;
  signal.removeEventListener("abort", stop);
  return { end, text: text.read() };
}

/** What the file holds, where the program wrote one; else what it printed. */
async function readAnswer({ ports, batch }: BatchContext, path: string, printed: LeftAnswer): Promise<LeftAnswer> {
  const file = await ports.files.readBytes(path, batch.settings.maxAnswerBytes);
  switch (file.kind) {
    case "absent":
      return printed;
    case "bytes":
      return file.bytes.length === 0 ? printed : { kind: "answer", bytes: file.bytes };
    case "too-large":
      return { kind: "too-large", mostBytes: batch.settings.maxAnswerBytes };
    case "unreadable":
      return file;
  }
}
