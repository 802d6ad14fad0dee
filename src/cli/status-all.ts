/** `midwatch status --all`: the runs of this working tree, the newest first. */
import { describePlan } from "../core/run-settings.ts";
import { planStanding } from "../core/standing.ts";
import { isSupervised } from "../engine/people.ts";
import type { RunRecord, Store } from "../ports/store.ts";
import type { App } from "./app.ts";
import { existingStore, type JsonOption } from "./command.ts";
import { columns, wrap } from "./layout.ts";
import { count, json, money, painter, plain, pointInTime } from "./print.ts";

const most = 100;

export async function statusAllCommand(app: App, options: JsonOption): Promise<number> {
  const store = await existingStore(app);
  try {
    const runs = await store.runs({ worktree: app.treeTop(), limit: most });
    const processes = await app.processes("auto");
    const values = await Promise.all(runs.map((run) => describeRun(store, run, isSupervised(run, processes))));
    if (options.json) app.terminal.out(json({ runs: values }));
    else app.terminal.out(`${text(app, values)}\n`);
    return 0;
  } finally {
    await store.close();
  }
}

/** A plan's tasks outlive its runs: what a run closed itself is told by its windows. */
async function describeRun(store: Store, run: RunRecord, supervised: boolean) {
  const [windows, tasks] = await Promise.all([store.windows(run.id), store.tasks(run.id)]);
  return {
    run: run.id,
    plan: describePlan(run.settings.plan),
    branch: run.branch,
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    phase: run.phase,
    supervised,
    stopReason: run.stopReason,
    tasksClosed: windows.reduce((sum, { result }) => sum + (result?.tasksClosed.length ?? 0), 0),
    tasks: planStanding(tasks).total,
    windows: run.state.windows,
    spentMicroUsd: run.state.spentMicroUsd,
    capMicroUsd: run.settings.limits.runMicroUsd,
    unknownCostWindows: run.state.unknownCostWindows,
  };
}

type RunLine = Awaited<ReturnType<typeof describeRun>>;

function text(app: App, runs: readonly RunLine[]): string {
  const paint = painter(app.terminal);
  const now = app.clock.now();
  const rows = runs.map((run) => [
    pointInTime(run.startedAt, now),
    paint("bold", run.stopReason ?? (run.supervised || run.phase === "waiting-person" ? run.phase : "left")),
    `${run.tasksClosed} of ${count(run.tasks, "task")} closed`,
    count(run.windows, "window"),
    `${money(run.spentMicroUsd)}${run.unknownCostWindows === 0 ? "" : " (estimated)"}`,
    plain(run.plan),
    run.run,
  ]);
  const lines = columns(rows).map((line) => wrap(line, app.terminal.columns.out, 6));
  return [...lines, ...(runs.length === 0 ? ["no run yet: midwatch run"] : ["one of them: midwatch report --run ID"])].join("\n");
}
