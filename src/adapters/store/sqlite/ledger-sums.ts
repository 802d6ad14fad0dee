/**
 * The sums of one transaction: read when first asked for, changed in memory, written once each at its end, so that a group of calls costs as many
 * statements as it has scopes. They saturate at the largest whole number that JavaScript counts exactly.
 */
import { noSpend, type Scope, type Spend } from "../../../core/money/cap.ts";
import type { Database, Row } from "./database.ts";
import { int } from "./rows.ts";

const find = "SELECT * FROM spend WHERE kind = :kind AND id = :id";
const add = "INSERT INTO spend (kind, id, spent, held, calls, unknown) VALUES (:kind, :id, :spent, :held, :calls, :unknown)";
const update = "UPDATE spend SET spent = :spent, held = :held, calls = :calls, unknown = :unknown WHERE number = :number";

interface Sum {
  readonly scope: Pick<Scope, "id"> & { readonly kind: string };
  /** Null = it has no row yet. */
  readonly number: number | null;
  spend: Spend;
  isChanged: boolean;
}

export class Sums {
  readonly #db: Database;
  readonly #known = new Map<string, Sum>();

  constructor(db: Database) {
    this.#db = db;
  }

  of(scope: Sum["scope"]): Spend {
    return this.#find(scope).spend;
  }

  add(scope: Scope, by: Spend): void {
    const sum = this.#find(scope);
    sum.spend = {
      spentMicroUsd: plus(sum.spend.spentMicroUsd, by.spentMicroUsd),
      heldMicroUsd: plus(sum.spend.heldMicroUsd, by.heldMicroUsd),
      calls: plus(sum.spend.calls, by.calls),
      unknown: plus(sum.spend.unknown, by.unknown),
    };
    sum.isChanged = true;
  }

  write(): void {
    for (const { scope, number, spend, isChanged } of this.#known.values()) {
      if (!isChanged) continue;
      const values = { spent: spend.spentMicroUsd, held: spend.heldMicroUsd, calls: spend.calls, unknown: spend.unknown };
      if (number === null) this.#db.run(add, { kind: scope.kind, id: scope.id, ...values });
      else this.#db.run(update, { number, ...values });
    }
  }

  #find(scope: Sum["scope"]): Sum {
    const name = `${scope.kind} ${scope.id}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const row = this.#db.get(find, { kind: scope.kind, id: scope.id });
    const sum = { scope, number: row === undefined ? null : int(row, "number"), spend: toSpend(row), isChanged: false };
    this.#known.set(name, sum);
    return sum;
  }
}

function plus(sum: number, by: number): number {
  return Math.min(Math.max(0, sum + by), Number.MAX_SAFE_INTEGER);
}

function toSpend(row: Row | undefined): Spend {
  if (row === undefined) return noSpend;
  return { spentMicroUsd: int(row, "spent"), heldMicroUsd: int(row, "held"), calls: int(row, "calls"), unknown: int(row, "unknown") };
}
