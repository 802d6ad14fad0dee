/** The errors of OpenAI's API, as its callers know them: status, headers and body. */
import type { PlainFault } from "../../ports/provider.ts";
import { badGateway, type HttpAnswer, httpAnswer } from "../http-answer.ts";

export function errorBody(type: string, message: string, code: string | null = null): object {
  return { error: { message, type, param: null, code } };
}

const refuse = (status: number, type: string, message: string, code: string | null = null) =>
  httpAnswer(status, errorBody(type, message, code));
const wrong = "invalid_request_error";

export const faults: Readonly<Record<PlainFault, (model: string) => HttpAnswer>> = {
  overloaded: () => refuse(503, "server_error", "The engine is currently overloaded, please try again later."),
  "server-error": () => refuse(500, "server_error", "The server had an error while processing your request."),
  "bad-gateway": badGateway,
  "bad-key": () => refuse(401, wrong, "Incorrect API key provided.", "invalid_api_key"),
  forbidden: () => refuse(403, wrong, "You have insufficient permissions for this operation.", "insufficient_permissions"),
  "no-credit": () => refuse(429, "insufficient_quota", "You exceeded your current quota, please check your plan.", "insufficient_quota"),
  "no-model": (model) => refuse(404, wrong, `The model \`${model}\` does not exist or you do not have access to it.`, "model_not_found"),
  "bad-request": () => refuse(400, wrong, "messages: this request is scripted to be wrong"),
  "prompt-too-long": () => refuse(400, wrong, "This model's maximum context length is 1000000 tokens.", "context_length_exceeded"),
};

export function rateLimited(afterMs: number): HttpAnswer {
  return httpAnswer(429, errorBody("requests", "Rate limit reached, please try again later.", "rate_limit_exceeded"), {
    "retry-after": String(Math.ceil(afterMs / 1000)),
    "retry-after-ms": String(Math.ceil(afterMs)),
  });
}

/** A subscription's limit: the body says when it ends. */
export function usageLimit(resetsAtS: number): HttpAnswer {
  const { error } = errorBody("usage_limit_reached", "The usage limit has been reached") as { error: object };
  return httpAnswer(429, { error: { ...error, resets_at: resetsAtS } });
}
