/** Reads the body of a request up to a limit. What comes beyond is passed over and not kept, so that the caller can still read why. */
import type { IncomingMessage } from "node:http";

export const maxBodyBytes = 32 * 1024 * 1024;

export type Body =
  | { readonly kind: "whole"; readonly bytes: Buffer }
  | { readonly kind: "too-large"; readonly bytes: Buffer }
  /** The caller hung up in the midst of it. */
  | { readonly kind: "half" };

export async function readBody(request: IncomingMessage, maxBytes: number = maxBodyBytes): Promise<Body> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch {
    return { kind: "half" }; // there is nobody to tell
  }
  return { kind: length > maxBytes ? "too-large" : "whole", bytes: Buffer.concat(chunks) };
}
