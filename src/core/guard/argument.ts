/**
 * One argument of a command, as far as it is known before the command runs: texts with gaps between them. Values, never mutated.
 * A gap never hides a text that is known, and a text never stands for something that is not.
 */
import type { Script } from "./shell-tree.ts";

/**
 * What may fill a gap. `number`: digits. `word`: one word that starts with no dash and no plus, such as a path or a branch. `names`: file names that
 * were looked up. `content`: what a local file holds. `setup`: what a well-known tool prints to set up a shell. `text`: any text, kept in one argument
 * by quotes. `anything`: also options, several words, or nothing.
 */
export type Gap = "number" | "word" | "names" | "content" | "setup" | "text" | "anything";

export type Piece = string | { readonly gap: Gap };

export interface Argument {
  readonly pieces: readonly Piece[];
  /** All of it, where no gap is in it. A pattern for file names counts as text. */
  readonly text: string | null;
  readonly hasGlob: boolean;
  /** Some of it comes from the network. */
  readonly isFetched: boolean;
  /** Some of it comes from secrets, or from a packed tree. */
  readonly isSecret: boolean;
  /** The scripts whose pipes it names: `<(…)`. */
  readonly channels: readonly Script[];
}

/** Longer than this, or with more pieces, and an argument is one gap: doubling values must not fill the memory. */
const longest = 256 * 1024;
const mostPieces = 64;

const plain = { hasGlob: false, isFetched: false, isSecret: false, channels: [] } as const;

/** An argument of which everything is known. */
export function known(text: string, hasGlob = false): Argument {
  return { ...plain, pieces: [text], text, hasGlob };
}

/** An argument of which nothing is known but its kind. */
export function unknown(gap: Gap, marks: { readonly isFetched?: boolean; readonly isSecret?: boolean } = {}): Argument {
  return { ...plain, ...marks, pieces: [{ gap }], text: null };
}

/** Both, side by side. */
export function concat(one: Argument, other: Argument): Argument {
  const text = one.text === null || other.text === null ? null : one.text + other.text;
  const marks = {
    hasGlob: one.hasGlob || other.hasGlob,
    isFetched: one.isFetched || other.isFetched,
    isSecret: one.isSecret || other.isSecret,
    channels: other.channels.length === 0 ? one.channels : [...one.channels, ...other.channels],
  };
  if (text !== null && text.length <= longest) return { ...marks, pieces: [text], text };
  const pieces = [...one.pieces, ...other.pieces].filter((piece) => piece !== "");
  const isTooLarge = pieces.length > mostPieces || lengthOf(pieces) > longest;
  return { ...marks, pieces: isTooLarge ? [headOf(one), { gap: "anything" }] : pieces, text: null };
}

function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + (typeof piece === "string" ? piece.length : 0), 0);
}

/** What is known up to the first gap. */
export function headOf({ pieces, text }: Argument): string {
  if (text !== null) return text;
  let head = "";
  for (const piece of pieces) {
    if (typeof piece !== "string") break;
    head += piece;
  }
  return head;
}

/** What is known after the last gap. */
export function tailOf({ pieces, text }: Argument): string {
  if (text !== null) return text;
  let tail = "";
  for (const piece of pieces) tail = typeof piece === "string" ? tail + piece : "";
  return tail;
}

/** The worst gap in it; null where everything is known. */
export function worstGap({ pieces }: Argument): Gap | null {
  const order: readonly Gap[] = ["anything", "text", "content", "setup", "names", "word", "number"];
  return order.find((gap) => pieces.some((piece) => typeof piece !== "string" && piece.gap === gap)) ?? null;
}

/** With every gap filled by a harmless stand-in. */
export function filled({ pieces, text }: Argument, standIn: string): string {
  return text ?? pieces.map((piece) => (typeof piece === "string" ? piece : standIn)).join("");
}

/** Nothing is known of how it starts: it may be an option, or no word at all. */
export function isOpen(argument: Argument): boolean {
  const [first] = argument.pieces;
  return typeof first === "object" && first.gap !== "word" && first.gap !== "number";
}

/** It is an option, or might be one. A slash is in no option that takes no value: a quoted text in front of one is a path. */
export function mayBeOption(argument: Argument): boolean {
  if (headOf(argument).startsWith("-")) return true;
  const [first, second] = argument.pieces;
  const isPath = typeof first === "object" && first.gap === "text" && typeof second === "string" && second.includes("/");
  return isOpen(argument) && !isPath;
}

/** Quotes keep a value in one argument. */
export function inQuotes(argument: Argument): Argument {
  if (argument.text !== null) return argument;
  return {
    ...argument,
    pieces: argument.pieces.map((piece) => (typeof piece === "object" && piece.gap === "anything" ? { gap: "text" } : piece)),
  };
}

/** It starts with this letter, or might. */
export function mayStartWith(argument: Argument, letter: string): boolean {
  return headOf(argument).startsWith(letter) || isOpen(argument);
}
