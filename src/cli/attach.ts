/** Starts the run as a process of its own and shows it here. Leaving the view, or closing the terminal, never ends the run. */
import { exitCodeOfRun } from "../core/exit-codes.ts";
import { isSupervised } from "../engine/people.ts";
import { runReport } from "../engine/report.ts";
import type { RunRecord, Store } from "../ports/store.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { App, Runner } from "./app.ts";
import { showRun } from "./follow.ts";
import { painter } from "./print.ts";
import { reportText } from "./report.ts";

const lookMs = 50;

export async function attachRunner(app: App, { location }: Workspace, argv: readonly string[]): Promise<number> {
  const store = await app.openStore("write");
  if (store === null) return 1;
  try {
    const runner = await app.startRunner(argv, `${app.folders.state}/runner-${app.clock.now()}.log`);
    const run = await firstSight(app, store, location.top, runner);
    return run === null ? await refused(app, runner) : await view(app, store, run);
  } finally {
    await store.close();
  }
}

/** The run that the new process carries out; null when it ended without one. */
async function firstSight(app: App, store: Store, worktree: string, runner: Runner): Promise<RunRecord | null> {
  let ended = false;
  void runner.exited.then(() => {
    ended = true;
  });
  for (;;) {
    const over = ended;
    const [run] = await store.runs({ worktree, limit: 1 });
    if (run?.supervisor?.pid === runner.pid) return run;
    if (over) return null;
    await app.clock.sleep(lookMs);
  }
}

async function refused(app: App, runner: Runner): Promise<number> {
  app.terminal.err(await runner.readLog());
  return (await runner.exited) ?? 1;
}

async function view(app: App, store: Store, { id }: RunRecord): Promise<number> {
  const left = new AbortController();
  const stopListening = app.onSignal(() => left.abort());
  const processes = await app.processes("auto");
  const [recovered] = await store.recentEvents(id, "run.recovered", 1);
  const isOver = async () => {
    const run = await store.run(id);
    return run === null || !isSupervised(run, processes);
  };
  app.terminal.err("the run goes on without this terminal; Ctrl-C leaves the view, midwatch stop ends the run\n");
  await showRun(app, store, id, { after: recovered === undefined ? 0 : recovered.id - 1, json: false, isOver, signal: left.signal });
  stopListening();
  const run = await store.run(id);
  if (left.signal.aborted || run === null) {
    app.terminal.err("\nleft the view; the run goes on. See it: midwatch status. End it: midwatch stop\n");
    return 0;
  }
  app.terminal.out(`\n${reportText(await runReport(store, run, app.clock.now()), painter(app.terminal))}`);
  return exitCodeOfRun(run.phase, run.stopReason);
}
