/**
 * Reads server-sent events that come in pieces. Of each event it tells the name, a few fields of the JSON object in its data, and its first bytes; nothing else
 * is kept, so a line without an end costs no memory. Total: what is no event is passed over.
 */
import { JsonSkim, type WantedKeys } from "./json-skim.ts";

export interface SseEvent {
  /** Empty where it has none, or none yet. */
  readonly name: string;
  /** The data, where it is a whole JSON object; null = it is something else. */
  readonly fields: { value(key: string): unknown } | null;
  /** The beginning of the data, as text: enough to know a word like `[DONE]`. */
  readonly head: string;
}

/** Is shown an event after each line of its data, and again at its end when its name came last: whoever takes it must not count. */
export type SseTaker = (event: SseEvent) => void;

type Place = "field" | "before-value" | "value";
type Field = "data" | "event" | "other";

const [lineFeed, carriageReturn, colon, space] = [0x0a, 0x0d, 0x3a, 0x20];
const byteOrderMark = [0xef, 0xbb, 0xbf];
const breakInData = Uint8Array.of(lineFeed);
const maxFieldBytes = 8;
const maxHeadBytes = 32;

export class SseReader {
  readonly #take: SseTaker;
  readonly #skim: JsonSkim;
  #place: Place = "field";
  #field = "";
  #name = "";
  #head = "";
  #lineLength = 0;
  #dataLines = 0;
  /** Something has come that was not shown yet. */
  #isNews = false;
  /** A line feed right after it belongs to the same line end. */
  #afterReturn = false;
  /** Bytes of a byte order mark that have come; -1 = past it. */
  #marks = 0;

  constructor(wanted: WantedKeys, take: SseTaker) {
    this.#skim = new JsonSkim(wanted);
    this.#take = take;
  }

  feed(bytes: Uint8Array): void {
    let at = this.#skipMark(bytes);
    while (at < bytes.length) {
      const end = endOfLine(bytes, at);
      this.#part(bytes, at, end);
      if (end < bytes.length) this.#break(bytes[end] === carriageReturn);
      at = end + 1;
    }
  }

  /** What came after the last empty line counts as an event too: who cuts a stream has told it all the same. */
  end(): void {
    if (this.#lineLength > 0) this.#endLine();
    this.#endEvent();
  }

  #skipMark(bytes: Uint8Array): number {
    let at = 0;
    while (this.#marks >= 0 && at < bytes.length) {
      if (bytes[at] !== byteOrderMark[this.#marks]) this.#marks = -1;
      else {
        at += 1;
        this.#marks += 1;
      }
    }
    return at;
  }

  /** A part of one line. */
  #part(bytes: Uint8Array, from: number, to: number): void {
    if (from === to) return;
    this.#afterReturn = false;
    this.#lineLength += to - from;
    let at = this.#place === "field" ? this.#fieldName(bytes, from, to) : from;
    if (this.#place === "before-value" && at < to) {
      this.#beginValue();
      if (bytes[at] === space) at += 1; // the first one is not part of the value
    }
    if (at < to) this.#value(bytes, at, to);
  }

  #fieldName(bytes: Uint8Array, from: number, to: number): number {
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === colon) {
        this.#place = "before-value";
        return at + 1;
      }
      if (this.#field.length < maxFieldBytes) this.#field += String.fromCharCode(byte);
    }
    return to;
  }

  #beginValue(): void {
    this.#place = "value";
    this.#isNews = true;
    if (this.#kind() === "event") this.#name = "";
    if (this.#kind() !== "data") return;
    if (this.#dataLines > 0) this.#data(breakInData, 0, 1);
    this.#dataLines += 1;
  }

  #value(bytes: Uint8Array, from: number, to: number): void {
    const kind = this.#kind();
    if (kind === "event") this.#name = withBytes(this.#name, bytes, from, to);
    if (kind === "data") this.#data(bytes, from, to);
  }

  #data(bytes: Uint8Array, from: number, to: number): void {
    this.#head = withBytes(this.#head, bytes, from, to);
    this.#skim.feed(bytes, from, to);
  }

  #kind(): Field {
    return this.#field === "data" || this.#field === "event" ? this.#field : "other";
  }

  #break(isReturn: boolean): void {
    const isSecondHalf = this.#afterReturn && !isReturn;
    this.#afterReturn = isReturn;
    if (isSecondHalf) return;
    if (this.#lineLength > 0) this.#endLine();
    else this.#endEvent();
  }

  #endLine(): void {
    const isData = this.#kind() === "data";
    this.#place = "field";
    this.#field = "";
    this.#lineLength = 0;
    // Told at the end of its line already: there are readers that do not wait for the empty one, and a stream may break off before it.
    if (isData) this.#show();
  }

  #endEvent(): void {
    if (this.#isNews) this.#show();
    this.#name = "";
    this.#head = "";
    this.#dataLines = 0;
    this.#skim.reset();
  }

  #show(): void {
    this.#isNews = false;
    this.#take({ name: this.#name, fields: this.#skim.isWhole ? this.#skim : null, head: this.#head });
  }
}

function endOfLine(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== lineFeed && bytes[at] !== carriageReturn) at += 1;
  return at;
}

/** As Latin-1: only ASCII words are looked for. */
function withBytes(text: string, bytes: Uint8Array, from: number, to: number): string {
  let longer = text;
  for (let at = from; at < to && longer.length < maxHeadBytes; at += 1) longer += String.fromCharCode(bytes[at] ?? 0);
  return longer;
}
