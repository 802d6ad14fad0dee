/** Money that is booked and not yet charged to the run: its window has not been judged. */
import type { Store, WindowRecord } from "../ports/store.ts";

/** What the ledger has of a window that has not been judged yet. */
export async function spentInWindow({ ledger }: Pick<Store, "ledger">, window: WindowRecord | null): Promise<number> {
  if (window === null) return 0;
  const [spend] = await ledger.spend([{ kind: "window", id: window.id }]);
  return spend?.spentMicroUsd ?? 0;
}
