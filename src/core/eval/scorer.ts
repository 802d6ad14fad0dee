/** What an answer is held against its reference by. Read from one word of the command line, kept with the set. */
import { readJson } from "../json.ts";
import { fieldOf } from "./question.ts";

export type Scorer =
  | { readonly kind: "exact" }
  /** The reference is a pattern. */
  | { readonly kind: "regex" }
  /** Fields by name, `a.b` for one in another. */
  | { readonly kind: "json"; readonly fields: readonly [string, ...string[]] }
  | { readonly kind: "program"; readonly path: string };

/** Null = it is none. A program's path is as it was written. */
export function parseScorer(text: string): Scorer | null {
  if (text === "exact" || text === "regex") return { kind: text };
  const [, kind, rest = ""] = /^(json|program):(.+)$/s.exec(text) ?? [];
  if (kind === "program") return { kind, path: rest };
  if (kind !== "json") return null;
  const [first, ...others] = rest.split(",").map((field) => field.trim());
  return first === undefined || [first, ...others].includes("") ? null : { kind, fields: [first, ...others] };
}

export function formatScorer(scorer: Scorer): string {
  if (scorer.kind === "json") return `json:${scorer.fields.join(",")}`;
  return scorer.kind === "program" ? `program:${scorer.path}` : scorer.kind;
}

/** What is wrong with a reference, before anything is paid to hold answers against it; null = nothing. */
export function referenceTrouble(scorer: Scorer, expected: unknown): string | null {
  if (scorer.kind === "regex") return patternTrouble(expected);
  if (scorer.kind !== "json") return null;
  const reference = referenceObject(expected);
  if (reference === null) return "its expected is no JSON object";
  const missing = scorer.fields.filter((field) => fieldOf(reference, field) === undefined);
  return missing.length === 0 ? null : `its expected has no field ${missing.join(", ")}`;
}

function patternTrouble(expected: unknown): string | null {
  if (typeof expected !== "string") return "its expected is no pattern: a regular expression is a text";
  try {
    new RegExp(expected, "u");
    return null;
  } catch (error) {
    return `its expected is no pattern: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** From a CSV file a reference comes as text. */
export function referenceObject(expected: unknown): object | null {
  const value = typeof expected === "string" ? readJson(expected) : expected;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
}
