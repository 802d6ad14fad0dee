/** Sums of calls, and beside them what the agents themselves said that they cost (D5). */
import { type Grouping, type SumLine, sumCalls, sumOf } from "../core/money/summary.ts";
import type { CallRecord } from "../ports/ledger.ts";
import type { Store, WindowRecord } from "../ports/store.ts";
import { type AskedCalls, allCalls } from "./ledger-calls.ts";

export interface LedgerSums {
  readonly by: Grouping;
  readonly lines: readonly (SumLine & { readonly agentMicroUsd: number | null })[];
  readonly total: SumLine;
  readonly atLeastMicroUsd: number;
  /** If every unknown call was charged as much as it may have been. */
  readonly atMostMicroUsd: number;
}

export async function ledgerSums(store: Store, { filter }: AskedCalls, by: Grouping, dayOf: (at: number) => string): Promise<LedgerSums> {
  const calls = await allCalls(store.ledger, filter);
  const told = by === "window" || by === "run" ? await agentsFigures(store, calls, by) : new Map<string, number>();
  const total = sumOf("total", calls);
  return {
    by,
    lines: sumCalls(calls, by, dayOf).map((line) => ({ ...line, agentMicroUsd: told.get(line.name) ?? null })),
    total,
    atLeastMicroUsd: total.costMicroUsd,
    atMostMicroUsd: total.costMicroUsd + total.unknownMicroUsd,
  };
}

async function agentsFigures(store: Store, calls: readonly CallRecord[], by: "window" | "run"): Promise<ReadonlyMap<string, number>> {
  const runs = new Set(calls.flatMap(({ owner }) => (owner.kind === "window" ? [owner.run] : [])));
  const windows = (await Promise.all([...runs].map((run) => store.windows(run)))).flat();
  const figures = new Map<string, number>();
  for (const window of windows) {
    const figure = figureOf(window);
    const name = by === "window" ? window.id : window.run;
    if (figure !== null) figures.set(name, (figures.get(name) ?? 0) + figure);
  }
  return figures;
}

function figureOf({ result }: WindowRecord): number | null {
  return result?.reportedMicroUsd ?? null;
}
