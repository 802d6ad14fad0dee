/** `midwatch batch retry`: failed jobs on a person's word. Their attempts begin anew; what they paid is served again, or with `--anew` asked and paid once more. */
import { MidwatchError } from "../core/error.ts";
import { type AnewPrice, anewPrice } from "../engine/batch/anew.ts";
import type { Store } from "../ports/store.ts";
import type { App } from "./app.ts";
import { requireStored, withBatches } from "./batch-command.ts";
import type { JsonOption } from "./command.ts";
import { tell } from "./layout.ts";
import { count, exactMoney, json } from "./print.ts";

export interface BatchRetryFlags extends JsonOption {
  readonly anew?: boolean;
  readonly dryRun?: boolean;
}

export async function batchRetryCommand(app: App, name: string, ids: readonly string[], flags: BatchRetryFlags): Promise<number> {
  const { anew = false, dryRun = false } = flags;
  return withBatches(app, async (store) => {
    const batch = await requireStored(store, name);
    const wanted = [...new Set(ids)];
    for (const id of wanted) await requireFailed(store, name, id);
    const price = await anewPrice(store, batch, wanted);
    // Said before the mark: it is what the person's word is about.
    if (anew && price.jobs > 0 && !flags.json) tell(app.terminal, priceText(price));
    const retried = dryRun ? 0 : await store.batches.retry(name, wanted, app.clock.now(), anew ? "anew" : "again");
    if (flags.json)
      app.terminal.out(json({ batch: name, retried, ...(dryRun ? { failed: price.jobs } : {}), ...(anew ? { anew: price } : {}) }));
    else app.terminal.out(`${outcomeText({ name, jobs: dryRun ? price.jobs : retried, anew, dryRun })}\n`);
    if (!anew && price.calls > 0 && !flags.json)
      tell(
        app.terminal,
        `${count(price.calls, "recorded answer")} will be served again at no cost; with --anew the models are asked once more`,
      );
    if (retried > 0) tell(app.terminal, `start them with: midwatch batch run ${name}`);
    return 0;
  });
}

function priceText({ jobs, calls, costMicroUsd, mostMicroUsd, leftMicroUsd }: AnewPrice): string {
  if (calls === 0) return `of ${count(jobs, "job")} no answer is on record: asking anew pays what another try pays`;
  const asked = `${count(calls, "call")} of ${count(jobs, "job")} will be asked and paid again`;
  return `${asked}: they cost ${exactMoney(costMicroUsd)} before, now ${mostText(mostMicroUsd)}; the cap of the batch leaves ${exactMoney(leftMicroUsd)}. Nothing is paid before batch run`;
}

function mostText(mostMicroUsd: number | null): string {
  return mostMicroUsd === null ? "nobody knows how much, for one has no price" : `at most ${exactMoney(mostMicroUsd)}`;
}

interface Outcome {
  readonly name: string;
  readonly jobs: number;
  readonly anew: boolean;
  readonly dryRun: boolean;
}

function outcomeText({ name, jobs, anew, dryRun }: Outcome): string {
  if (jobs === 0) return `no job of batch ${name} has failed`;
  const verb = anew ? "be asked anew" : "be tried again";
  return `${count(jobs, "job")} of batch ${name} ${dryRun ? "would" : "will"} ${verb}${dryRun ? "; nothing was changed" : ""}`;
}

async function requireFailed(store: Store, name: string, id: string): Promise<void> {
  const job = await store.batches.job(name, id);
  if (job?.state === "failed") return;
  const what = job === null ? `batch ${name} has no job ${id}` : `job ${id} of batch ${name} is ${job.state}`;
  throw new MidwatchError("usage", "E_JOB_RETRY", `${what}: only a failed one is tried again`, {
    hint: `nothing was changed; see the failed ones with: midwatch batch report ${name}`,
  });
}
