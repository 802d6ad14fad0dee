/** Gathers the rows of a run for its report. */

import type { RunId } from "../core/ids.ts";
import { blockedByFailed } from "../core/plan-order.ts";
import { type BroughtSettings, buildReport, type Report } from "../core/report.ts";
import { describeAgent, guardOf } from "../core/run-settings.ts";
import type { Task } from "../core/task.ts";
import type { RunRecord, Store, StoredEvent } from "../ports/store.ts";
import { readAttempts } from "./attempts.ts";
import { sandboxOf } from "./sandbox.ts";
import { spentInWindow } from "./spent.ts";

export async function runReport(store: Store, run: RunRecord, now: number): Promise<Report> {
  const [tasks, windows, questions, evidence, findings, repositorySettings, sandbox] = await Promise.all([
    store.tasks(run.id),
    store.windows(run.id),
    store.questions({ run: run.id }),
    store.evidence(run.id),
    store.findings(run.id),
    broughtSettings(store, run.id),
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
    repositorySettings,
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

const mostChanges = 100;

async function broughtSettings(store: Store, run: RunId): Promise<BroughtSettings | null> {
  const [found, changes] = await Promise.all([
    store.recentEvents(run, "settings.found", 1),
    store.recentEvents(run, "settings.changed", mostChanges),
  ]);
  const files = namesIn(found);
  const changed = namesIn(changes);
  if (files.length === 0 && changed.length === 0) return null;
  return { how: found[0]?.data["how"] === "ignored" ? "ignored" : "approved", files, changed };
}

function namesIn(events: readonly StoredEvent[]): readonly string[] {
  const names = events.flatMap(({ data }) => (Array.isArray(data["files"]) ? data["files"].map(String) : []));
  return [...new Set(names)];
}

/** The tasks as people are shown them: one that a failed task holds up says so, since nothing else would. */
export function withObstacles(tasks: readonly Task[]): readonly Task[] {
  const obstacles = new Map(blockedByFailed(tasks).map(({ key, by }) => [key, by]));
  return tasks.map((task) => {
    const by = obstacles.get(task.key);
    return by === undefined ? task : { ...task, reason: `it comes after ${by}, which failed` };
  });
}
