/** One request to a server, for criteria. */
import type { HttpAnswer, HttpMethod } from "../core/criteria/criterion.ts";

export interface Web {
  /** A port of the loopback address that nobody listens on right now. */
  freePort(): Promise<number>;
  /** Asks once: past every proxy, follows no redirect, takes at most `maxBytes` of the body. Never rejects. */
  ask(request: WebRequest): Promise<WebEnd>;
}

export interface WebRequest {
  readonly method: HttpMethod;
  /** `http:` or `https:`. */
  readonly url: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export type WebEnd =
  | { readonly kind: "answer"; readonly answer: HttpAnswer }
  /** Nobody listens there yet, or the connection broke: another try may do. */
  | { readonly kind: "not-yet"; readonly detail: string }
  /** What no other try changes: no such host, no HTTP, a certificate. */
  | { readonly kind: "failed"; readonly detail: string }
  | { readonly kind: "aborted" };
