/** A prompt with places for the fields of a job: `{{question}}`, `{{author.name}}`. A place without its field is an error, never an empty text. */
import { fieldAt } from "../json.ts";

export type Filled = { readonly kind: "text"; readonly text: string } | { readonly kind: "missing"; readonly fields: readonly string[] };

const place = /\{\{\s*([A-Za-z0-9_.-]+)\s*\}\}/g;

export function fillTemplate(template: string, job: unknown): Filled {
  const missing = placesIn(template).filter((name) => fieldOf(job, name) === undefined);
  if (missing.length > 0) return { kind: "missing", fields: missing };
  return { kind: "text", text: template.replaceAll(place, (_all, name: string) => textOf(fieldOf(job, name))) };
}

export function placesIn(template: string): readonly string[] {
  return [...new Set([...template.matchAll(place)].map(([, name]) => name ?? ""))];
}

/** `.` alone is the whole job. */
function fieldOf(job: unknown, name: string): unknown {
  return name === "." ? job : fieldAt(job, name.split("."));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
