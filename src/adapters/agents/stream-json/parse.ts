/**
 * The Claude-shaped event stream: one line in, events out. Pure and stateless, so that a recording replays the same way whatever the chunking.
 * Total: any bytes give events. A JSON object with a known `type` is read; one with another `type` is `unknown`; everything else is plain output.
 * Key order means nothing, types and fields may be missing, and lines may be megabytes.
 */
import type { AgentEvent } from "../../../core/agent-event.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { cleanLine, cleanText } from "../clean-text.ts";
import { objectAt, stringAt } from "./json-fields.ts";
import { readAssistant, readPartial, readUser } from "./message-line.ts";
import { readResult } from "./result-line.ts";
import { readRateLimit, readSystem } from "./system-line.ts";

/** Plain output is for people: of a longer line the beginning is kept. */
const maxPlainBytes = 8 * 1024;

const nothing: readonly AgentEvent[] = [];
const heartbeat: readonly AgentEvent[] = [{ kind: "heartbeat" }];
const activity: readonly AgentEvent[] = [{ kind: "activity" }];

/** Null = a shape that only shares the name of a known type. */
type Reader = (line: JsonObject) => readonly AgentEvent[] | null;

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["assistant", readAssistant],
  ["user", readUser],
  ["stream_event", readPartial],
  ["system", readSystem],
  ["result", readResult],
  ["rate_limit_event", readRateLimit],
  ["tool_progress", () => heartbeat],
  ["keep_alive", () => heartbeat],
  ["ping", () => heartbeat],
  ["attachment", () => heartbeat],
  ["command_lifecycle", () => heartbeat],
  ["ui_invalidate", () => heartbeat],
  ["conversation_reset", () => activity],
  ["control_request", (line) => (stringAt(objectAt(line, "request"), "subtype") === undefined ? null : activity)],
  ["control_response", () => activity],
  ["control_cancel_request", () => activity],
]);

/** The events of one line, without its end. Never throws. */
export function parseStreamLine(line: Uint8Array): readonly AgentEvent[] {
  const start = firstByte(line);
  if (start === line.length) return nothing;
  const object = line[start] === openBrace ? parseObject(start === 0 ? line : line.subarray(start)) : null;
  const type = object?.["type"];
  if (object === null || typeof type !== "string") return plain(line.subarray(start));
  return readers.get(type)?.(object) ?? [{ kind: "unknown", type: cleanLine(type, 64) }];
}

const openBrace = 0x7b;

/** Index of the first byte that is neither white space nor part of a byte order mark. */
function firstByte(line: Uint8Array): number {
  let at = line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? 3 : 0;
  while (at < line.length && (line[at] === 0x20 || line[at] === 0x09 || line[at] === 0x0d || line[at] === 0x0a)) at += 1;
  return at;
}

function parseObject(bytes: Uint8Array): JsonObject | null {
  try {
    const value: unknown = JSON.parse(decode(bytes));
    return isObject(value) ? value : null;
  } catch {
    return null; // no JSON: the line is plain output
  }
}

/** Bytes that are no UTF-8 become replacement characters. */
function decode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

function plain(bytes: Uint8Array): readonly AgentEvent[] {
  const text = cleanText(decode(bytes.subarray(0, maxPlainBytes)), maxPlainBytes).trimEnd();
  return text === "" ? nothing : [{ kind: "text", text, subagent: false, plain: true }];
}
