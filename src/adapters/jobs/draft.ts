/** A job as it was read, and what it is called. */
import { isKeyPart } from "../../core/batch/job.ts";
import { fieldAt, pointerSteps } from "../../core/json.ts";
import type { JobIds } from "../../ports/job-list.ts";
import { type Place, quoted, refuse } from "./refusal.ts";

export interface Draft {
  readonly place: Place;
  readonly id: string;
  /** JSON text. */
  readonly payload: string;
}

const otherIds = "nothing was added: take another field with --id FIELD, or the numbers of the lines with --by-line";

/** Decides once, by the first job, where ids come from; a list in which only some have one is a mistake. */
export function createNaming(ids: JobIds) {
  let source = ids;
  return (place: Place & { readonly line: number }, job: unknown): string => {
    if (source.kind === "own") source = fieldOf(job, "id") === undefined ? { kind: "line" } : { kind: "field", name: "id" };
    if (source.kind === "field") return idOf(place, fieldOf(job, source.name), source.name);
    if (ids.kind === "own" && fieldOf(job, "id") !== undefined)
      throw refuse(place, "this job has an id, and the ones before it have none", otherIds);
    return String(place.line);
  };
}

function idOf(place: Place, value: unknown, field: string): string {
  if (value === undefined) throw refuse(place, `the job has no field ${quoted(field)}, which is to be its id`, otherIds);
  if (typeof value === "number" && !Number.isSafeInteger(value))
    throw refuse(
      place,
      `${value} is no id: a number must be whole and of at most 15 digits`,
      "nothing was added: write it as text, in quotes",
    );
  if (typeof value !== "string" && typeof value !== "number")
    throw refuse(place, `its ${quoted(field)} is neither text nor a number, so it is no id`, otherIds);
  return keyPart(place, String(value));
}

/** Throws MidwatchError where the text may not stand in a key. */
export function keyPart(place: Place, text: string, hint: string = otherIds): string {
  if (isKeyPart(text)) return text;
  throw refuse(place, `${quoted(text)} is no id: 1 to 100 of A-Z, a-z, 0-9, ".", "_" and "-", the first a letter or digit`, hint);
}

/** By name, or by JSON pointer where it begins with a slash. */
function fieldOf(job: unknown, name: string): unknown {
  return fieldAt(job, name.startsWith("/") ? pointerSteps(name) : [name]);
}
