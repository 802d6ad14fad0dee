/** Which request means what. Probes get a plain yes; what a provider does not know is refused in its own words. */
import { anthropic } from "./anthropic/dialect.ts";
import type { Dialect } from "./dialect.ts";
import { type HttpAnswer, httpAnswer } from "./http-answer.ts";
import { openai } from "./openai/dialect.ts";

export type Route =
  /** One for the model. */
  { readonly kind: "message" } | { readonly kind: "count-tokens" } | { readonly kind: "fixed"; readonly answer: HttpAnswer };

const hello = httpAnswer(200, { type: "scripted_provider", object: "list", data: [], has_more: false });

/** @param path  without the query */
export function routeOf(method: string, path: string): Route {
  if (method === "GET" || method === "HEAD") return { kind: "fixed", answer: hello };
  if (method === "POST" && (path.endsWith("/v1/messages") || isChat(path))) return { kind: "message" };
  if (method === "POST" && path.endsWith("/v1/messages/count_tokens")) return { kind: "count-tokens" };
  return { kind: "fixed", answer: refusal(dialectOf(path), 404, "not_found_error", `${method} ${path.slice(0, 200)} is unknown here`) };
}

/** Whoever knocks elsewhere is answered as by Anthropic. */
export function dialectOf(path: string): Dialect {
  return isChat(path) ? openai : anthropic;
}

function isChat(path: string): boolean {
  return path.endsWith("/v1/chat/completions");
}

export function refusal(dialect: Dialect, status: number, type: string, message: string): HttpAnswer {
  return httpAnswer(status, dialect.error(type, message));
}
