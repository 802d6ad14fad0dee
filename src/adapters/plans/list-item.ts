/** The list items and headings of GitHub's Markdown, and the box that may stand at their start. */
import type { MarkPlace } from "./draft.ts";
import type { Line } from "./markdown-lines.ts";
import type { Findings } from "./plan-text.ts";

export interface Box {
  /** Offset of the character between the brackets. */
  readonly at: number;
  readonly ticked: boolean;
}

/** What stands behind a list marker or the marks of a heading. */
export interface Boxed {
  readonly box: Box | null;
  readonly text: string;
  /** Offset of the text. */
  readonly at: number;
}

export interface Heading extends Boxed {
  readonly level: number;
}

/** Null when the line is no list item. Without `findings` a box that is none goes unsaid. */
export function readItem(line: Line, findings?: Findings): Boxed | null {
  const marker = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)/.exec(line.text);
  return marker === null ? null : readBox(line.text.slice(marker[0].length), line.at + marker[0].length, findings);
}

/** Null when the line is no heading of the form `## Words`. */
export function readHeading(line: Line, findings?: Findings): Heading | null {
  if (line.indent > 3 || line.text[line.indent] !== "#") return null;
  const marks = /^ {0,3}(#{1,6})(?:[ \t]+|$)/.exec(line.text);
  if (marks?.[1] === undefined) return null;
  const words = line.text
    .slice(marks[0].length)
    .trimEnd()
    .replace(/(?:^|[ \t])#+$/, "");
  return { level: marks[1].length, ...readBox(words, line.at + marks[0].length, findings) };
}

/** The level of the heading that this line makes of the one above it; 0 when it is no underline. */
export function underlineLevel(line: Line | undefined): number {
  if (line === undefined || line.kind !== "text" || line.indent > 3) return 0;
  if (line.text[line.indent] !== "=" && line.text[line.indent] !== "-") return 0;
  const mark = line.text.trim();
  if (mark === "=".repeat(mark.length)) return 1;
  return mark === "-".repeat(mark.length) ? 2 : 0;
}

export function readBox(text: string, at: number, findings?: Findings): Boxed {
  const found = text.startsWith("[") ? /^\[([^[\]]{0,3})\](?=[ \t]|$)/.exec(text) : null;
  const inside = found?.[1];
  if (found === null || inside === undefined) return { box: null, text: text.trim(), at };
  const isBox = inside === " " || inside.toLowerCase() === "x";
  if (!isBox) {
    if (looksLikeBox(inside)) findings?.faults.push({ at, reason: `${found[0]} is no check box: write [ ] for open, [x] for done` });
    return { box: null, text: text.trim(), at };
  }
  const rest = text.slice(found[0].length);
  const words = rest.trimStart();
  return { box: { at: at + 1, ticked: inside !== " " }, text: words.trimEnd(), at: at + found[0].length + rest.length - words.length };
}

/** `[]`, `[-]`, `[~]`, `[v]`, `[ x ]`: meant as a box. `[1]` or `[^2]` is a reference. */
function looksLikeBox(inside: string): boolean {
  const mark = inside.trim();
  return mark === "" || /^[xv]$/i.test(mark) || /^[^\p{L}\p{N}]$/u.test(mark);
}

export function boxPlace(box: Box): MarkPlace {
  return { start: box.at, end: box.at + 1, done: "x", open: " " };
}
