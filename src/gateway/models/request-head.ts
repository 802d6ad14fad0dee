/** The head of a request as the provider gets it: the agent's own, in its order and case, but for the host, the framing and the key that we hold. */
import { type HeldKey, headerValue } from "../../core/upstream.ts";
import { isSameSecret } from "../secret.ts";
import { type HeaderPair, headerOf, type RawHeaders, withoutHopByHop } from "./raw-headers.ts";

export interface HeadOptions {
  readonly host: string;
  /** Null = a request without a body. */
  readonly bodyBytes: number | null;
  readonly key: HeldKey | null;
  readonly token: string;
}

export function upstreamHead(raw: RawHeaders, options: HeadOptions): string[] {
  const head: string[] = [];
  for (const pair of withoutHopByHop(raw)) {
    const [name, value] = rewritten(pair, options);
    if (value !== null) head.push(name, value);
  }
  const isFramed = options.bodyBytes === null || headerOf(raw, "content-length") !== null;
  if (!isFramed) head.push("Content-Length", String(options.bodyBytes));
  return head;
}

/** A null value = it does not pass. */
function rewritten([name, value]: HeaderPair, { host, bodyBytes, key, token }: HeadOptions): readonly [string, string | null] {
  switch (name.toLowerCase()) {
    case "host":
      return [name, host];
    case "content-length":
      return [name, bodyBytes === null ? null : String(bodyBytes)];
    case "x-api-key":
      return key !== null && isSameSecret(value, token) ? keyHeader(key, name) : [name, value];
    case "authorization":
      return key !== null && isSameSecret(value.replace(/^bearer +/i, ""), token) ? keyHeader(key, name) : [name, value];
    default:
      return [name, value];
  }
}

/** In the agent's spelling where it used the same header. */
function keyHeader(key: HeldKey, name: string): HeaderPair {
  return [name.toLowerCase() === key.header ? name : key.header, headerValue(key)];
}
