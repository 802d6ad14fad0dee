/** A batch is added, or added to. The same name, version and content again changes nothing and pays nothing; anything else under a name that is taken is refused. */

import type { BatchSettings } from "../../core/batch/settings.ts";
import { sameValue } from "../../core/json.ts";
import type { BatchRecord, NewBatch } from "../../ports/batch-store.ts";
import type { JobList } from "../../ports/job-list.ts";
import type { Store } from "../../ports/store.ts";

export type BatchBooks = Pick<Store, "batches" | "archive">;

export interface BatchToAdd extends NewBatch {
  /** Settings that the person gave in words; the others are taken from the batch that is there. */
  readonly told: readonly (keyof BatchSettings)[];
}

export type AddOutcome =
  | { readonly kind: "added"; readonly jobs: number; readonly added: number; readonly known: number }
  | { readonly kind: "other-version"; readonly version: string }
  | { readonly kind: "other-settings"; readonly differences: readonly Difference[] }
  /** Of these ids there are jobs with another content. */
  | { readonly kind: "changed"; readonly ids: readonly string[] };

export interface Difference {
  readonly name: keyof BatchSettings;
  readonly is: unknown;
  readonly asked: unknown;
}

export async function addBatchList({ batches, archive }: BatchBooks, asked: BatchToAdd, list: JobList, now: number): Promise<AddOutcome> {
  const found = await batches.batch(asked.name);
  if (found !== null && found.version !== asked.version) return { kind: "other-version", version: found.version };
  const differences = found === null ? [] : differencesOf(found, asked);
  if (differences.length > 0) return { kind: "other-settings", differences };
  const { name, version } = asked;
  // Its keys are what keeps it from being paid again.
  if (found?.state === "archived") await archive.restore(name);
  const added = await batches.addList({ name, version, settings: found?.settings ?? asked.settings }, list.all(), now);
  // Somebody else added one of that name just now: what it is like is read once more.
  if (added === null) return addBatchList({ batches, archive }, asked, list, now);
  if (added.changed.length > 0) return { kind: "changed", ids: added.changed };
  return { kind: "added", jobs: list.jobs, added: added.added, known: added.known };
}

function differencesOf({ settings: is }: BatchRecord, { settings: asked, told }: BatchToAdd): readonly Difference[] {
  const names: readonly (keyof BatchSettings)[] = ["work", ...told];
  return names.flatMap((name) => (sameValue(is[name], asked[name]) ? [] : [{ name, is: is[name], asked: asked[name] }]));
}
