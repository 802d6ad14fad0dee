/**
 * A Markdown text as lines, each with its place in the file, and with what is no list and no heading set apart: code blocks and comments.
 * A comment inside a line becomes spaces, so that offsets stay true. A block that is never closed is a fault: what it would swallow is somebody's task.
 */
import type { Findings } from "./plan-text.ts";

export interface Line {
  /** Offset of the line in the file. */
  readonly at: number;
  readonly text: string;
  /** Columns before the first character; a tab reaches to the next multiple of four. */
  readonly indent: number;
  /** "fence" is the first line of a code block, "code" the others. */
  readonly kind: "text" | "blank" | "fence" | "code" | "comment";
}

type Open =
  | { readonly kind: "code"; readonly mark: string; readonly at: number }
  | { readonly kind: "comment"; readonly at: number }
  | null;

export function readLines(text: string, findings: Findings): readonly Line[] {
  const lines: Line[] = [];
  const ends = /\r\n|\n|\r|$/g;
  let open: Open = null;
  for (let at = bodyStart(text); at < text.length; at = ends.lastIndex) {
    ends.lastIndex = at;
    const end = ends.exec(text)?.index ?? text.length;
    const raw = text.slice(at, end);
    if (open !== null) {
      lines.push({ at, text: raw, indent: indentOf(raw), kind: open.kind });
      if (closes(open, raw)) open = null;
    } else {
      open = opens(raw, at);
      lines.push(
        open === null ? plainLine(raw, at) : { at, text: raw, indent: indentOf(raw), kind: open.kind === "code" ? "fence" : "comment" },
      );
    }
    if (end === text.length) break;
  }
  if (open !== null)
    findings.faults.push({ at: open.at, reason: `a ${open.kind === "code" ? "code block" : "comment"} opens here and is never closed` });
  return lines;
}

/** Behind the byte order mark and the front matter (`---`, fields, `---`), which is for other programs. A rule with tasks below it is none. */
function bodyStart(text: string): number {
  const start = text.startsWith("\ufeff") ? 1 : 0;
  const front = /^---[ \t]*(?:\r\n|\n|\r)[\w-]+[ \t]*:(?:[^\r\n]*(?:\r\n|\n|\r)){1,100}?---[ \t]*(?=[\r\n]|$)/.exec(
    text.slice(start, start + 20_000),
  );
  return front === null || /^\s*(?:#|[-*+][ \t]+\[)/m.test(front[0]) ? start : start + front[0].length;
}

function plainLine(raw: string, at: number): Line {
  const text = raw.includes("<!--") ? blankComments(raw) : raw;
  const kind = text !== raw && raw.trimStart().startsWith("<!--") ? "comment" : text.trim() === "" ? "blank" : "text";
  return { at, text, indent: indentOf(raw), kind };
}

/** A fence may stand in a list item; a comment block starts its line. One that ends on its own line opens nothing. */
function opens(raw: string, at: number): Open {
  const start = raw.trimStart();
  if (start.startsWith("<!--")) return start.includes("-->") ? null : { kind: "comment", at };
  if (!raw.includes("```") && !raw.includes("~~~")) return null;
  const fence = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})/.exec(raw);
  const mark = fence?.[1];
  if (fence === null || mark === undefined) return null;
  const info = raw.slice(fence[0].length);
  return mark.startsWith("`") && info.includes("`") ? null : { kind: "code", mark, at };
}

function closes(open: NonNullable<Open>, raw: string): boolean {
  if (open.kind === "comment") return raw.includes("-->");
  const line = raw.trim();
  return line.length >= open.mark.length && line === open.mark.charAt(0).repeat(line.length);
}

function indentOf(raw: string): number {
  let columns = 0;
  for (let index = 0; index < raw.length; index += 1) {
    const character = raw[index];
    if (character === "\t") columns += 4 - (columns % 4);
    else if (character === " ") columns += 1;
    else break;
  }
  return columns;
}

/** Comments that open and close in the line, outside of code spans. */
function blankComments(raw: string): string {
  const spans = closingRuns(raw);
  let text = "";
  let from = 0;
  const tokens = /`+|<!--/g;
  for (let token = tokens.exec(raw); token !== null; token = tokens.exec(raw)) {
    if (token[0] !== "<!--") {
      tokens.lastIndex = spans.get(token.index) ?? tokens.lastIndex;
      continue;
    }
    const close = raw.indexOf("-->", token.index + 4);
    if (close < 0) break;
    text += raw.slice(from, token.index) + " ".repeat(close + 3 - token.index);
    from = close + 3;
    tokens.lastIndex = from;
  }
  return text + raw.slice(from);
}

/** From where a run of backticks starts to where the next run of the same length ends. */
function closingRuns(raw: string): ReadonlyMap<number, number> {
  const closings = new Map<number, number>();
  const nextOfLength = new Map<number, number>();
  for (const run of [...raw.matchAll(/`+/g)].reverse()) {
    const end = nextOfLength.get(run[0].length);
    if (end !== undefined) closings.set(run.index, end);
    nextOfLength.set(run[0].length, run.index + run[0].length);
  }
  return closings;
}
