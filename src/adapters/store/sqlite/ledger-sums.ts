/**
 * The sums, as one transaction after another sees them: read when first asked for, and changed by one statement for all the sums of a call, or of a
 * group of calls that count in the same ones. They saturate at the largest whole number that JavaScript counts exactly.
 */
import { addSpend, noSpend, type Scope, type Spend } from "../../../core/money/cap.ts";
import type { Database, Row } from "./database.ts";
import { int, text } from "./rows.ts";

const byName = "SELECT * FROM spend WHERE kind = ? AND id = ?";
const byNumber = "SELECT * FROM spend WHERE number = ?";
const add = "INSERT INTO spend (kind, id, spent, held, calls, unknown) VALUES (?, ?, 0, 0, 0, 0)";
/** As many at once as a call has sums; a null matches none. */
const slots = 8;
const most = Number.MAX_SAFE_INTEGER;
const where = `WHERE number IN (${Array(slots).fill("?").join(", ")})`;
const held = `held = max(0, min(held + ?, ${most})), calls = calls + ?`;
/** An intent spends nothing yet: left out, the column's trigger costs it nothing. */
const changeHeld = `UPDATE spend SET ${held} ${where}`;
const changeAll = `UPDATE spend SET ${held}, spent = min(spent + ?, ${most}), unknown = max(0, unknown + ?) ${where}`;

/** Enough for what is under way; the sums of a night of jobs are many. */
const mostKnown = 1000;

interface Sum {
  readonly scope: Scope;
  spend: Spend;
}

interface Change {
  readonly numbers: readonly number[];
  by: Spend;
}

export class Sums {
  readonly #db: Database;
  readonly #numbers = new Map<string, number>();
  readonly #known = new Map<number, Sum>();
  readonly #changes = new Map<string, Change>();

  constructor(db: Database) {
    this.#db = db;
  }

  of({ kind, id }: { readonly kind: string; readonly id: string }): Spend {
    const number = this.#find(kind, id);
    return number === null ? noSpend : this.at(number).spend;
  }

  /** The number of its row, which is made where there is none. */
  take({ kind, id }: Scope): number {
    const found = this.#find(kind, id);
    if (found !== null) return found;
    const number = this.#db.insert(add, [kind, id]);
    this.#know(number, { scope: { kind, id }, spend: noSpend });
    return number;
  }

  at(number: number): Sum {
    const known = this.#known.get(number);
    if (known !== undefined) return known;
    const row = this.#db.get(byNumber, [number]) ?? {};
    return this.#know(number, toSum(row));
  }

  add(numbers: readonly number[], by: Spend): void {
    for (const number of numbers) {
      const sum = this.at(number);
      sum.spend = plus(sum.spend, by);
    }
    const name = numbers.join();
    const waiting = this.#changes.get(name);
    if (waiting === undefined) this.#changes.set(name, { numbers, by });
    else waiting.by = addSpend(waiting.by, by);
  }

  /** To be called once, at the end of a transaction. */
  write(): void {
    for (const { numbers, by } of this.#changes.values())
      for (let first = 0; first < numbers.length; first += slots) this.#change(numbers, first, by);
    this.#changes.clear();
  }

  /** To be called at the beginning of a transaction. */
  forgetOld(): this {
    if (this.#known.size <= mostKnown) return this;
    this.#known.clear();
    this.#numbers.clear();
    return this;
  }

  #change(numbers: readonly number[], first: number, by: Spend): void {
    const holds = by.spentMicroUsd === 0 && by.unknown === 0;
    const values: (number | null)[] = holds ? [by.heldMicroUsd, by.calls] : [by.heldMicroUsd, by.calls, by.spentMicroUsd, by.unknown];
    for (let slot = first; slot < first + slots; slot += 1) values.push(numbers[slot] ?? null);
    this.#db.run(holds ? changeHeld : changeAll, values);
  }

  #find(kind: string, id: string): number | null {
    const known = this.#numbers.get(`${kind} ${id}`);
    if (known !== undefined) return known;
    const row = this.#db.get(byName, [kind, id]);
    if (row === undefined) return null;
    this.#know(int(row, "number"), toSum(row));
    return int(row, "number");
  }

  #know(number: number, sum: Sum): Sum {
    this.#numbers.set(`${sum.scope.kind} ${sum.scope.id}`, number);
    this.#known.set(number, sum);
    return sum;
  }
}

/** Kept from one transaction to the next while nobody else writes. */
export function sumsOf(db: Database): Sums {
  return db.fact("sums", () => new Sums(db)).forgetOld();
}

/** Outside of a write. */
export function readSpend(db: Database, { kind, id }: Scope): Spend {
  const row = db.get(byName, [kind, id]);
  return row === undefined ? noSpend : toSum(row).spend;
}

function plus(sum: Spend, by: Spend): Spend {
  const { spentMicroUsd, heldMicroUsd, calls, unknown } = addSpend(sum, by);
  return {
    spentMicroUsd: Math.min(spentMicroUsd, most),
    heldMicroUsd: Math.max(0, Math.min(heldMicroUsd, most)),
    calls,
    unknown: Math.max(0, unknown),
  };
}

function toSum(row: Row): Sum {
  const spend = {
    spentMicroUsd: int(row, "spent"),
    heldMicroUsd: int(row, "held"),
    calls: int(row, "calls"),
    unknown: int(row, "unknown"),
  };
  return { scope: { kind: text(row, "kind") as Scope["kind"], id: text(row, "id") }, spend };
}
