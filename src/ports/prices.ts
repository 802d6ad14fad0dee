import type { ModelPrice, UnitPrices } from "../core/money/price.ts";

/** What models cost. The person's own prices win over the table. */
export interface Prices {
  /** @param provider  name of the upstream; @returns null = no price is known, which is not "costs nothing" */
  of(provider: string, model: string, at: number): ModelPrice | null;
  /** Name and date of the table, for people. */
  readonly table: string;
}

/** The same for the person, who may look into it and write prices of their own. */
export interface PriceBook extends Prices {
  /** Own prices first. A model is looked up as it comes on the wire; without one, all of `provider`, and of everybody only the own ones. */
  list(filter: { readonly provider: string | null; readonly model: string | null; readonly at: number }): readonly ListedPrice[];
  /** One for the same model and provider is replaced. */
  set(own: OwnPrice): Promise<void>;
  /** Whether there was one. */
  unset(own: Pick<OwnPrice, "provider" | "model">): Promise<boolean>;
  /** Fetches a newer table. One that cannot be had or trusted leaves everything as it was. @param from  null = the table's own address */
  update(from: string | null, now: number): Promise<PriceUpdate>;
}

export interface ListedPrice {
  /** Null = of every upstream. */
  readonly provider: string | null;
  readonly model: string;
  readonly origin: "own" | "table";
  readonly price: ModelPrice;
}

export interface OwnPrice {
  readonly provider: string | null;
  readonly model: string;
  readonly prices: UnitPrices;
  readonly setAt: number;
}

export type PriceUpdate =
  | { readonly kind: "updated"; readonly table: string; readonly models: number }
  | { readonly kind: "kept"; readonly table: string; readonly detail: string };
