/** Money that is booked: of a window that has not been judged, and so is not yet charged to the run, and of a task. */
import type { TaskKey } from "../core/ids.ts";
import { noSpend, type Spend, treeTaskScope } from "../core/money/cap.ts";
import type { Store, WindowRecord } from "../ports/store.ts";

/** What the ledger has of a window that has not been judged yet. */
export async function spentInWindow({ ledger }: Pick<Store, "ledger">, window: WindowRecord | null): Promise<number> {
  return window === null ? 0 : (await windowSpend({ ledger }, window)).spentMicroUsd;
}

/** What is booked for a task of the plan at this absolute path; null = not one call is. */
export async function taskSpend({ ledger }: Pick<Store, "ledger">, plan: string, task: TaskKey): Promise<Spend | null> {
  const [spend] = await ledger.spend([treeTaskScope(plan, task)]);
  return spend === undefined || spend.calls === 0 ? null : spend;
}

/** The sums of one window; nothing where no call was booked. */
export async function windowSpend({ ledger }: Pick<Store, "ledger">, { id }: Pick<WindowRecord, "id">): Promise<Spend> {
  const [spend] = await ledger.spend([{ kind: "window", id }]);
  return spend ?? noSpend;
}
