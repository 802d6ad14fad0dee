/**
 * What holds for a plan of any form: it is text of a bearable size, of one mind (no merge in progress), and every complaint about it has a line.
 * Readers work with offsets into the text as it is in the file; a line is counted only when something has to be said about it.
 */
import type { PlanParse } from "../../ports/plans.ts";

export type BrokenPlan = Extract<PlanParse, { kind: "broken" }>;

/** What a reader has to say, by place. One fault refuses the file; notes are for people. */
export interface Findings {
  readonly faults: { readonly at: number; readonly reason: string }[];
  readonly notes: { readonly at: number; readonly text: string }[];
}

export const maxFileBytes = 5 * 1024 * 1024;
export const maxTaskBytes = 256 * 1024;
const maxNotes = 20;
export const maxTroubles = 20;

/** Why the text is not read at all; null when it is fit to be read. */
export function refuseText(text: string): BrokenPlan | null {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxFileBytes)
    return { kind: "broken", line: 0, reason: `it has ${formatSize(bytes)}; ${formatSize(maxFileBytes)} is the limit` };
  const nul = text.indexOf("\0");
  if (nul >= 0) return brokenAt(text, nul, "it is not text: a NUL byte");
  const foreign = text.indexOf("\ufffd");
  if (foreign >= 0) return brokenAt(text, foreign, "it is not UTF-8: writing it back would lose what stands here");
  // A lone row of seven `=` is no sign: it also underlines a heading.
  const marker = /^(?:<{7}|>{7}|\|{7})(?:[ \t].*)?$/m.exec(text);
  return marker === null ? null : brokenAt(text, marker.index, "a merge conflict is not settled: a conflict marker stands here");
}

export function brokenAt(text: string, offset: number, reason: string): BrokenPlan {
  return { kind: "broken", line: lineAt(text, offset), reason };
}

/** The faults in the file's order, the first of them in front; null when there is none. Past twenty nobody reads them. */
export function faultsOf(text: string, { faults }: Findings): BrokenPlan | null {
  const shown = faults.toSorted((one, other) => one.at - other.at).slice(0, maxTroubles);
  const [first, ...more] = shown.map(({ at, reason }) => ({ line: lineAt(text, at), reason }));
  return first === undefined ? null : { kind: "broken", ...first, ...(more.length === 0 ? {} : { more }) };
}

/** The notes as lines for people, in the file's order; past twenty only their number. */
export function formatNotes(text: string, { notes }: Findings): readonly string[] {
  const lines = notes.slice(0, maxNotes).map((note) => `line ${lineAt(text, note.at)}: ${note.text}`);
  return notes.length > maxNotes ? [...lines, `and ${notes.length - maxNotes} more notes`] : lines;
}

/** The line of an offset, from 1; LF, CRLF and a lone CR end a line, as editors count. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (const end of text.slice(0, offset).matchAll(/\r\n|\n|\r/g)) if (end.index + end[0].length <= offset) line += 1;
  return line;
}

export function formatSize(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${(bytes / 1024 / 1024).toFixed(1)} MB` : `${Math.ceil(bytes / 1024)} KB`;
}
