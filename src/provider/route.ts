/** Which request means what. Probes get a plain yes; what a provider does not know is refused in its own words. */
import { type HttpAnswer, httpAnswer, refuse } from "./http-faults.ts";

export type Route =
  /** One for the model. */
  { readonly kind: "message" } | { readonly kind: "count-tokens" } | { readonly kind: "fixed"; readonly answer: HttpAnswer };

const hello = httpAnswer(200, { type: "scripted_provider", data: [], has_more: false });

/** @param path  without the query */
export function routeOf(method: string, path: string): Route {
  if (method === "GET" || method === "HEAD") return { kind: "fixed", answer: hello };
  if (method === "POST" && path.endsWith("/v1/messages")) return { kind: "message" };
  if (method === "POST" && path.endsWith("/v1/messages/count_tokens")) return { kind: "count-tokens" };
  return { kind: "fixed", answer: refuse(404, "not_found_error", `${method} ${path.slice(0, 200)} is unknown here`) };
}
