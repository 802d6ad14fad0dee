/** `midwatch batch run`: this process is a supervisor of the batch until every job has ended. One line an attempt, the rest in the store. */
import { MidwatchError } from "../core/error.ts";
import { exitCodeOfBatch } from "../core/exit-codes.ts";
import type { BatchMoney } from "../engine/batch/money.ts";
import { type BatchEnd, type RunBatchOptions, runBatch } from "../engine/batch/run-batch.ts";
import type { App } from "./app.ts";
import { type BatchCapFlags, setCaps } from "./batch-limits.ts";
import { moneyText } from "./batch-status.ts";
import type { JsonOption } from "./command.ts";
import { treeTopOrNull, withMadeStore } from "./command.ts";
import { count, exactMoney, painter, plain } from "./print.ts";

export interface BatchRunFlags extends JsonOption, BatchCapFlags {
  readonly slots?: string;
}

export async function batchRunCommand(app: App, name: string, flags: BatchRunFlags): Promise<number> {
  const slots = slotsOf(flags.slots);
  const { jobs, retention, batch: today } = await app.loadConfig(treeTopOrNull(app), []);
  return withMadeStore(app, async (store) => {
    await app.tidy(store, retention);
    await setCaps(app, { store, name, flags, today });
    const show = createShow(app, flags.json === true);
    const end = await superviseBatch(app, { ports: await app.batchPorts({ store, jobs }), name, slots, show });
    show.ended(end);
    return exitCodeOfBatch(end);
  });
}

interface Supervision extends Pick<RunBatchOptions, "ports" | "name" | "slots"> {
  readonly show: Pick<ReturnType<typeof createShow>, "started" | "attempt">;
}

/** Until it ends; signals are a person's word to it. */
export async function superviseBatch(app: App, { show, ...options }: Supervision): Promise<BatchEnd> {
  let stopListening = () => {};
  try {
    return await runBatch({
      ...{ ...options, onAttempt: show.attempt },
      onStarted(started) {
        stopListening = app.onSignal(() => started.control.say(started.control.current() === "none" ? "stop" : "stop-now"));
        show.started({ ...started, models: options.ports.modelDetail });
      },
    });
  } finally {
    stopListening();
  }
}

export function slotsOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9]\d?$/.test(text) && Number(text) <= 64) return Number(text);
  throw new MidwatchError("usage", "E_SLOTS", `--slots ${JSON.stringify(text)} is no number from 1 to 64`);
}

const nextSteps = {
  money: "batch run with a larger --cap or other limits.day and limits.month in your settings, or once the day or month is over",
  unpriced: "midwatch prices set, then batch run",
  provider: "batch run, once the provider serves again",
} as const;

/** Small amounts to the last digit: a night is watched from its first call on. */
function totalText({ spentMicroUsd, heldMicroUsd, capMicroUsd }: BatchMoney): string {
  const held = heldMicroUsd === 0 ? "" : `, ${exactMoney(heldMicroUsd)} held`;
  return `${exactMoney(spentMicroUsd)} of ${exactMoney(capMicroUsd)}${held}`;
}

type Started = Parameters<RunBatchOptions["onStarted"]>[0] & { readonly models: string };

export function createShow(app: App, asJson: boolean) {
  const { terminal } = app;
  const paint = painter(terminal);
  const line = (value: object, text: string) => (asJson ? terminal.out(`${JSON.stringify(value)}\n`) : terminal.err(`${text}\n`));
  return {
    started({ seat, returned, models }: Started): void {
      line(
        { kind: "started", seat, returned, models },
        `seat ${seat}${returned === 0 ? "" : `: ${count(returned, "job")} went back to the list`}; calls go ${plain(models)}`,
      );
    },
    attempt({ claim, verdict, money }: Parameters<RunBatchOptions["onAttempt"]>[0]): void {
      const { id: job, attempt, slot } = claim;
      const reason = "reason" in verdict ? plain(verdict.reason) : "";
      const style = verdict.kind === "done" ? "green" : "yellow";
      line(
        { kind: "attempt", job, attempt, slot, end: verdict.kind, reason, money },
        `slot ${slot}  ${job}  ${paint(style, verdict.kind)}${attempt > 1 ? `, attempt ${attempt}` : ""}${reason === "" ? "" : `: ${reason}`}${money === null ? "" : paint("dim", `  ${totalText(money)}`)}`,
      );
    },
    ended(end: BatchEnd): void {
      if (asJson) line({ end }, "");
      else
        terminal.out(
          `${end.kind}: ${plain(end.reason)} (${end.counts.done} done, ${end.counts.pending} pending, ${end.counts.running} running, ${end.counts.failed} failed)\n  money: ${moneyText(end)}\n${end.why === undefined ? "" : `  next: ${nextSteps[end.why]}\n`}`,
        );
    },
  };
}
