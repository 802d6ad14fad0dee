/** Starts the run as a process of its own and shows it here. Leaving the view, or closing the terminal, never ends the run. */
import { exitCodeOfRun } from "../core/exit-codes.ts";
import type { RunId } from "../core/ids.ts";
import { isSupervised } from "../engine/people.ts";
import { runReport } from "../engine/report.ts";
import { runStatus } from "../engine/status.ts";
import type { RunRecord, Store } from "../ports/store.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { App, Runner } from "./app.ts";
import { withMadeStore } from "./command.ts";
import { lastTakeUp, showRun } from "./follow.ts";
import { tell, tellApart } from "./layout.ts";
import { plain } from "./print.ts";
import { printReport } from "./report.ts";

const lookMs = 50;

export async function attachRunner(app: App, { location }: Workspace, argv: readonly string[]): Promise<number> {
  return withMadeStore(app, async (store) => {
    const runner = await app.startRunner(argv, `${app.folders.state}/runner-${app.clock.now()}.log`);
    const run = await firstSight(app, store, location.top, runner);
    return run === null ? withoutRun(app, runner) : viewRun(app, store, run.id, await lastTakeUp(store, run.id));
  });
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

/** It was refused, or there was nothing to do: its own words say which. */
async function withoutRun(app: App, runner: Runner): Promise<number> {
  app.terminal.err(await runner.readLog());
  return (await runner.exited) ?? 1;
}

/** @param after  the event behind which the view begins */
export async function viewRun(app: App, store: Store, id: RunId, after: number): Promise<number> {
  const left = new AbortController();
  const stopListening = app.onSignal(() => left.abort());
  const processes = await app.processes("auto");
  const isOver = async () => {
    const run = await store.run(id);
    return run === null || !isSupervised(run, processes);
  };
  tell(app.terminal, "the run goes on without this terminal; Ctrl-C leaves the view, midwatch stop ends the run");
  await showRun(app, store, id, { after, json: false, isOver, signal: left.signal });
  stopListening();
  const run = await store.run(id);
  if (run === null) return 0;
  if (left.signal.aborted) {
    tellApart(app.terminal, `${leftWords[run.phase]} Again: midwatch watch. End it: midwatch stop`);
    return 0;
  }
  app.terminal.out("\n");
  printReport(app, await runReport(store, run, app.clock.now()), { stop: run.phase === "ended" });
  if (run.phase !== "ended") tellApart(app.terminal, plain((await runStatus(store, processes, run)).why));
  // Neither ended nor waiting: its process died under the view.
  return run.phase === "running" ? 1 : exitCodeOfRun(run.phase, run.stopReason);
}

const leftWords: Readonly<Record<RunRecord["phase"], string>> = {
  running: "left the view; the run goes on.",
  "waiting-provider": "left the view; the run waits for the provider and goes on by itself.",
  "waiting-person": "left the view; the run waits for your answer (midwatch status).",
  paused: "left the view; the run stays paused. Go on: midwatch resume.",
  ended: "left the view; the run has ended.",
};
