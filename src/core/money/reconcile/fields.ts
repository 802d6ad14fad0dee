/** Fields of a record from outside: of the kind that is asked for, or null. In CSV everything is text, and a JSON value may be text that holds JSON. */
import { isObject, type JsonObject } from "../../json.ts";

export type Fields = JsonObject;

export function textOf(fields: Fields, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string" && value.trim() !== "" && value.length <= 10_000) return value.trim();
    if (typeof value === "number") return String(value);
  }
  return null;
}

/** Finite and not below zero. */
export function numberOf(fields: Fields, ...names: readonly string[]): number | null {
  for (const name of names) {
    const value = fields[name];
    const number = typeof value === "string" && /^\s*\d+(\.\d+)?(e[+-]?\d+)?\s*$/i.test(value) ? Number(value) : value;
    if (typeof number === "number" && Number.isFinite(number) && number >= 0) return number;
  }
  return null;
}

export function objectOf(fields: Fields, name: string): Fields {
  const value = parsed(fields[name]);
  return isObject(value) ? value : {};
}

export function listOf(fields: Fields, name: string): readonly unknown[] {
  const value = parsed(fields[name]);
  return Array.isArray(value) ? value : [];
}

/** Micro-dollars, rounded up as ours are. */
export function microUsdOf(usd: number | null): number | null {
  return usd === null ? null : Math.max(0, Math.ceil(usd * 1_000_000 - 1e-6));
}

function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return null; // plain text where JSON was hoped for
  }
}

/** `call:<id>`, as we label calls where a gateway takes labels. */
export function labelledIds(labels: readonly unknown[]): readonly string[] {
  return labels.flatMap((label) => (typeof label === "string" && label.startsWith("call:") ? [label.slice("call:".length)] : []));
}
