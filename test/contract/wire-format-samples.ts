/** What answers are made of: the events of a stream, whole messages, and their counts. */
import { usage } from "./wire-format-kit.ts";

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
/** Counts of every kind, and what they come to. */
export const sum = { input_tokens: 7, output_tokens: 5, cache_read_input_tokens: 3, cache_creation_input_tokens: 2 };
export const summed = usage({ input: 7, output: 5, cacheRead: 3, cacheWrite: 2 });

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
