/** What a batch stands on. */
import { mkdir } from "node:fs/promises";
import { createFiles } from "../adapters/files/files.ts";
import { createTreeLocks } from "../adapters/locks/tree-lock.ts";
import { createBell } from "../adapters/notify/bell.ts";
import { createProcesses } from "../adapters/processes/processes.ts";
import { createIds } from "../adapters/system/ids.ts";
import type { App, LoadedConfig } from "../cli/app.ts";
import type { ModelAccess } from "../config/model-access.ts";
import type { BatchPorts } from "../engine/batch/context.ts";
import { createPollDispatcher } from "../engine/batch/poll-dispatcher.ts";
import { createDoors } from "../gateway/door-server.ts";
import type { Store } from "../ports/store.ts";
import { gatewayModels, openPrices } from "./models.ts";
import { programOf } from "./process.ts";

export interface BatchParts extends Pick<App, "terminal" | "clock" | "redactor"> {
  readonly store: Store;
  readonly jobs: LoadedConfig["jobs"];
  /** Folders: of the store and all that belongs to it, and of the prices. */
  readonly place: { readonly state: string; readonly prices: string };
  readonly access: ModelAccess;
}

export async function batchPorts({ store, jobs, terminal, clock, redactor, place, access }: BatchParts): Promise<BatchPorts> {
  const ids = createIds(clock.now);
  const logFolder = `${place.state}/logs`;
  await mkdir(logFolder, { recursive: true, mode: 0o700 });
  return {
    store,
    redactor,
    dispatcher: createPollDispatcher({ clock, random: ids.random }),
    processes: createProcesses(jobs),
    files: createFiles(),
    clock,
    ids,
    doors: createDoors({ newSecret: ids.newSecret, models: await gatewayModels(access) }),
    locks: createTreeLocks(place.state),
    notifier: createBell(terminal),
    prices: await openPrices(place.prices),
    models: access.environment,
    jobEnv: access.agentEnv,
    waits: jobs.waits,
    modelDetail: access.detail,
    ownCommand: programOf(),
    stateFolder: place.state,
    logFolder,
  };
}
