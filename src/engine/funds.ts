/** A window that the rest of the money cannot fund is not opened (D4): sums that outlast a run are looked at before each. */
import { minimumToOpen } from "../core/budget.ts";
import { dollars } from "../core/money/amount.ts";
import { type Cap, capsOn, committedMicroUsd, dateScopes, noSpend } from "../core/money/cap.ts";
import type { RunContext } from "./context.ts";

/** Null = a window can be paid; else what stops the run. */
export async function missingFunds({ ports, settings }: RunContext): Promise<string | null> {
  const date = ports.clock.localDate(ports.clock.now());
  const { dayMicroUsd, monthMicroUsd } = settings.limits;
  const scopes = dateScopes(date);
  const caps = capsOn(scopes, { day: dayMicroUsd, month: monthMicroUsd });
  if (caps.length === 0) return null;
  const spends = await ports.store.ledger.spend(scopes);
  for (const cap of caps) {
    const spent = committedMicroUsd(spends[scopes.findIndex(({ kind }) => kind === cap.kind)] ?? noSpend);
    if (cap.microUsd - spent < minimumToOpen(cap.microUsd, settings.limits)) return describe(cap, spent);
  }
  return null;
}

function describe({ kind, id, microUsd }: Cap, spentMicroUsd: number): string {
  return `${dollars(spentMicroUsd)} of the ${dollars(microUsd)} of the ${kind} ${id} are spent: what is left funds no window`;
}
