/** Jobs from a file with one JSON object a line. The text of each is kept as it was written: nothing is rounded, reordered or lost. */
import type { JobSource } from "../../ports/job-list.ts";
import { readChecked } from "./checked-bytes.ts";
import { createNaming, type Draft } from "./draft.ts";
import { splitLines } from "./lines.ts";
import { quoted, refuse } from "./refusal.ts";

export function* readJsonLines({ path, ids, maxBytes }: JobSource): Generator<Draft> {
  const nameOf = createNaming(ids);
  let empty: number | null = null;
  for (const { number: line, text } of splitLines(path, readChecked(path), maxBytes)) {
    const payload = text.trim();
    if (payload === "") {
      empty ??= line;
      continue;
    }
    // Empty lines at the end are nobody's mistake; one between jobs may be a job that was lost.
    if (empty !== null) throw refuse({ path, line: empty }, "the line is empty");
    const place = { path, line };
    yield { place, id: nameOf(place, parse(place, payload)), payload };
  }
}

function parse(place: { path: string; line: number }, text: string): object {
  const job = parseJson(place, text);
  if (typeof job === "object" && job !== null && !Array.isArray(job)) return job;
  throw refuse(place, `a job is a JSON object { … }, and this is ${Array.isArray(job) ? "a list" : quoted(text)}`);
}

function parseJson(place: { path: string; line: number }, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refuse(place, `this is no JSON: ${quoted(text)}`, undefined, cause);
  }
}
