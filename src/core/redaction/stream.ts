/**
 * A redactor of bytes that come in pieces, cut anywhere. Held back is no more than what may be the beginning of a secret: the rest of each piece goes on at once.
 * What must hold: nothing is given out before it is known that no secret reaches into it; whatever was held comes with `end`.
 */
import { isSample, keyShapes, wholePrivateKey } from "../guard/key-shapes.ts";
import type { createAutomaton } from "./matcher.ts";

export interface StreamRedactor {
  /** What of all pieces until now can be given out. Never the caller's own bytes to change. */
  push(piece: Uint8Array): Uint8Array;
  /** The rest. Nothing is pushed after it. */
  end(): Uint8Array;
}

export interface StreamParts {
  readonly automaton: ReturnType<typeof createAutomaton>;
  /** By the needle's id; ids above them are shapes. */
  readonly labels: readonly string[];
  readonly slack: readonly number[];
}

interface Range {
  readonly start: number;
  readonly end: number;
  /** So many letters of base64 beside it go with it. */
  readonly slack: number;
  readonly label: string;
}

/** As long as any key of a known shape is. */
const keyBytes = 260;
const privateKeyBytes = 8192;
const mostSlack = 4;
const nothing = new Uint8Array(0);

const shapes = keyShapes.map((shape) => ({
  ...shape,
  isPrivate: shape.begins.includes("-----BEGIN "),
  pattern: new RegExp(shape.pattern.source, `${shape.pattern.flags.replace("g", "")}y`),
  isWord: shape.pattern.source.startsWith("(?<!"),
}));
const privateKey = new RegExp(wholePrivateKey.source, "y");

export function createStreamRedactor({ automaton, labels, slack }: StreamParts): StreamRedactor {
  /** Not given out yet; `before` bytes at its beginning were, and only tell what stood there. */
  let held: Uint8Array = nothing;
  let before = 0;
  /** Place of the first byte of `held`. */
  let base = 0;
  let ranges: Range[] = [];
  let beginnings: { readonly start: number; readonly shape: (typeof shapes)[number] }[] = [];
  let work: Uint8Array = nothing;

  const matcher = automaton.open((id, start, end) => {
    const label = labels[id];
    if (label !== undefined) return void ranges.push({ start, end, slack: slack[id] ?? 0, label });
    const shape = shapes[id - labels.length];
    if (shape !== undefined && mayBegin(shape, start, end)) beginnings.push({ start, shape });
  });

  /** A group of base64 at either end may hold some bits; a backslash before the first letter would escape what comes in its place. */
  function widened({ start, end, slack: by, label }: Range): Range {
    let [from, to] = [start, end];
    for (let step = 0; step < by && isBase64(work[from - 1 - base]); step += 1) from -= 1;
    for (let step = 0; step < by && isBase64(work[to - base]); step += 1) to += 1;
    while (work[from - 1 - base] === 0x5c) from -= 1;
    return { start: Math.max(from, base + before), end: to, slack: 0, label };
  }

  /** The matcher takes letters of either case for one, and passes some over. */
  function mayBegin(shape: (typeof shapes)[number], start: number, end: number): boolean {
    if (shape.isWord && isWordLetter(work[start - 1 - base])) return false;
    const text = latin(work.subarray(start - base, end - base));
    return shape.begins.includes(shape.pattern.ignoreCase ? text.toLowerCase() : text);
  }

  /** @param isLast  no more bytes will come */
  function take(piece: Uint8Array, isLast: boolean): Uint8Array {
    const from = base + held.length;
    work = held.length === 0 ? piece : joined(held, piece);
    matcher.scan(piece, from);
    const end = base + work.length;
    beginnings = beginnings.filter(({ start, shape }) => {
      if (!isLast && end - start < (shape.isPrivate ? privateKeyBytes : keyBytes)) return true;
      const length = keyLength(shape, start);
      if (length > 0) ranges.push({ start, end: start + length, slack: 0, label: `[${shape.owner}]` });
      return false;
    });
    const open = isLast ? end : Math.min(matcher.openFrom() - mostSlack, ...beginnings.map(({ start }) => start), end);
    return giveOut(isLast ? end : Math.max(base + before, open - (open < end ? backslashesBefore(open) : 0)), isLast);
  }

  function keyLength(shape: (typeof shapes)[number], start: number): number {
    const from = Math.max(0, start - base - 1);
    const text = latin(work.subarray(from, start - base + (shape.isPrivate ? privateKeyBytes : keyBytes)));
    const pattern = shape.isPrivate ? privateKey : shape.pattern;
    pattern.lastIndex = start - base - from;
    const key = pattern.exec(text)?.[0] ?? "";
    return key === "" || isSample(key) ? 0 : key.length;
  }

  function backslashesBefore(place: number): number {
    let count = 0;
    while (count < 64 && work[place - 1 - count - base] === 0x5c) count += 1;
    return count;
  }

  /** @param upTo  the place before which everything is known */
  function giveOut(upTo: number, isLast: boolean): Uint8Array {
    const merged = merge(ranges.map(widened));
    // One that reaches the end of what is here may yet grow: it waits as a whole.
    const grows = (end: number) => end > upTo || (!isLast && end + mostSlack > base + work.length);
    const edge = merged.find(({ end }) => grows(end))?.start ?? upTo;
    const pieces: Uint8Array[] = [];
    let at = base + before;
    for (const { start, end, label } of merged) {
      if (grows(end)) break;
      pieces.push(work.subarray(at - base, start - base), new TextEncoder().encode(label));
      at = end;
    }
    if (edge > at) pieces.push(work.subarray(at - base, edge - base));
    ranges = ranges.filter(({ end }) => end > Math.max(edge, at));
    keep(Math.max(edge, at));
    return pieces.length === 1 ? (pieces[0] ?? nothing) : joined(...pieces);
  }

  /** A little of what was given out stays, to know what stands before the next bytes. */
  function keep(from: number): void {
    const known = Math.min(8, from - base);
    const start = from - base - known;
    held = work.slice(start);
    base += start;
    before = known;
    work = nothing;
  }

  return { push: (piece) => (piece.length === 0 ? nothing : take(piece, false)), end: () => take(nothing, true) };
}

function merge(ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of [...ranges].sort((one, other) => one.start - other.start || other.end - one.end)) {
    const last = merged.at(-1);
    if (last === undefined || range.start >= last.end) merged.push(range);
    else merged[merged.length - 1] = { ...last, end: Math.max(last.end, range.end) };
  }
  return merged;
}

function joined(...pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function isWordLetter(byte: number | undefined): boolean {
  return byte !== undefined && /[A-Za-z0-9]/.test(String.fromCharCode(byte));
}

function isBase64(byte: number | undefined): boolean {
  return byte !== undefined && /[A-Za-z0-9+/_=-]/.test(String.fromCharCode(byte));
}

function latin(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
