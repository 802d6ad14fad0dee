/**
 * Finds any of many texts in bytes that come in pieces, in one pass whose cost does not depend on their number (Aho and Corasick's automaton).
 * For matching, letters of either case are one, and so are `+` and `-`, `/` and `_`; passed over are backslashes, NULs, line ends (also written `\n`), and spaces at the beginning
 * of a line. So a secret is found that was escaped any number of times, wrapped, indented, or written in UTF-16.
 */

export interface Needle {
  /** Bytes as Latin letters. */
  readonly text: string;
  readonly id: number;
}

export interface Matcher {
  /** Goes on from the pieces before. @param from  place of the first byte */
  readonly scan: (bytes: Uint8Array, from: number) => void;
  /** Where a text begins that what was seen so far may be the first part of; the end of what was seen where there is none. */
  readonly openFrom: () => number;
}

/** @param start  place of its first byte; @param end  place after its last */
export type OnMatch = (id: number, start: number, end: number) => void;

/** Letters that no needle has are one; the next three names are of what is passed over. */
const other = 0;
const [passed, lineEnd, backslash] = [1, 2, 3];
const firstLetter = 4;
/** Names take so many bits: what more letters would need is one letter with `other`, and a needle with such a one is left out. */
const bits = 7;
const width = 2 ** bits;

/** Built once; `open` begins with one sequence of pieces. */
export function createAutomaton(needles: readonly Needle[]): { readonly open: (onMatch: OnMatch) => Matcher } {
  const names = namesOf(needles);
  const machine = { ...buildTrie(needles, names), names };
  return { open: (onMatch) => openMatcher(machine, onMatch) };
}

function namesOf(needles: readonly Needle[]): Uint8Array {
  const names = new Uint8Array(256);
  let count = firstLetter;
  for (const { text } of needles)
    for (const letter of text) {
      const folded = fold(letter.charCodeAt(0));
      if (names[folded] === other && count < width) names[folded] = count++;
    }
  for (let byte = 0; byte < 256; byte += 1) names[byte] = names[fold(byte)] ?? other;
  names[0x00] = passed;
  names[0x0a] = lineEnd;
  names[0x0d] = lineEnd;
  names[0x5c] = backslash;
  return names;
}

function fold(byte: number): number {
  if (byte >= 0x41 && byte <= 0x5a) return byte + 0x20;
  return byte === 0x2b ? 0x2d : byte === 0x2f ? 0x5f : byte;
}

interface Trie {
  /** State and name -> state; below 0 where there is something to see to: -1 less the state. */
  readonly next: Int32Array;
  /** State -> letters on the way to it from the start. */
  readonly depth: Int32Array;
  /** State -> needle that ends there, the longest; -1 = none. */
  readonly found: Int32Array;
  /** State -> how long that one is. */
  readonly length: Int32Array;
}

function buildTrie(needles: readonly Needle[], names: Uint8Array): Trie {
  const words = needles.map(({ text, id }) => ({ letters: lettersOf(text, names), id })).filter(({ letters }) => letters.length > 0);
  const most = 1 + words.reduce((sum, { letters }) => sum + letters.length, 0);
  const next = new Int32Array(most * width);
  const [depth, found, length] = [new Int32Array(most), new Int32Array(most).fill(-1), new Int32Array(most)];
  let states = 1;
  for (const { letters, id } of words) {
    let state = 0;
    for (const letter of letters) {
      const at = state * width + letter;
      if (next[at] === 0) {
        depth[states] = (depth[state] ?? 0) + 1;
        next[at] = states;
        states += 1;
      }
      state = next[at] ?? 0;
    }
    if (found[state] !== -1) continue;
    found[state] = id;
    length[state] = letters.length;
  }
  const trie = { next: next.subarray(0, states * width), depth, found, length };
  addFailures(trie, states);
  return trie;
}

/** Where a letter leads nowhere, it leads to where the longest end of what was read goes on. */
function addFailures({ next, found, length }: Trie, states: number): void {
  const failure = new Int32Array(states);
  const order = Array.from(next.subarray(0, width)).filter((state) => state !== 0);
  for (const state of order) {
    const back = failure[state] ?? 0;
    if (found[state] === -1) {
      found[state] = found[back] ?? -1;
      length[state] = length[back] ?? 0;
    }
    for (let letter = 0; letter < width; letter += 1) {
      const at = state * width + letter;
      const instead = next[back * width + letter] ?? 0;
      if (next[at] === 0) next[at] = instead;
      else {
        failure[next[at] ?? 0] = instead;
        order.push(next[at] ?? 0);
      }
    }
  }
  for (let at = 0; at < next.length; at += 1) if (found[next[at] ?? 0] !== -1) next[at] = -1 - (next[at] ?? 0);
  for (let state = 1; state < states; state += 1) for (const name of [passed, lineEnd, backslash]) next[state * width + name] = -1 - state;
}

/** A needle as it is matched: what is passed over in a text is passed over in it. */
function lettersOf(text: string, names: Uint8Array): readonly number[] {
  const letters: number[] = [];
  let [atLineStart, escaped] = [false, false];
  for (const letter of text) {
    const byte = letter.charCodeAt(0);
    const name = names[byte] ?? other;
    if (escaped && letters.length > 0 && isWrittenEnd(byte)) atLineStart = true;
    else if (name === lineEnd) atLineStart = true;
    else if (name !== passed && name !== backslash && !(atLineStart && isSpace(byte))) {
      if (name === other) return [];
      letters.push(name);
      atLineStart = false;
    }
    escaped = name === backslash;
  }
  return letters;
}

/** The letter behind a backslash that makes it a line end. */
const isWrittenEnd = (byte: number): boolean => byte === 0x6e || byte === 0x72;
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09;

interface Machine extends Trie {
  readonly names: Uint8Array;
}

/** More than that is kept of nobody's text. */
const mostPassed = 4096;

function openMatcher({ next, depth, found, length, names }: Machine, onMatch: OnMatch): Matcher {
  let [state, seen, atLineStart, escaped] = [0, 0, false, false];
  /** Places that were passed over while something was open. */
  let passedOver: number[] = [];

  const pass = (place: number) => {
    passedOver.push(place);
    if (passedOver.length > 2 * mostPassed) passedOver = passedOver.slice(-mostPassed);
  };
  /** Where the last `letters` letters began, of which the last lies before `end`. */
  const startOf = (letters: number, end: number): number => {
    let start = end - letters;
    for (let index = passedOver.length - 1; index >= 0 && (passedOver[index] ?? 0) >= start; index -= 1) start -= 1;
    return start;
  };
  /** Whether the byte behind something that was passed over is passed over as well. */
  const goesOn = (byte: number): boolean => {
    const name = names[byte] ?? other;
    if (name === passed) return true;
    if (name === backslash) {
      escaped = true;
      return true;
    }
    const isEnd = name === lineEnd || (escaped && isWrittenEnd(byte));
    escaped = false;
    if (isEnd) atLineStart = true;
    return isEnd || (atLineStart && isSpace(byte));
  };

  return {
    scan(bytes, from) {
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at] as number;
        if ((atLineStart || escaped) && goesOn(byte)) {
          pass(from + at);
          continue;
        }
        [atLineStart, escaped] = [false, false];
        const to = next[(state << bits) | (names[byte] as number)] as number;
        if (to >= 0) {
          // What is in no needle takes up nearly all of a text: nothing else is done for it.
          at = hurry(bytes, at + 1, to) - 1;
          continue;
        }
        see(byte, -1 - to, from + at);
      }
      seen = from + bytes.length;
    },
    openFrom: () => (state === 0 ? seen : startOf(depth[state] as number, seen)),
  };

  /** Up to the next byte that has to be seen to. */
  function hurry(bytes: Uint8Array, from: number, first: number): number {
    let [at, now] = [from, first];
    for (; at < bytes.length; at += 1) {
      const to = next[(now << bits) | (names[bytes[at] as number] as number)] as number;
      if (to < 0) break;
      now = to;
    }
    state = now;
    return at;
  }

  function see(byte: number, to: number, place: number): void {
    const name = names[byte] ?? other;
    if (name === passed || name === lineEnd || name === backslash) {
      goesOn(byte);
      // Nothing was open before: the places of an earlier text are of no use.
      pass(place);
      return;
    }
    state = to;
    onMatch(found[to] as number, startOf(length[to] as number, place + 1), place + 1);
  }
}
