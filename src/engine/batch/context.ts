/** What carrying a batch out needs. */
import type { Waits } from "../../core/batch/trouble.ts";
import type { Redactor } from "../../core/redaction/redactor.ts";
import type { BatchRecord } from "../../ports/batch-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Dispatcher } from "../../ports/dispatcher.ts";
import type { Doors } from "../../ports/door.ts";
import type { Files } from "../../ports/files.ts";
import type { Ids } from "../../ports/ids.ts";
import type { Notifier } from "../../ports/notifier.ts";
import type { Prices } from "../../ports/prices.ts";
import type { Processes } from "../../ports/processes.ts";
import type { Store, TreeLocks } from "../../ports/store.ts";
import type { Booker } from "../calls/booker.ts";
import type { CallsOnTheWay } from "../calls/job-desk.ts";
import type { ModelDoor } from "../context.ts";
import type { BatchControl } from "./control.ts";
import type { Lingering } from "./lingering.ts";

export interface BatchPorts {
  readonly store: Store;
  /** For the raw logs of attempts. */
  readonly redactor: Pick<Redactor, "stream">;
  readonly dispatcher: Dispatcher;
  readonly processes: Processes;
  readonly files: Files;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly doors: Doors;
  readonly locks: TreeLocks;
  readonly notifier: Notifier;
  readonly prices: Prices;
  readonly models: ModelDoor;
  /** Environment of a job, already filtered, without the keys that the gateway holds. */
  readonly jobEnv: Readonly<Record<string, string>>;
  /** How this program is started once more: it answers the jobs of a prompt itself. */
  readonly ownCommand: readonly [string, ...string[]];
  /** Between two tries when the provider is in trouble. */
  readonly waits: Waits;
  /** One line for people: where calls go, and with what key. */
  readonly modelDetail: string;
  readonly stateFolder: string;
  readonly logFolder: string;
}

export interface BatchContext {
  readonly ports: BatchPorts;
  readonly batch: BatchRecord;
  /** Ours among the supervisors of this batch. */
  readonly seat: string;
  /** Folder of the batch below the state folder: seats, slots, the stop file. */
  readonly folder: string;
  readonly booker: Booker;
  readonly onTheWay: CallsOnTheWay;
  readonly control: BatchControl;
  readonly lingering: Lingering;
}

export function batchFolder(stateFolder: string, name: string): string {
  return `${stateFolder}/batches/${name}`;
}
