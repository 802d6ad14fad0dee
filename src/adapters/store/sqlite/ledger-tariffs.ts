/** The prices of calls: each list of them is one row, however many calls it was for. */
import type { ModelPrice } from "../../../core/money/price.ts";
import type { Database } from "./database.ts";
import { int } from "./rows.ts";

const find = "SELECT number FROM tariff WHERE price = ?";
const add = "INSERT INTO tariff (price) VALUES (?)";

/** To be called inside a write. */
export function tariffOf(db: Database, price: ModelPrice | null): number | null {
  if (price === null) return null;
  // By the value itself first: a process asks with the same few again and again, and their text is long.
  const known = db.fact("tariffs", () => new WeakMap<ModelPrice, number>());
  const number = known.get(price) ?? take(db, JSON.stringify(price));
  known.set(price, number);
  return number;
}

function take(db: Database, price: string): number {
  const row = db.get(find, [price]);
  return row === undefined ? db.insert(add, [price]) : int(row, "number");
}
