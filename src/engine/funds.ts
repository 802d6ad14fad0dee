/** A window that the rest of the money cannot fund is not opened (D4): sums that outlast a run are looked at before each. */
import { minimumToOpen } from "../core/budget.ts";
import { dollars } from "../core/money/amount.ts";
import type { Cap } from "../core/money/cap.ts";
import type { RunContext } from "./context.ts";

/** Null = a window can be paid; else what stops the run. */
export async function missingFunds({ ports, settings }: RunContext): Promise<string | null> {
  const date = ports.clock.localDate(ports.clock.now());
  const caps = (
    [
      ["day", date, settings.limits.dayMicroUsd],
      ["month", date.slice(0, 7), settings.limits.monthMicroUsd],
    ] as const
  ).flatMap(([kind, id, microUsd]) => (microUsd === null ? [] : [{ kind, id, microUsd }]));
  if (caps.length === 0) return null;
  const spends = await ports.store.ledger.spend(caps.map(({ kind, id }) => ({ kind, id })));
  for (const [at, cap] of caps.entries()) {
    const spent = (spends[at]?.spentMicroUsd ?? 0) + (spends[at]?.heldMicroUsd ?? 0);
    if (cap.microUsd - spent < minimumToOpen(cap.microUsd, settings.limits)) return describe(cap, spent);
  }
  return null;
}

function describe({ kind, id, microUsd }: Cap, spentMicroUsd: number): string {
  return `${dollars(spentMicroUsd)} of the ${dollars(microUsd)} of the ${kind} ${id} are spent: what is left funds no window`;
}
