/** Reads answers as they come over the wire, and tells what was read of them. What they are made of is in wire-format-samples.ts. */
import { anthropicMessages } from "../../src/adapters/providers/anthropic-messages.ts";
import { openaiChat } from "../../src/adapters/providers/openai-chat.ts";
import { noUsage, type Usage } from "../../src/core/money/usage.ts";
import type { ReadAnswer, WireFormat } from "../../src/ports/wire-format.ts";

export const formats = { anthropic: anthropicMessages, openai: openaiChat };

export interface Wire {
  readonly status?: number;
  readonly type?: string;
  readonly endedWell?: boolean;
}

/** An answer read whole, with whether its last word had come before its end. */
export type Reading = ReadAnswer & { readonly isComplete: boolean };

export function read(format: WireFormat, pieces: readonly (string | Uint8Array)[], wire: Wire = {}): Reading {
  const reader = format.openAnswer(wire.status ?? 200, wire.type ?? "");
  for (const piece of pieces) reader.feed(typeof piece === "string" ? Buffer.from(piece) : piece);
  const { isComplete } = reader;
  return { isComplete, ...reader.end(wire.endedWell ?? true) };
}

export function usage(change: Partial<Usage>): Usage {
  return { ...noUsage, ...change };
}

/** Each value as an event: an object as JSON, a text as it is. */
export function stream(...events: readonly (object | string)[]): string {
  return events.map((event) => `${named(event)}data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`).join("");
}

function named(event: object | string): string {
  return typeof event === "object" && "type" in event ? `event: ${String(event.type)}\n` : "";
}

/** What a whole answer of each format says. */
export const told = {
  anthropic: { isComplete: true, whole: true, model: "claude-opus-5-5", messageId: "msg_1", failure: null },
  openai: { isComplete: true, whole: true, model: "gpt-6", messageId: "chatcmpl-1", failure: null },
};
