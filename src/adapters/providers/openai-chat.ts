/** The Chat Completions API of OpenAI, which many others speak: `POST /chat/completions` below a base URL that ends in `/v1`. */
import type { AnswerReader, WireAnswer, WireFormat, WireRequest } from "../../ports/wire-format.ts";
import { StoryReader } from "./answer-reader.ts";
import { nameIn } from "./counts.ts";
import { OpenAiStory } from "./openai-answer.ts";
import { asksForCache, gist, messagesOf, parseObject, positiveInteger, textOf } from "./request-text.ts";
import { isFreeForAll, plainPathOf } from "./wire-path.ts";

export const openaiChat: WireFormat = {
  name: "openai-chat",
  agentHeader: null,
  isCall: (path) => plainPathOf(path) === "/chat/completions",
  isFree: isFreeForAll,
  readRequest,
  openAnswer: (status, contentType): AnswerReader => new StoryReader(status, contentType, new OpenAiStory()),
  refusal: (message) => wireAnswer(400, message, [["x-should-retry", "false"]]),
  failure: (status, message) => wireAnswer(status, message, []),
};

function readRequest(bytes: Uint8Array): WireRequest | null {
  const body = parseObject(bytes);
  const model = nameIn(body?.["model"]);
  if (body === null || model === null) return null;
  return {
    model,
    stream: body["stream"] === true,
    maxOutputTokens: maxOutputTokens(body),
    answers: positiveInteger(body["n"]) ?? 1,
    writesCache: asksForCache(body),
    conversation: conversationOf(body),
  };
}

/** Of the old name and the new one the larger: an estimate from above. */
function maxOutputTokens(body: Readonly<Record<string, unknown>>): number | null {
  const most = Math.max(positiveInteger(body["max_completion_tokens"]) ?? 0, positiveInteger(body["max_tokens"]) ?? 0);
  return most === 0 ? null : most;
}

function conversationOf(body: Readonly<Record<string, unknown>>): string {
  const messages = messagesOf(body);
  const first = messages.findIndex(({ role }) => role === "user");
  const before = first < 0 ? messages : messages.slice(0, first);
  const system = before.filter(({ role }) => role === "system" || role === "developer").map(({ content }) => textOf(content));
  return `${gist(system.join("\n"))}\n\n${gist(textOf(messages[first]?.["content"]))}`;
}

function wireAnswer(status: number, message: string, headers: WireAnswer["headers"]): WireAnswer {
  return {
    status,
    headers: [["content-type", "application/json"], ...headers],
    body: JSON.stringify({ error: { message, type: typeOf(status), param: null, code: null } }),
  };
}

function typeOf(status: number): string {
  if (status === 429) return "rate_limit_exceeded";
  return status < 500 ? "invalid_request_error" : "server_error";
}
