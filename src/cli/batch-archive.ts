/** `midwatch batch archive` and `restore`: a batch that has ended, in a file of its own and back. */
import type { App } from "./app.ts";
import { requireBatch, withBatches } from "./batch-command.ts";
import type { JsonOption } from "./command.ts";
import { tell } from "./layout.ts";
import { count, json } from "./print.ts";

export async function batchArchiveCommand(app: App, name: string, flags: JsonOption): Promise<number> {
  return withBatches(app, async (store) => {
    await requireBatch(store, name);
    const path = await store.archive.archive(name, app.clock.now());
    if (flags.json) app.terminal.out(json({ batch: name, archivedTo: path }));
    else app.terminal.out(`batch ${name} lies in ${path}\n`);
    tell(app.terminal, "its keys, calls and sums stay: nothing of it is ever paid again, and midwatch batch prove still answers");
    return 0;
  });
}

export async function batchRestoreCommand(app: App, name: string, flags: JsonOption): Promise<number> {
  return withBatches(app, async (store) => {
    await requireBatch(store, name);
    const jobs = await store.archive.restore(name);
    if (flags.json) app.terminal.out(json({ batch: name, jobs }));
    else app.terminal.out(`batch ${name} is back: ${count(jobs, "job")}\n`);
    return 0;
  });
}
