/**
 * The script file of `midwatch provider`, checked whole before it is played: one that played something else than was meant would make a test lie.
 * A mistake is named by its place.
 */
import * as z from "zod";
import { MidwatchError } from "../core/error.ts";
import type { ProviderScript } from "../ports/provider.ts";

const maxWaitMs = 24 * 3600 * 1000;
const count = z.int().min(0);
const wait = z.number().min(0).max(maxWaitMs);
const headers = z.record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/), z.string().regex(/^[\t\u0020-\u007e]*$/));
const kindsWithoutMore = [
  "overloaded",
  "server-error",
  "bad-gateway",
  "bad-key",
  "forbidden",
  "no-credit",
  "no-model",
  "bad-request",
  "prompt-too-long",
  "reset",
  "hang",
] as const;

const fault = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("http"),
    status: z.int().min(200).max(599),
    headers: headers.exactOptional(),
    body: z.json().exactOptional(),
  }),
  z.strictObject({ kind: z.literal("rate-limited"), retryAfterMs: wait.exactOptional() }),
  z.strictObject({ kind: z.literal("usage-limit"), resetsInMs: count.exactOptional() }),
  z.strictObject({ kind: z.literal("stream-error"), afterEvents: count.exactOptional(), error: z.string().min(1).exactOptional() }),
  z.strictObject({ kind: z.enum(["cut", "stall"]), afterEvents: count.exactOptional() }),
  z.strictObject({ kind: z.enum(kindsWithoutMore) }),
]);

/** A word alone stands for a fault that needs no more. */
const shortFault = z.preprocess((value) => (typeof value === "string" ? { kind: value } : value), fault);

const step = z.strictObject({
  text: z.string().exactOptional(),
  tools: z.array(z.strictObject({ name: z.string().min(1), input: z.record(z.string(), z.json()) })).exactOptional(),
  usage: z
    .strictObject({
      input: count.exactOptional(),
      output: count.exactOptional(),
      cacheRead: count.exactOptional(),
      cacheWrite: count.exactOptional(),
    })
    .exactOptional(),
  stopReason: z.string().min(1).exactOptional(),
  headers: headers.exactOptional(),
  encoding: z.enum(["gzip", "deflate", "br"]).exactOptional(),
  firstByteMs: wait.exactOptional(),
  betweenMs: wait.exactOptional(),
  costMicroUsd: count.exactOptional(),
  fault: shortFault.exactOptional(),
  times: count.exactOptional(),
});

const words = z.string().min(1).exactOptional();
const conversation = z.strictObject({
  when: z.strictObject({ prompt: words, system: words, last: words }).exactOptional(),
  steps: z.array(step).min(1),
});

const script = z.strictObject({ conversations: z.array(conversation).min(1) });

/** @param name  of the file. Throws MidwatchError kind config. */
export function parseScript(text: string, name: string): ProviderScript {
  const result = script.safeParse(parseJson(text, name));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "the script" : z.core.toDotPath(issue.path);
  throw scriptError(`${name}: ${place}: ${issue?.message ?? "not understood"}`, result.error);
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw scriptError(`${name} is no JSON: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
}

function scriptError(message: string, cause: unknown): MidwatchError {
  return new MidwatchError("config", "E_SCRIPT", message, { hint: "see docs/provider.md for what a script may hold", cause });
}
