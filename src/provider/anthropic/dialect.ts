/** The Messages API. */
import { isObject } from "../../core/json.ts";
import type { ProviderRequest } from "../../ports/provider.ts";
import { textOf } from "../conversation.ts";
import { billedTokens, type Dialect } from "../dialect.ts";
import { errorBody, faults, rateLimited, usageLimit } from "./errors.ts";
import { formatEvent, messageId, streamEvents, wholeMessage } from "./message.ts";

export const anthropic: Dialect = {
  requestIdHeader: "request-id",
  readRequest,
  answerId: messageId,
  userOf: ({ body }) => (isObject(body["metadata"]) ? (body["metadata"]["user_id"] ?? null) : null),
  tokensOf: billedTokens,
  whole: wholeMessage,
  events: streamEvents,
  // The start of the message, of its first block, and half of that block's content.
  untilHalf: () => 3,
  error: errorBody,
  errorEvent: (type) => formatEvent({ ...errorBody(type ?? "api_error", "Internal server error"), type: "error" }),
  faults,
  rateLimited,
  usageLimit,
};

function readRequest(body: unknown): ProviderRequest | null {
  if (!isObject(body) || !Array.isArray(body["messages"])) return null;
  const messages = body["messages"].filter(isObject);
  const said = (role: string) => messages.filter((message) => message["role"] === role);
  const fromUser = said("user").map((message) => textOf(message["content"]));
  return {
    model: typeof body["model"] === "string" ? body["model"] : "",
    stream: body["stream"] === true,
    step: said("assistant").length,
    prompt: fromUser.at(0) ?? "",
    system: textOf(body["system"]),
    last: fromUser.at(-1) ?? "",
    body,
  };
}
