/** Gathers the rows of a run for its report. */
import { blockedByFailed } from "../core/plan-order.ts";
import { buildReport, type Report } from "../core/report.ts";
import { describeAgent, guardOf } from "../core/run-settings.ts";
import type { Task } from "../core/task.ts";
import type { RunRecord, Store } from "../ports/store.ts";
import { readAttempts } from "./attempts.ts";
import { sandboxOf } from "./sandbox.ts";
import { spentInWindow } from "./spent.ts";

export async function runReport(store: Store, run: RunRecord, now: number): Promise<Report> {
  const [tasks, windows, questions, evidence, findings, sandbox] = await Promise.all([
    store.tasks(run.id),
    store.windows(run.id),
    store.questions({ run: run.id }),
    store.evidence(run.id),
    store.findings(run.id),
    sandboxOf(store, run.id),
  ]);
  const attempts = await readAttempts(store, run.id, new Map(windows.map(({ id, number }) => [id, number])));
  const inWindow = await spentInWindow(store, windows.find(({ state }) => state === "open") ?? null);
  return buildReport({
    run: run.id,
    worktree: run.worktree,
    branch: run.branch,
    agent: describeAgent(run.settings.agent),
    containment: run.settings.agent.containment,
    sandbox,
    attempts,
    guard: guardOf(run.settings.agent),
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    now,
    phase: run.phase,
    stopReason: run.stopReason,
    stopDetail: run.stopDetail,
    spentMicroUsd: run.state.spentMicroUsd + inWindow,
    capMicroUsd: run.settings.limits.runMicroUsd,
    windowCapMicroUsd: run.settings.limits.windowMicroUsd,
    unknownCostMicroUsd: run.settings.limits.unknownCostMicroUsd,
    unknownCostWindows: run.state.unknownCostWindows,
    waitedPersonMs: run.waitedPersonMs,
    waitedProviderMs: run.waitedProviderMs,
    tasks: withObstacles(tasks),
    questions,
    evidence,
    findings,
    windows: windows.flatMap(({ number, logPath, result }) =>
      result === null
        ? []
        : [{ ...result, number, logPath, exit: result.exit.kind, end: result.outcome.end.kind, detail: result.outcome.end.detail }],
    ),
  });
}

/** The tasks as people are shown them: one that a failed task holds up says so, since nothing else would. */
export function withObstacles(tasks: readonly Task[]): readonly Task[] {
  const obstacles = new Map(blockedByFailed(tasks).map(({ key, by }) => [key, by]));
  return tasks.map((task) => {
    const by = obstacles.get(task.key);
    return by === undefined ? task : { ...task, reason: `it comes after ${by}, which failed` };
  });
}
