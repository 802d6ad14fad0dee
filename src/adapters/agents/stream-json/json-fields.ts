/** Reading of foreign JSON: a field of another type counts as absent, and nothing throws. */
import { isObject, type JsonObject } from "../../../core/json.ts";
import { cleanLine } from "../clean-text.ts";

const empty: JsonObject = {};

export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : empty;
}

export function objectsAt(object: JsonObject, key: string): readonly JsonObject[] {
  const value = object[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The raw string, for texts that are cleaned where they are used. */
export function stringAt(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" ? value : undefined;
}

/** A name, an id, a word: one clean line of at most 200 characters; undefined when there is none. */
export function wordAt(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  if (typeof value !== "string") return undefined;
  return cleanLine(value, 200) || undefined;
}

/** A count, as an integer of at least 0. */
export function countAt(object: JsonObject, key: string): number | undefined {
  const value = object[key];
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? Math.round(value) + 0 : undefined;
}

/** Dollars as integer millionths. What is no amount of money (negative, infinite, beyond exact integers, a string) is absent, never 0. */
export function microUsdAt(object: JsonObject, key: string): number | undefined {
  const value = object[key];
  if (typeof value !== "number" || !(value >= 0)) return undefined;
  const micro = Math.round(value * 1e6) + 0;
  return Number.isSafeInteger(micro) ? micro : undefined;
}

/** Leaves out the fields that are undefined, as exact optional properties want it. */
export function defined<T extends object>(fields: { [Key in keyof T]: T[Key] | undefined }): T {
  for (const key in fields) if (fields[key] === undefined) delete fields[key];
  return fields as T;
}
