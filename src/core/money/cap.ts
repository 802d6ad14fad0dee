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

export function addSpend(one: Spend, other: Spend): Spend {
  return {
    spentMicroUsd: one.spentMicroUsd + other.spentMicroUsd,
    heldMicroUsd: one.heldMicroUsd + other.heldMicroUsd,
    calls: one.calls + other.calls,
    unknown: one.unknown + other.unknown,
  };
}

/** What a cap counts: what is spent, and what may be. */
export function committedMicroUsd({ spentMicroUsd, heldMicroUsd }: Pick<Spend, "spentMicroUsd" | "heldMicroUsd">): number {
  return spentMicroUsd + heldMicroUsd;
}

/** The sum of a task: tasks of two plans may have one key. @param plan  absolute path of the plan */
export function treeTaskScope(plan: string, key: string): Scope {
  return { kind: "task", id: `${plan}#${key}` };
}

/** The sums of a day and of its month. @param date  `2026-11-30` */
export function dateScopes(date: string): readonly Scope[] {
  return [
    { kind: "day", id: date },
    { kind: "month", id: date.slice(0, 7) },
  ];
}

/** The caps that there are on these sums, in their order. @param limits  in micro-dollars; null or absent = none */
export function capsOn(scopes: readonly Scope[], limits: Readonly<Partial<Record<Scope["kind"], number | null>>>): readonly Cap[] {
  return scopes.flatMap(({ kind, id }) => {
    const microUsd = limits[kind] ?? null;
    return microUsd === null ? [] : [{ kind, id, microUsd }];
  });
}

/** The cap on each call, where there is one. */
export function callCap(microUsd: number | null): readonly Cap[] {
  return microUsd === null ? [] : [{ kind: "call", id: "", microUsd }];
}

/** @returns the first cap under which the call does not fit; null = it fits everywhere */
export function capInTheWay(caps: readonly Cap[], spendOf: (cap: Cap) => Spend, upperMicroUsd: number): Cap | null {
  return caps.find((cap) => (cap.kind === "call" ? 0 : committedMicroUsd(spendOf(cap))) + upperMicroUsd > cap.microUsd) ?? null;
}
