/** Numbers of tokens as they stand in a provider's JSON. One that cannot be a count makes all of them unbelievable: half a bill is no bill. */
import { isObject } from "../../core/json.ts";

/** More than any call can have, and small enough that no sum of money made of it loses a digit. */
const maxCount = 2 ** 40;

/** What each is called there, from the outer key to the inner one. */
export type CountPlaces<Name extends string> = Readonly<Record<Name, readonly string[]>>;
export type Counts<Name extends string> = Readonly<Partial<Record<Name, number>>>;

/** Absent and null = nothing said. @returns null when `source` is no object, or holds something else than a count in one of the places */
export function readCounts<Name extends string>(source: unknown, places: CountPlaces<Name>): Counts<Name> | null {
  if (!isObject(source)) return null;
  const counts: Partial<Record<Name, number>> = {};
  for (const name of Object.keys(places) as Name[]) {
    const value = at(source, places[name]);
    if (value === undefined || value === null) continue;
    if (!isCount(value)) return null;
    counts[name] = value + 0; // no negative zero
  }
  return counts;
}

/** Undefined and null = nothing on the way; NaN = something on the way is no object. */
function at(source: unknown, path: readonly string[]): unknown {
  let value = source;
  for (const key of path) {
    if (value === undefined || value === null) return value;
    if (!isObject(value)) return Number.NaN;
    value = Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= maxCount;
}

/** A name or an id; null = it is none, or an empty one. */
export function nameIn(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
