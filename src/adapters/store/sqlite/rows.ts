/** Columns of a row as values. The tables are STRICT, so another type than ours means a damaged page. */

import type { Row } from "./database.ts";
import { DamagedRow } from "./errors.ts";

export function text(row: Row, name: string): string {
  return maybeText(row, name) ?? damaged(name);
}

export function maybeText(row: Row, name: string): string | null {
  const value = row[name];
  return value === null || typeof value === "string" ? value : damaged(name);
}

export function int(row: Row, name: string): number {
  return maybeInt(row, name) ?? damaged(name);
}

export function maybeInt(row: Row, name: string): number | null {
  const value = row[name];
  return value === null || typeof value === "number" ? value : damaged(name);
}

/** The value of a JSON column. `T` is what the one writer of this column put in. */
export function json<T>(row: Row, name: string): T {
  return maybeJson<T>(row, name) ?? damaged(name);
}

export function maybeJson<T>(row: Row, name: string): T | null {
  const value = maybeText(row, name);
  if (value === null) return null;
  try {
    return JSON.parse(value);
  } catch {
    return damaged(name);
  }
}

/** For a nullable JSON column: null stays null and is no JSON. */
export function maybeString(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** Free text into a text column. A NUL would cut it when an older Node reads it back; where every byte counts, the column is JSON. */
export function prose(value: string): string {
  return value.replaceAll("\0", "\ufffd");
}

function damaged(name: string): never {
  throw new DamagedRow(`a row has no proper value in its column ${name}`);
}
