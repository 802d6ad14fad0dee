/** Money that is booked and not yet charged to the run: its window has not been judged. */
import { noSpend, type Spend } from "../core/money/cap.ts";
import type { Store, WindowRecord } from "../ports/store.ts";

/** What the ledger has of a window that has not been judged yet. */
export async function spentInWindow({ ledger }: Pick<Store, "ledger">, window: WindowRecord | null): Promise<number> {
  return window === null ? 0 : (await windowSpend({ ledger }, window)).spentMicroUsd;
}

/** The sums of one window; nothing where no call was booked. */
export async function windowSpend({ ledger }: Pick<Store, "ledger">, { id }: Pick<WindowRecord, "id">): Promise<Spend> {
  const [spend] = await ledger.spend([{ kind: "window", id }]);
  return spend ?? noSpend;
}
