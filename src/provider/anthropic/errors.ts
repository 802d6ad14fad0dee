/** The errors of the Messages API, as its callers know them: status, headers and body. */
import type { PlainFault } from "../../ports/provider.ts";
import { badGateway, type HttpAnswer, httpAnswer } from "../http-answer.ts";

export function errorBody(type: string, message: string): object {
  return { type: "error", error: { type, message } };
}

const refuse = (status: number, type: string, message: string) => httpAnswer(status, errorBody(type, message));

export const faults: Readonly<Record<PlainFault, (model: string) => HttpAnswer>> = {
  overloaded: () => refuse(529, "overloaded_error", "Overloaded"),
  "server-error": () => refuse(500, "api_error", "Internal server error"),
  "bad-gateway": badGateway,
  "bad-key": () => refuse(401, "authentication_error", "invalid x-api-key"),
  forbidden: () => refuse(403, "permission_error", "Your API key does not have permission to use the specified resource."),
  "no-credit": () => refuse(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
  "no-model": (model) => refuse(404, "not_found_error", `model: ${model}`),
  "bad-request": () => refuse(400, "invalid_request_error", "messages: this request is scripted to be wrong"),
  "prompt-too-long": () => refuse(400, "invalid_request_error", "prompt is too long: 1000001 tokens > 1000000 maximum"),
};

export function rateLimited(afterMs: number): HttpAnswer {
  return httpAnswer(429, errorBody("rate_limit_error", "This request would exceed your rate limit."), {
    "retry-after": String(Math.ceil(afterMs / 1000)),
  });
}

/** A subscription's limit of five hours, as its headers say it. */
export function usageLimit(resetsAtS: number): HttpAnswer {
  const at = String(resetsAtS);
  const unified = {
    status: "rejected",
    reset: at,
    "representative-claim": "five_hour",
    "5h-status": "rejected",
    "5h-reset": at,
    "5h-utilization": "1.0",
    "overage-status": "rejected",
  };
  return httpAnswer(
    429,
    errorBody("rate_limit_error", "This request would exceed your account's rate limit."),
    Object.fromEntries(Object.entries(unified).map(([name, value]) => [`anthropic-ratelimit-unified-${name}`, value])),
  );
}
