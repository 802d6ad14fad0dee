/** Tells whoever looks until when the slots of a supervisor begin nothing. A store that does not take it changes nothing: the wait is the supervisor's own. */
import { capEnd } from "../../core/batch/cap-end.ts";
import type { Trouble } from "../../core/batch/trouble.ts";
import type { CapKind } from "../../core/money/cap.ts";
import type { SlotWait } from "../../ports/batch-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Store } from "../../ports/store.ts";

export interface SlotWaits {
  /** @param kind  whose trouble it is: the provider's, or ours */
  tellTrouble(trouble: Trouble, kind: "provider" | "fault"): Promise<void>;
  /** The batch was paused by a cap; of a day's or month's it is known when it is over. */
  tellCap(cap: CapKind, reason: string): Promise<void>;
}

export function createSlotWaits(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  batch: string,
  seat: string,
): SlotWaits {
  let told = 0;
  const tell = async (wait: Omit<SlotWait, "seat"> | null): Promise<void> => {
    if (told === (wait?.until ?? 0)) return;
    told = wait?.until ?? 0;
    await store.batches.setWait(batch, seat, wait).catch(() => undefined); // who looks is told less, the batch goes on
  };
  return {
    tellTrouble: ({ holdUntil, reason }, kind) => tell(holdUntil === 0 ? null : { kind, until: holdUntil, reason }),
    async tellCap(cap, reason) {
      if (cap !== "day" && cap !== "month") return;
      await tell({ kind: "money", until: capEnd(cap, clock.now(), clock.localDate), reason });
    },
  };
}
