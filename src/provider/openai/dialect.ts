/** The Chat Completions API. */
import { isObject } from "../../core/json.ts";
import type { ProviderRequest } from "../../ports/provider.ts";
import { textOf } from "../conversation.ts";
import type { Dialect } from "../dialect.ts";
import { completionId, formatData, streamChunks, tokensOf, wholeCompletion } from "./completion.ts";
import { errorBody, faults, rateLimited, usageLimit } from "./errors.ts";

export const openai: Dialect = {
  requestIdHeader: "x-request-id",
  readRequest,
  answerId: completionId,
  userOf: ({ body }) => body["safety_identifier"] ?? body["user"] ?? null,
  tokensOf,
  whole: wholeCompletion,
  events: streamChunks,
  // The role, for a call its name, and half of the words.
  untilHalf: ({ text = "" }) => (text === "" ? 3 : 2),
  error: errorBody,
  errorEvent: (type) => formatData(errorBody(type ?? "server_error", "The server had an error while processing your request.")),
  faults,
  rateLimited,
  usageLimit,
};

type Message = Readonly<Record<string, unknown>>;
const isFrom =
  (...roles: readonly string[]) =>
  ({ role }: Message) =>
    typeof role === "string" && roles.includes(role);
const wordsOf = (messages: readonly Message[]) => messages.map(({ content }) => textOf(content)).join("\n");

function readRequest(body: unknown): ProviderRequest | null {
  if (!isObject(body) || !Array.isArray(body["messages"])) return null;
  const messages: readonly Message[] = body["messages"].filter(isObject);
  const fromUser = messages.filter(isFrom("user"));
  return {
    model: typeof body["model"] === "string" ? body["model"] : "",
    stream: body["stream"] === true,
    step: messages.filter(isFrom("assistant")).length,
    prompt: wordsOf(fromUser.slice(0, 1)),
    system: wordsOf(messages.filter(isFrom("system", "developer"))),
    last: lastWords(messages) || wordsOf(fromUser.slice(-1)),
    body,
  };
}

/** Here the results of tools are messages of their own: all that came since the assistant spoke. */
function lastWords(messages: readonly Message[]): string {
  const spoken = messages.findLastIndex(isFrom("assistant"));
  return wordsOf(messages.slice(spoken + 1).filter(isFrom("user", "tool")));
}
