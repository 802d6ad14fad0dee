/** What all commands share: finding the run that is meant, and the store it is in. */
import { MidwatchError } from "../core/error.ts";
import type { RunRecord, Store } from "../ports/store.ts";
import type { App } from "./app.ts";

export interface JsonOption {
  readonly json?: boolean;
}

/** For commands that need no working tree, and regard the one that is there. */
export function treeTopOrNull(app: App): string | null {
  try {
    return app.treeTop();
  } catch {
    return null; // there is none
  }
}

/** The store, or the one line that says that there is nothing yet. */
export async function existingStore(app: App): Promise<Store> {
  const store = await app.findStore();
  if (store === null) throw nothingYet();
  return store;
}

/** Runs `work` on the store, which is made where there is none, and closes it whatever happens. */
export async function withMadeStore<T>(app: App, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await app.makeStore();
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Runs `work` on the latest run of the current working tree, and closes the store whatever happens. */
export async function withRun<T>(app: App, work: (store: Store, run: RunRecord) => Promise<T>): Promise<T> {
  const store = await existingStore(app);
  try {
    const [run] = await store.runs({ worktree: app.treeTop(), limit: 1 });
    if (run === undefined) throw nothingYet();
    return await work(store, run);
  } finally {
    await store.close();
  }
}

function nothingYet(): MidwatchError {
  return new MidwatchError("usage", "E_NO_RUN", "there is no run in this working tree yet", { hint: "start one with: midwatch run" });
}
