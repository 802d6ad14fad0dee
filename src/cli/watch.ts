/** `midwatch watch`: the view of the run of this working tree, from its last window on. Leaving it changes nothing. */
import { isSupervised } from "../engine/people.ts";
import { runReport } from "../engine/report.ts";
import { runStatus } from "../engine/status.ts";
import type { RunRecord, Store } from "../ports/store.ts";
import type { App } from "./app.ts";
import { viewRun } from "./attach.ts";
import { type JsonOption, withRun } from "./command.ts";
import { showRun } from "./follow.ts";
import { tell, tellApart } from "./layout.ts";
import { painter, plain } from "./print.ts";
import { printReport } from "./report.ts";
import { headLine } from "./status.ts";

export function watchCommand(app: App, options: JsonOption): Promise<number> {
  return withRun(app, (store, run) => (options.json ? events(app, store, run) : view(app, store, run)));
}

async function view(app: App, store: Store, run: RunRecord): Promise<number> {
  const processes = await app.processes("auto");
  const status = await runStatus(store, processes, run);
  if (isSupervised(run, processes)) {
    tell(app.terminal, headLine(status, app.clock.now(), painter(app.terminal)));
    return viewRun(app, store, run.id, await lastWindow(store, run));
  }
  printReport(app, await runReport(store, run, app.clock.now()));
  const { phase, why } = status;
  if (phase !== "ended") tellApart(app.terminal, plain(why));
  return 0;
}

async function events(app: App, store: Store, run: RunRecord): Promise<number> {
  const left = new AbortController();
  const stopListening = app.onSignal(() => left.abort());
  const processes = await app.processes("auto");
  const isOver = async () => {
    const now = await store.run(run.id);
    return now === null || !isSupervised(now, processes);
  };
  await showRun(app, store, run.id, { after: await lastWindow(store, run), json: true, isOver, signal: left.signal });
  stopListening();
  return 0;
}

/** The event before the opening of the window that is open or was the last. */
async function lastWindow(store: Store, run: RunRecord): Promise<number> {
  const [opened] = await store.recentEvents(run.id, "window.opened", 1);
  return opened === undefined ? 0 : opened.id - 1;
}
