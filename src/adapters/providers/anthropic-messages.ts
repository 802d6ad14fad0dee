/** The Messages API of Anthropic: `POST /v1/messages`. */
import { newToolResults } from "../../core/tool-results.ts";
import type { AnswerReader, WireAnswer, WireFormat, WireRequest } from "../../ports/wire-format.ts";
import { StoryReader } from "./answer-reader.ts";
import { AnthropicStory } from "./anthropic-answer.ts";
import { nameIn } from "./counts.ts";
import { asksForCache, gist, messagesOf, parseObject, positiveInteger, textOf } from "./request-text.ts";
import { isFreeForAll, plainPathOf } from "./wire-path.ts";

export const anthropicMessages: WireFormat = {
  name: "anthropic-messages",
  agentHeader: "x-claude-code-agent-id",
  isCall: (path) => plainPathOf(path) === "/messages",
  isFree: (method, path) => isFreeForAll(method, path) || (method === "POST" && plainPathOf(path) === "/messages/count_tokens"),
  readRequest,
  openAnswer: (status, contentType): AnswerReader => new StoryReader(status, contentType, new AnthropicStory()),
  // Claude Code asks once more with fewer of its own features after any other 400, and not after this one.
  refusal: (message) => wireAnswer(400, message, [["x-should-retry", "false"]], "billing_error"),
  failure: (status, message) => wireAnswer(status, message, []),
};

function readRequest(bytes: Uint8Array): WireRequest | null {
  const body = parseObject(bytes);
  const model = nameIn(body?.["model"]);
  if (body === null || model === null) return null;
  const messages = messagesOf(body);
  const first = messages.find(({ role }) => role === "user");
  const toolResults = newToolResults(messages);
  return {
    model,
    stream: body["stream"] === true,
    maxOutputTokens: positiveInteger(body["max_tokens"]),
    answers: 1,
    writesCache: asksForCache(body),
    conversation: `${gist(textOf(body["system"]))}\n\n${gist(textOf(first?.["content"]))}`,
    ...(toolResults.length === 0 ? {} : { toolResults }),
  };
}

const types: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

function wireAnswer(status: number, message: string, headers: WireAnswer["headers"], word?: string): WireAnswer {
  const type = word ?? types[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
  return {
    status,
    headers: [["content-type", "application/json"], ...headers],
    body: JSON.stringify({ type: "error", error: { type, message } }),
  };
}
