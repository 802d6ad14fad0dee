/** One attempt of a job: its door, its process, its answer. What came of it is core's to judge; what it paid is in the ledger whatever comes of it. */
import { type AttemptVerdict, judgeAttempt, type LeftAnswer } from "../../core/batch/attempt-end.ts";
import { faultPoint } from "../../faults.ts";
import type { FailedOutput, JobClaim } from "../../ports/batch-store.ts";
import { describeRefusal } from "../calls/desk.ts";
import { createAnswerText } from "./answer-text.ts";
import type { BatchContext } from "./context.ts";
import { failedOutput } from "./failed-output.ts";
import { openJobMoney } from "./job-money.ts";
import { slotFolder, slotMark } from "./seat.ts";

/** A failed one with what it left behind. */
export type AttemptOutcome =
  | Exclude<AttemptVerdict, { kind: "failed" }>
  | (Extract<AttemptVerdict, { kind: "failed" }> & { readonly output: FailedOutput });

/** Rejects with an error of ours, where it is no fault of the job's that there is no answer. @param signal  aborts when the lease is lost or the batch is stopped now */
export async function runAttempt(context: BatchContext, claim: JobClaim, signal: AbortSignal): Promise<AttemptOutcome> {
  const { ports, folder } = context;
  const own = slotFolder(folder, claim.slot);
  const places = { job: `${own}/job.json`, answer: `${own}/answer` };
  await ports.files.remove(places.answer);
  await ports.files.writeAtomic(places.job, claim.payload);
  const money = openJobMoney(context, claim);
  const door = await ports.doors.open(null, money.desk);
  try {
    faultPoint("attempt.before-start");
    const env = { ...ports.jobEnv, ...ports.models(door.modelUrls, door.token), ...jobEnvironment(claim, places) };
    const { end, text } = await runProcess(context, claim, { env, signal });
    const answer = await readAnswer(context, places.answer, text);
    faultPoint("attempt.ended");
    const refusal = money.refusal();
    const verdict = judgeAttempt({
      end,
      answer,
      refused: refusal === null ? null : { by: refusal.kind === "cap" ? refusal.cap.kind : refusal.kind, detail: describeRefusal(refusal) },
      providerTrouble: money.trouble(),
      wasStopped: signal.aborted,
    });
    const failure = money.bookFailure();
    if (failure !== null && verdict.kind !== "done" && verdict.kind !== "released") throw failure.error;
    return verdict.kind === "failed" ? { ...verdict, output: failedOutput(end, answer) } : verdict;
  } finally {
    money.desk.shut();
    // An answer that is still on its way is read to its end and booked; the next attempt asks for it. Nobody waits for it here.
    context.lingering.add(door.close());
  }
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
  const logPath = `${ports.logFolder}/${claim.batch}.${claim.slot}.log`;
  await ports.files.remove(logPath); // it tells of the slot's last job
  const child = ports.processes.start({
    command: settings.work.kind === "command" ? settings.work.command : [...ports.ownCommand, "batch", "answer", `${folder}/work.json`],
    cwd: settings.cwd,
    env,
    input: claim.payload,
    mark: slotMark(batch, claim.slot),
    limits: { wallMs: settings.jobMs, idleMs: null, graceMs: settings.graceMs },
    containment: "agent",
    log: { path: logPath, maxBytes: settings.maxAnswerBytes, redacting: ports.redactor.stream() },
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
