/** What the ledger learns of a request before it leaves. */
import { hash } from "node:crypto";
import type { CallRequest } from "../../core/money/call.ts";
import type { Upstream } from "../../ports/door.ts";
import { plainBody } from "./request-body.ts";
import { requestHash } from "./request-hash.ts";

/** @param encoding  the request's content-encoding. @returns null when the body cannot be read: it must not pass */
export async function readCallRequest(
  { name, format }: Upstream,
  {
    body,
    encoding,
    volatileFields,
    agent,
  }: {
    readonly body: Buffer;
    readonly encoding: string | null;
    readonly volatileFields: readonly string[];
    /** What the format's agent header holds; null = none came. */
    readonly agent: string | null;
  },
): Promise<CallRequest | null> {
  const plain = encoding === null ? body : await plainBody(body, encoding);
  const read = plain === null ? null : format.readRequest(plain);
  if (plain === null || read === null) return null;
  return {
    provider: name,
    format: format.name,
    model: read.model,
    stream: read.stream,
    bodyBytes: plain.length,
    maxOutputTokens: read.maxOutputTokens,
    answers: read.answers,
    writesCache: read.writesCache,
    hash: requestHash(plain, volatileFields),
    // Two subagents may be given the same words.
    conversation: hash("sha256", `${read.conversation}\n\n${agent ?? ""}`, "hex"),
    ...(agent === null ? {} : { isSubagent: true as const }),
    ...(read.toolResults === undefined ? {} : { toolResults: read.toolResults }),
  };
}
