/** Answers as they come over the wire, and what was read of them. */
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

export const start = (usageFields: object = { input_tokens: 1000, cache_read_input_tokens: 40_000, output_tokens: 1 }) => ({
  type: "message_start",
  message: { id: "msg_1", type: "message", role: "assistant", model: "claude-opus-5-5", content: [], usage: usageFields },
});
export const words = (text: string) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
export const delta = (usageFields: object) => ({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: usageFields });
export const stop = { type: "message_stop" };
export const message = (usageFields: unknown, text = "Good night.") => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-opus-5-5",
  content: [{ type: "text", text }],
  usage: usageFields,
});

export const chunk = (change: object = {}, text = "word") => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  model: "gpt-6",
  choices: [{ index: 0, delta: { content: text }, finish_reason: null }],
  ...change,
});
export const completion = (usageFields: unknown, text = "Good night.") => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  model: "gpt-6",
  choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
  usage: usageFields,
});
export const bill = { prompt_tokens: 1200, prompt_tokens_details: { cached_tokens: 200 }, completion_tokens: 30, total_tokens: 1230 };
export const billed = usage({ input: 1000, cacheRead: 200, output: 30 });

/** What a whole answer of each format says. */
export const told = {
  anthropic: { isComplete: true, whole: true, model: "claude-opus-5-5", messageId: "msg_1", failure: null },
  openai: { isComplete: true, whole: true, model: "gpt-6", messageId: "chatcmpl-1", failure: null },
};
