/** Caps on money. A call is made only when what is spent, what is held for others and its own upper estimate fit under every cap. */

export const capKinds = ["call", "job", "window", "task", "run", "batch", "day", "month"] as const;
export type CapKind = (typeof capKinds)[number];

/** A sum that the ledger keeps: `window` <id>, `task` <plan>/<key>, `day` 2026-11-30, … */
export interface Scope {
  readonly kind: Exclude<CapKind, "call">;
  readonly id: string;
}

export interface Cap {
  readonly kind: CapKind;
  /** Empty for `call`. */
  readonly id: string;
  readonly microUsd: number;
}

/** Of one scope. */
export interface Spend {
  /** Charged for certain: a lower bound of the truth. Never falls. */
  readonly spentMicroUsd: number;
  /** Upper estimates of calls that are open, and what may be missing of those that are cut or unknown. */
  readonly heldMicroUsd: number;
  readonly calls: number;
  /** Calls that may have been charged more than we know. */
  readonly unknown: number;
}

export const noSpend: Spend = { spentMicroUsd: 0, heldMicroUsd: 0, calls: 0, unknown: 0 };

/** @returns the first cap under which the call does not fit; null = it fits everywhere */
export function capInTheWay(caps: readonly Cap[], spendOf: (cap: Cap) => Spend, upperMicroUsd: number): Cap | null {
  return caps.find((cap) => committed(cap, spendOf) + upperMicroUsd > cap.microUsd) ?? null;
}

function committed(cap: Cap, spendOf: (cap: Cap) => Spend): number {
  if (cap.kind === "call") return 0;
  const { spentMicroUsd, heldMicroUsd } = spendOf(cap);
  return spentMicroUsd + heldMicroUsd;
}
