/** The errors that a provider answers with, as this one's callers know them: status, headers and body. */
import type { ConnectionFault, PlainFault, ScriptedFault } from "../ports/provider.ts";

export type HttpFault = Exclude<ScriptedFault, { readonly kind: "stream-error" | "cut" | "stall" | ConnectionFault }>;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** @param now  milliseconds since 1970 */
export function answerFault(fault: HttpFault, model: string, now: number): HttpAnswer {
  switch (fault.kind) {
    case "http":
      return httpAnswer(fault.status, fault.body ?? errorBody("api_error", "scripted"), fault.headers);
    case "rate-limited":
      return httpAnswer(429, errorBody("rate_limit_error", "This request would exceed your rate limit."), {
        "retry-after": String(Math.ceil((fault.retryAfterMs ?? 1000) / 1000)),
      });
    case "usage-limit":
      return usageLimit(Math.ceil((now + (fault.resetsInMs ?? 3_600_000)) / 1000));
    default:
      return plainFaults[fault.kind](model);
  }
}

export function httpAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  if (typeof body === "string") return { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers }, body };
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

export function errorBody(type: string, message: string): object {
  return { type: "error", error: { type, message } };
}

export function refuse(status: number, type: string, message: string): HttpAnswer {
  return httpAnswer(status, errorBody(type, message));
}

const plainFaults: Readonly<Record<PlainFault, (model: string) => HttpAnswer>> = {
  overloaded: () => refuse(529, "overloaded_error", "Overloaded"),
  "server-error": () => refuse(500, "api_error", "Internal server error"),
  "bad-gateway": () =>
    httpAnswer(502, "<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>", {
      "content-type": "text/html",
    }),
  "bad-key": () => refuse(401, "authentication_error", "invalid x-api-key"),
  forbidden: () => refuse(403, "permission_error", "Your API key does not have permission to use the specified resource."),
  "no-credit": () => refuse(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
  "no-model": (model) => refuse(404, "not_found_error", `model: ${model}`),
  "bad-request": () => refuse(400, "invalid_request_error", "messages: this request is scripted to be wrong"),
  "prompt-too-long": () => refuse(400, "invalid_request_error", "prompt is too long: 1000001 tokens > 1000000 maximum"),
};

/** A subscription's limit of five hours, as its headers say it. */
function usageLimit(resetsAtS: number): HttpAnswer {
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
