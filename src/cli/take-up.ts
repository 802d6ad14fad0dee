/** An unfinished run is taken up again: what a person should know of it beforehand. */
import { MidwatchError } from "../core/error.ts";
import type { RunSettings } from "../core/run-settings.ts";
import { changedSettings } from "../core/settings-change.ts";
import type { Task } from "../core/task.ts";
import { unfinishedRun } from "../engine/start-run.ts";
import type { RunRecord, Store } from "../ports/store.ts";
import type { App } from "./app.ts";
import { tell } from "./layout.ts";
import { count, plain, spending } from "./print.ts";

/** The unfinished run of this tree; null = there is none. Makes no store. */
export function readLeft(app: App, worktree: string): Promise<RunRecord | null> {
  return withStore(app, null, (store) => unfinishedRun(store, worktree));
}

export function leftTasks(app: App, { id }: RunRecord): Promise<readonly Task[]> {
  return withStore(app, [], (store) => store.tasks(id));
}

/** Reads what there is; without a store the answer is `otherwise`, and none is made. */
export async function withStore<T>(app: App, otherwise: T, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await app.findStore();
  if (store === null) return otherwise;
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** `resume` keeps the settings that the run has: it says so where the config says something else by now. */
export async function sayWhatChanged(app: App, worktree: string, isAlive: boolean): Promise<void> {
  const left = await readLeft(app, worktree);
  const change = left === null ? null : await configChange(app, left);
  if (change === null) return;
  tell(app.terminal, `${change}. For today's: ${isAlive ? "midwatch stop, then midwatch run" : "midwatch run instead of resume"}`);
}

async function configChange(app: App, left: RunRecord): Promise<string | null> {
  const now = await configNow(app, left);
  if (typeof now === "string") return `the settings cannot be read now (${plain(now)}): the run keeps the ones it has`;
  // Stored are settings without their secrets.
  const names = changedSettings(left.settings, app.redactor.value(now));
  return names.length === 0 ? null : `the settings are others now (${names.join(", ")}): the run keeps those that it was started with`;
}

/** What a run of the same plan would be started with; else why the config does not read. */
async function configNow(app: App, left: RunRecord): Promise<RunSettings | string> {
  try {
    const { plan } = left.settings;
    return await (await app.loadConfig(left.worktree, [])).settings(plan);
  } catch (error) {
    if (error instanceof MidwatchError && error.kind === "config") return error.message;
    throw error;
  }
}

/** For `run --dry-run` and `doctor`: where the run stands that would be taken up. */
export function describeLeft({ id, phase, state, settings }: RunRecord): string {
  const spent = spending(state.spentMicroUsd, settings.limits.runMicroUsd, state.unknownCostWindows);
  return `run ${id}: ${phaseWords[phase]}, ${count(state.windows, "window")} of ${settings.limits.windows} used, ${spent}`;
}

const phaseWords: Readonly<Record<RunRecord["phase"], string>> = {
  running: "it was left in the middle",
  "waiting-person": "it waits for a person",
  "waiting-provider": "it waited for the provider",
  paused: "it was paused",
  ended: "it has ended",
};
