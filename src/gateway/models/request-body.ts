/** Reads the body of a request whole. What comes beyond the bound is passed over and not kept, so that the agent can still read why. */
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, zstdDecompress } from "node:zlib";

export const maxBodyBytes = 128 * 1024 * 1024;

/** Of a request that was sent compressed; more is not read, and counts as unreadable. */
const maxPlainBytes = 2 * maxBodyBytes;

export type Body =
  | { readonly kind: "whole"; readonly bytes: Buffer }
  | { readonly kind: "too-large" }
  /** The agent hung up in the midst of it. */
  | { readonly kind: "half" };

/** Never rejects. */
export function readBody(request: IncomingMessage): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBodyBytes) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.once("end", () => {
      const [only] = chunks;
      const bytes = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
      resolve(length > maxBodyBytes ? { kind: "too-large" } : { kind: "whole", bytes });
    });
    request.once("error", () => resolve({ kind: "half" }));
    request.once("close", () => resolve({ kind: "half" }));
  });
}

const decompressors: Readonly<Record<string, (body: Buffer) => Promise<Uint8Array>>> = {
  gzip: (body) => promisify(gunzip)(body, { maxOutputLength: maxPlainBytes }),
  "x-gzip": (body) => promisify(gunzip)(body, { maxOutputLength: maxPlainBytes }),
  deflate: (body) => promisify(inflate)(body, { maxOutputLength: maxPlainBytes }),
  br: (body) => promisify(brotliDecompress)(body, { maxOutputLength: maxPlainBytes }),
  zstd: (body) => promisify(zstdDecompress)(body, { maxOutputLength: maxPlainBytes }),
};

/** A copy to read in. @returns null when it cannot be had */
export async function plainBody(body: Buffer, encoding: string | null): Promise<Uint8Array | null> {
  if (encoding === null || encoding.toLowerCase() === "identity") return body;
  try {
    return (await decompressors[encoding.toLowerCase()]?.(body)) ?? null;
  } catch {
    return null; // for the provider to refuse
  }
}
