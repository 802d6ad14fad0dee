/**
 * Reads an answer whatever its format: as events, as one JSON object, or not at all. Memory is bounded: of events and objects only a few fields are kept. (A head and
 * a tail of the body would not do: the fields may stand anywhere, and words of the model look like them.)
 */
import type { CallFailure } from "../../core/money/call.ts";
import type { Usage } from "../../core/money/usage.ts";
import type { AnswerReader, ReadAnswer } from "../../ports/wire-format.ts";
import { JsonSkim, type WantedKeys } from "./json-skim.ts";
import { type SseEvent, SseReader } from "./sse-reader.ts";

/** What one format makes of what it is shown. The same thing shown twice changes nothing. */
export interface AnswerStory {
  readonly wanted: WantedKeys;
  event(event: SseEvent): void;
  /** The whole answer, where it is one object. */
  body(fields: NonNullable<SseEvent["fields"]>): void;
  /** `error`: the provider broke off. Both are its last word. */
  readonly ending: "open" | "whole" | "error";
  tell(): { readonly usage: Usage | null; readonly model: string | null; readonly messageId: string | null };
}

type Shape = "unknown" | "events" | "object" | "other";

const byteOrderMark = [0xef, 0xbb, 0xbf];
const blanks = [0x20, 0x09, 0x0a, 0x0d];

export class StoryReader implements AnswerReader {
  readonly #status: number;
  readonly #story: AnswerStory;
  readonly #events: SseReader;
  readonly #object: JsonSkim;
  #shape: Shape;

  constructor(status: number, contentType: string, story: AnswerStory) {
    this.#status = status;
    this.#story = story;
    this.#shape = /^\s*text\/event-stream\b/i.test(contentType) ? "events" : "unknown";
    this.#events = new SseReader(story.wanted, (event) => this.#story.ending === "open" && this.#story.event(event));
    this.#object = new JsonSkim(story.wanted);
  }

  get isComplete(): boolean {
    return this.#object.isWhole || this.#story.ending !== "open";
  }

  feed(bytes: Uint8Array): void {
    if (this.isComplete) return;
    const from = this.#shape === "unknown" ? this.#recognise(bytes) : 0;
    if (this.#shape === "events") this.#events.feed(bytes.subarray(from));
    if (this.#shape === "object") this.#feedObject(bytes, from);
  }

  #feedObject(bytes: Uint8Array, from: number): void {
    this.#object.feed(bytes, from);
    if (this.#object.isWhole) this.#story.body(this.#object);
    if (this.#object.isBroken) this.#shape = "other";
  }

  /** By the first byte that means something: a server may call its answer anything. Gives where that byte is. */
  #recognise(bytes: Uint8Array): number {
    const at = bytes.findIndex((byte) => !blanks.includes(byte) && !byteOrderMark.includes(byte));
    if (at < 0) return bytes.length;
    this.#shape = shapeBegunBy(String.fromCharCode(bytes[at] ?? 0));
    return at;
  }

  end(endedWell: boolean): ReadAnswer {
    if (this.#shape === "events") this.#events.end();
    const { ending } = this.#story;
    if (this.#status < 200 || this.#status > 299)
      return { whole: this.isComplete || endedWell, usage: null, model: null, messageId: null, failure: failureOf(this.#status) };
    const whole = ending === "whole" || (this.#shape === "other" && endedWell);
    return { whole, ...this.#story.tell(), failure: ending === "error" ? "error-in-stream" : null };
  }
}

function shapeBegunBy(first: string): Shape {
  if (first === "{") return "object";
  return "deir:".includes(first) ? "events" : "other";
}

/** @param status  any but 2xx */
export function failureOf(status: number): CallFailure {
  if (status === 429) return "limited";
  if (status === 503 || status === 529) return "overloaded";
  return status < 500 ? "refused" : "server-error";
}
