/** What a batch has spent so far, and under which cap. */
import type { BatchRecord } from "../../ports/batch-store.ts";
import type { Store } from "../../ports/store.ts";

export interface BatchMoney {
  /** For certain. */
  readonly spentMicroUsd: number;
  /** By calls that are under way, and by unknown ones. */
  readonly heldMicroUsd: number;
  readonly capMicroUsd: number;
  readonly calls: number;
  readonly unknown: number;
}

export async function batchMoney({ ledger }: Pick<Store, "ledger">, { name, settings }: BatchRecord): Promise<BatchMoney> {
  const [spend] = await ledger.spend([{ kind: "batch", id: name }]);
  const { spentMicroUsd = 0, heldMicroUsd = 0, calls = 0, unknown = 0 } = spend ?? {};
  return { spentMicroUsd, heldMicroUsd, capMicroUsd: settings.batchMicroUsd, calls, unknown };
}
