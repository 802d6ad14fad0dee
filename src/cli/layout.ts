/** Lines that fit a terminal: wrapped between words below a hanging indent, cut to one line, or set in columns. Colours have no width. */
import type { Terminal } from "./app.ts";
import { painter } from "./print.ts";

const narrowest = 40;

/** @param width  columns of the terminal; null = it goes to a file or a pipe, where a line stays whole */
export function wrap(line: string, width: number | null, indent: number): string {
  if (width === null || widthOf(line) <= width) return line;
  const room = Math.max(width, narrowest);
  const lines: string[] = [];
  let current = "";
  for (const [, gap = "", word = ""] of line.matchAll(/( *)(\S+)/g)) {
    // A word that is longer than a line, such as a path, is better off where it is.
    const fits = indent + widthOf(word) <= room;
    const isFull = fits && current.trim() !== "" && widthOf(current) + gap.length + widthOf(word) > room;
    if (isFull) lines.push(current);
    current = isFull ? " ".repeat(indent) + word : current + gap + word;
  }
  return [...lines, current].join("\n");
}

/** To standard output, each in as many lines as the terminal needs; none = nothing. @param indent  of what follows a line's first part */
export function showLines({ out, columns }: Pick<Terminal, "out" | "columns">, lines: readonly string[], indent = 4): void {
  out(lines.map((line) => `${wrap(line, columns.out, indent)}\n`).join(""));
}

/** Cells below a head, which is dim. Without rows nothing. */
export function showTable(terminal: Terminal, head: readonly string[], rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return;
  const [first = "", ...rest] = columns([head, ...rows]);
  showLines(terminal, [painter(terminal)("dim", first), ...rest], 6);
}

/** To the person, in as many lines as the terminal needs. */
export function tell({ err, columns }: Pick<Terminal, "err" | "columns">, line: string, indent = 2): void {
  err(`${wrap(line, columns.err, indent)}\n`);
}

/** The same below an empty line. */
export function tellApart(terminal: Pick<Terminal, "err" | "columns">, line: string): void {
  terminal.err("\n");
  tell(terminal, line);
}

/** One line of at most so many characters; what is lost is shown by a mark. */
export function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, Math.max(0, most - 1))
        .join("")
        .trimEnd()}…`;
}

/** Each column as wide as its widest cell; a column that is empty in every row is left away, and the last one is not filled up. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_none, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ""))));
  const used = widths.flatMap((width, column) => (width === 0 ? [] : [column]));
  return rows.map((row) =>
    used
      .map((column) => `${row[column] ?? ""}${" ".repeat((widths[column] ?? 0) - widthOf(row[column] ?? ""))}`)
      .join("  ")
      .trimEnd(),
  );
}

/** A name and its value on each line; what has no value is left away. */
export function labelled(rows: readonly (readonly [name: string, value: string])[]): readonly string[] {
  return columns(rows.filter(([, value]) => value !== ""));
}

function widthOf(text: string): number {
  return [...text.replace(/\u001b\[\d+m/g, "")].length;
}
