import type { ModelPrice } from "../core/money/price.ts";

/** What models cost. The person's own prices win over the table. */
export interface Prices {
  /** @param provider  name of the upstream; @returns null = no price is known, which is not "costs nothing" */
  of(provider: string, model: string, at: number): ModelPrice | null;
  /** Name and date of the table, for people. */
  readonly table: string;
}
