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
  const pairs = withoutHopByHop(raw).flatMap((pair) => rewritten(pair, options));
  const isFramed = options.bodyBytes === null || headerOf(raw, "content-length") !== null;
  const framing: readonly HeaderPair[] = isFramed ? [] : [["Content-Length", String(options.bodyBytes)]];
  return [...pairs, ...framing].flat();
}

function rewritten([name, value]: HeaderPair, { host, bodyBytes, key, token }: HeadOptions): readonly HeaderPair[] {
  switch (name.toLowerCase()) {
    case "host":
      return [[name, host]];
    case "content-length":
      return bodyBytes === null ? [] : [[name, String(bodyBytes)]];
    case "x-api-key":
      return [key !== null && isSameSecret(value, token) ? keyHeader(key, name) : [name, value]];
    case "authorization":
      return [key !== null && isSameSecret(value.replace(/^bearer +/i, ""), token) ? keyHeader(key, name) : [name, value]];
    default:
      return [[name, value]];
  }
}

/** In the agent's spelling where it used the same header. */
function keyHeader(key: HeldKey, name: string): HeaderPair {
  return [name.toLowerCase() === key.header ? name : key.header, headerValue(key)];
}
