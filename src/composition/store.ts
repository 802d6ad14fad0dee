/** The store in a state folder: opened, checked, and tidied. */
import { existsSync } from "node:fs";
import { redactStore } from "../adapters/store/redacting/store.ts";
import { checkStore as checkSqliteStore } from "../adapters/store/sqlite/check.ts";
import { openStore } from "../adapters/store/sqlite/open.ts";
import { removeOldLogs } from "../adapters/system/old-logs.ts";
import type { Retention } from "../cli/app.ts";
import type { Redactor } from "../core/redaction/redactor.ts";
import type { Store } from "../ports/store.ts";

/** Null when there is none yet. */
export async function findStore(folder: string, redactor: Redactor): Promise<Store | null> {
  return existsSync(folder) ? makeStore(folder, redactor) : null;
}

/** Made where there is none. */
export async function makeStore(folder: string, redactor: Redactor): Promise<Store> {
  return redactStore(await openStore({ folder }), redactor);
}

/** What is wrong with its file; null = nothing, or there is none. */
export async function checkStore(folder: string): Promise<string | null> {
  if (!existsSync(folder)) return null;
  const check = checkSqliteStore(folder);
  return check.kind === "faulty" ? [check.error.message, check.error.hint].filter(Boolean).join("; ") : null;
}

interface Kept {
  readonly store: Store;
  readonly folder: string;
  readonly now: number;
}

/** Removes what is older than the user wants it kept, and moves batches that ended long ago into files of their own. */
export async function tidy({ store, folder, now }: Kept, { eventsMs, logsMs, answersMs, batchesMs }: Retention): Promise<void> {
  await store.prune(now - eventsMs);
  await store.archive.prune(now - answersMs);
  await archiveOld(store, now - batchesMs, now);
  await Promise.all([`${folder}/logs`, folder].map((place) => removeOldLogs(place, now - logsMs)));
}

/** E8. A batch that cannot be moved now stays where it is, whole: no reason to begin nothing. */
async function archiveOld(store: Store, before: number, now: number): Promise<void> {
  for (const { name, state, closedAt } of await store.batches.batches())
    if (state === "closed" && closedAt !== null && closedAt < before) await store.archive.archive(name, now).catch(() => undefined); // the next start tries again
}
