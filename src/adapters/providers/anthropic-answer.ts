/** An answer of the Messages API: one message, or the events of a stream, whose counts run on: each number that comes later replaces the earlier one. */
import { isObject } from "../../core/json.ts";
import { addUsage, noUsage, type Usage } from "../../core/money/usage.ts";
import type { AnswerStory } from "./answer-reader.ts";
import { type Counts, nameIn, readCounts } from "./counts.ts";
import type { SseEvent } from "./sse-reader.ts";

type Name = "input" | "output" | "cacheRead" | "written" | "writtenShort" | "writtenLong" | "searches";

const places: Readonly<Record<Name, readonly string[]>> = {
  input: ["input_tokens"],
  output: ["output_tokens"],
  cacheRead: ["cache_read_input_tokens"],
  written: ["cache_creation_input_tokens"],
  writtenShort: ["cache_creation", "ephemeral_5m_input_tokens"],
  writtenLong: ["cache_creation", "ephemeral_1h_input_tokens"],
  searches: ["server_tool_use", "web_search_requests"],
};

export class AnthropicStory implements AnswerStory {
  readonly wanted = { type: 64, id: 512, model: 512, message: 65_536, usage: 65_536 };
  #ending: AnswerStory["ending"] = "open";
  #counts: Counts<Name> | null = {};
  #besides: readonly (Counts<Name> | null)[] = [];
  /** The last count was told, not the guess with which a stream begins. */
  #isFinal = false;
  #model: string | null = null;
  #messageId: string | null = null;

  get ending(): AnswerStory["ending"] {
    return this.#ending;
  }

  event({ name, fields }: SseEvent): void {
    switch (nameIn(fields?.value("type")) ?? name) {
      case "message_start":
        this.#begin(fields?.value("message"));
        break;
      case "message_delta":
        this.#count(fields?.value("usage"), true);
        break;
      case "message_stop":
        this.#ending = "whole";
        break;
      case "error":
        this.#ending = "error";
    }
  }

  body(fields: NonNullable<SseEvent["fields"]>): void {
    this.#ending = fields.value("type") === "error" ? "error" : "whole";
    this.#begin({ id: fields.value("id"), model: fields.value("model") });
    this.#count(fields.value("usage"), true);
  }

  #begin(message: unknown): void {
    if (message === undefined) return;
    const { id, model, usage } = isObject(message) ? message : { id: null, model: null, usage: message };
    this.#messageId = nameIn(id);
    this.#model = nameIn(model);
    this.#count(usage, false);
  }

  #count(usage: unknown, isFinal: boolean): void {
    if (usage === undefined || usage === null) return;
    const told = readCounts(usage, places);
    this.#counts = told === null || this.#counts === null ? null : { ...this.#counts, ...told };
    this.#besides = besides(usage) ?? this.#besides;
    this.#isFinal ||= isFinal;
  }

  tell() {
    const isGuess = this.#ending === "whole" && !this.#isFinal;
    const usages = [usageOf(this.#counts), ...this.#besides.map(usageOf)];
    return { usage: isGuess ? null : sumOf(usages), model: this.#model, messageId: this.#messageId };
  }
}

/** What the provider did besides, within one call (to shorten the conversation, say): billed, and not in the numbers above. Null = nothing is said of it. */
function besides(usage: unknown): readonly (Counts<Name> | null)[] | null {
  const rounds = isObject(usage) ? usage["iterations"] : null;
  if (!Array.isArray(rounds)) return null;
  return rounds.filter((round) => !isObject(round) || round["type"] !== "message").map((round) => readCounts(round, places));
}

function usageOf(counts: Counts<Name> | null): Usage | null {
  if (counts?.input === undefined || counts.output === undefined) return null;
  const { input, output, cacheRead = 0, written = 0, writtenShort = 0, writtenLong: cacheWriteLong = 0, searches = 0 } = counts;
  // A delta tells the sum of both kinds alone: what is not known to be for an hour is for five minutes.
  const cacheWrite = Math.max(writtenShort, written - cacheWriteLong);
  return { input, output, cacheRead, cacheWrite, cacheWriteLong, searches };
}

function sumOf(usages: readonly (Usage | null)[]): Usage | null {
  return usages.reduce<Usage | null>((sum, usage) => (sum === null || usage === null ? null : addUsage(sum, usage)), noUsage);
}
