/**
 * Reads a JSON object that comes in pieces and keeps only the values of a few of its own keys. It respects strings and nesting, so words that a model
 * wrote are never taken for a field. What it keeps is bounded, whatever comes; it never throws. It does not judge the rest: `{"a":@}` is read as an object.
 */

/** Names of keys, and the most bytes that a value may have. */
export type WantedKeys = Readonly<Record<string, number>>;

/** A value that was too large, or no JSON. */
export const unreadable: unique symbol = Symbol("unreadable");

type State = "start" | "key" | "in-key" | "colon" | "value" | "text" | "nested" | "nested-text" | "word" | "comma" | "whole" | "broken";

const maxKeyBytes = 64;
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

export class JsonSkim {
  readonly #wanted: WantedKeys;
  readonly #kept = new Map<string, Kept>();
  readonly #key = new Kept(maxKeyBytes);
  #state: State = "start";
  #isEscaped = false;
  #depth = 0;
  #current: Kept | null = null;

  constructor(wanted: WantedKeys) {
    this.#wanted = wanted;
  }

  /** The object has ended. */
  get isWhole(): boolean {
    return this.#state === "whole";
  }

  /** This is no JSON object. */
  get isBroken(): boolean {
    return this.#state === "broken";
  }

  /** Undefined = not there. Of a key that comes twice the last value counts, as everywhere. */
  value(key: string): unknown {
    const kept = this.#kept.get(key);
    return kept === undefined || kept.isEmpty ? undefined : kept.parsed();
  }

  /** Begins a new object. */
  reset(): void {
    this.#state = "start";
    this.#isEscaped = false;
    this.#depth = 0;
    this.#current = null;
    for (const kept of this.#kept.values()) kept.clear();
  }

  feed(bytes: Uint8Array, from = 0, to = bytes.length): void {
    let at = from;
    while (at < to && this.#state !== "whole" && this.#state !== "broken") {
      const begun = at;
      const keeper = this.#keeper();
      at = this.#step(bytes, at, to);
      keeper?.add(bytes, begun, at);
    }
  }

  /** Who keeps the bytes of the next step; steps that begin a value keep its first byte themselves. */
  #keeper(): Kept | null {
    switch (this.#state) {
      case "in-key":
        return this.#key;
      case "text":
      case "nested":
      case "nested-text":
      case "word":
        return this.#current;
      default:
        return null;
    }
  }

  /** Reads at least one byte; gives where it stopped. */
  #step(bytes: Uint8Array, at: number, to: number): number {
    switch (this.#state) {
      case "in-key":
        return this.#text(bytes, at, to, "colon");
      case "text":
        return this.#text(bytes, at, to, "comma");
      case "nested-text":
        return this.#text(bytes, at, to, "nested");
      case "nested":
        return this.#nested(bytes, at, to);
      case "word":
        return this.#word(bytes, at, to);
      default:
        this.#between(bytes, at);
        return at + 1;
    }
  }

  #between(bytes: Uint8Array, at: number): void {
    const byte = bytes[at] ?? 0;
    if (isSpace(byte)) return;
    if (this.#state === "value") this.#beginValue(bytes, at, byte);
    else if (this.#state === "start" && byte === openBrace) this.#state = "key";
    else if (this.#state === "key" && byte === quote) this.#beginKey(bytes, at);
    else if (this.#state === "colon" && byte === colon) this.#state = "value";
    else if (this.#state === "comma" && byte === comma) this.#state = "key";
    else if ((this.#state === "comma" || this.#state === "key") && byte === closeBrace) this.#state = "whole";
    else this.#state = "broken";
  }

  #beginKey(bytes: Uint8Array, at: number): void {
    this.#key.clear();
    this.#key.add(bytes, at, at + 1);
    this.#state = "in-key";
  }

  #beginValue(bytes: Uint8Array, at: number, byte: number): void {
    if (byte === comma || byte === colon || byte === closeBrace || byte === closeBracket) {
      this.#state = "broken";
      return;
    }
    this.#current = this.#keeperOf(this.#key.parsed());
    this.#current?.clear();
    this.#current?.add(bytes, at, at + 1);
    this.#depth = 1;
    this.#state = byte === quote ? "text" : byte === openBrace || byte === openBracket ? "nested" : "word";
  }

  #keeperOf(key: unknown): Kept | null {
    if (typeof key !== "string" || !Object.hasOwn(this.#wanted, key)) return null;
    const kept = this.#kept.get(key) ?? new Kept(this.#wanted[key] ?? 0);
    this.#kept.set(key, kept);
    return kept;
  }

  #text(bytes: Uint8Array, from: number, to: number, next: State): number {
    let at = from;
    for (; at < to; at += 1) {
      const byte = bytes[at];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) {
        this.#state = next;
        return at + 1;
      }
    }
    return at;
  }

  #nested(bytes: Uint8Array, from: number, to: number): number {
    let at = from;
    for (; at < to; at += 1) {
      const byte = bytes[at];
      if (byte === quote) {
        this.#state = "nested-text";
        return at + 1;
      }
      if (byte === openBrace || byte === openBracket) this.#depth += 1;
      else if (byte === closeBrace || byte === closeBracket) this.#depth -= 1;
      if (this.#depth === 0) {
        this.#state = "comma";
        return at + 1;
      }
    }
    return at;
  }

  /** A number, true, false or null: up to what cannot belong to it. */
  #word(bytes: Uint8Array, from: number, to: number): number {
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte !== comma && byte !== closeBrace && !isSpace(byte)) continue;
      this.#state = "comma";
      return at;
    }
    return to;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

const decoder = new TextDecoder();
const maxShortBytes = 64;

/** Short texts are nearly always ASCII, and to call the decoder for each would be most of the work. */
function textOf(bytes: Uint8Array, length: number): string {
  let text = "";
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x80 || at === maxShortBytes) return decoder.decode(bytes.subarray(0, length));
    text += String.fromCharCode(byte);
  }
  return text;
}

/** Bytes up to a limit. */
class Kept {
  readonly #max: number;
  #bytes = new Uint8Array(0);
  #length = 0;
  #isTooLong = false;

  constructor(max: number) {
    this.#max = max;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  clear(): void {
    this.#length = 0;
    this.#isTooLong = false;
  }

  add(bytes: Uint8Array, from: number, to: number): void {
    const length = this.#length + to - from;
    if (this.#isTooLong || length > this.#max) {
      this.#isTooLong = true;
      return;
    }
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.min(this.#max, Math.max(64, 2 * length)));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes.subarray(from, to), this.#length);
    this.#length = length;
  }

  parsed(): unknown {
    if (this.#isTooLong) return unreadable;
    try {
      return JSON.parse(textOf(this.#bytes, this.#length)) as unknown;
    } catch {
      return unreadable; // the provider's JSON is broken here
    }
  }
}
