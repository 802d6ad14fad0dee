/** `midwatch batch retry`: failed jobs on a person's word. Their attempts begin anew; what they paid before is not paid again. */
import { MidwatchError } from "../core/error.ts";
import type { Store } from "../ports/store.ts";
import type { App } from "./app.ts";
import { requireStored, withBatches } from "./batch-command.ts";
import type { JsonOption } from "./command.ts";
import { tell } from "./layout.ts";
import { count, json } from "./print.ts";

export async function batchRetryCommand(app: App, name: string, ids: readonly string[], flags: JsonOption): Promise<number> {
  return withBatches(app, async (store) => {
    await requireStored(store, name);
    for (const id of ids) await requireFailed(store, name, id);
    const retried = await store.batches.retry(name, [...new Set(ids)], app.clock.now());
    if (flags.json) app.terminal.out(json({ batch: name, retried }));
    else
      app.terminal.out(
        retried === 0 ? `no job of batch ${name} has failed\n` : `${count(retried, "job")} of batch ${name} will be tried again\n`,
      );
    if (retried > 0) tell(app.terminal, `start them with: midwatch batch run ${name}`);
    return 0;
  });
}

async function requireFailed(store: Store, name: string, id: string): Promise<void> {
  const job = await store.batches.job(name, id);
  if (job?.state === "failed") return;
  const what = job === null ? `batch ${name} has no job ${id}` : `job ${id} of batch ${name} is ${job.state}`;
  throw new MidwatchError("usage", "E_JOB_RETRY", `${what}: only a failed one is tried again`, {
    hint: `nothing was changed; see the failed ones with: midwatch batch report ${name}`,
  });
}
