/** An answer of the Chat Completions API: one object, or chunks up to the word `[DONE]`, of which one may hold the usage. */
import type { Usage } from "../../core/money/usage.ts";
import type { AnswerStory } from "./answer-reader.ts";
import { nameIn, readCounts } from "./counts.ts";
import type { SseEvent } from "./sse-reader.ts";

const places = {
  prompt: ["prompt_tokens"],
  cached: ["prompt_tokens_details", "cached_tokens"],
  completion: ["completion_tokens"],
  total: ["total_tokens"],
} as const;

export class OpenAiStory implements AnswerStory {
  readonly wanted = { id: 512, model: 512, usage: 16_384, error: 64 };
  #ending: AnswerStory["ending"] = "open";
  #usage: Usage | null = null;
  #model: string | null = null;
  #messageId: string | null = null;

  get ending(): AnswerStory["ending"] {
    return this.#ending;
  }

  event({ name, fields, head }: SseEvent): void {
    if (head.trim() === "[DONE]") this.#ending = "whole";
    else if (name === "error" || hasError(fields)) this.#ending = "error";
    if (fields !== null) this.#read(fields);
  }

  body(fields: NonNullable<SseEvent["fields"]>): void {
    this.#ending = hasError(fields) ? "error" : "whole";
    this.#read(fields);
  }

  #read(fields: NonNullable<SseEvent["fields"]>): void {
    this.#messageId ??= nameIn(fields.value("id"));
    this.#model ??= nameIn(fields.value("model"));
    const usage = fields.value("usage");
    if (usage !== undefined && usage !== null) this.#usage = usageOf(usage);
  }

  tell() {
    return { usage: this.#usage, model: this.#model, messageId: this.#messageId };
  }
}

function hasError(fields: SseEvent["fields"]): boolean {
  const error = fields?.value("error");
  return error !== undefined && error !== null;
}

function usageOf(value: unknown): Usage | null {
  const counts = readCounts(value, places);
  if (counts?.prompt === undefined || counts.completion === undefined) return null;
  const { prompt, completion, cached = 0, total = 0 } = counts;
  if (cached > prompt) return null;
  // Some who speak this format leave reasoning out of the completion, and have it in the total: it is billed as output.
  const output = Math.max(completion, total - prompt);
  return { input: prompt - cached, output, cacheRead: cached, cacheWrite: 0, cacheWriteLong: 0, searches: 0 };
}
