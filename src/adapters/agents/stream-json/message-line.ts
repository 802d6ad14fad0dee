/**
 * Lines that carry a message of the model, or parts of one. An assistant line holds one content block and repeats the message's id and a usage
 * that is not final; the final one comes in a `message_delta`, where the agent sends partial messages.
 */
import type { AgentEvent, Tokens } from "../../../core/agent-event.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { cleanLine, cleanText } from "../clean-text.ts";
import { countAt, defined, objectAt, objectsAt, stringAt, wordAt } from "./json-fields.ts";
import { summarizeTool } from "./tool-summary.ts";

/** Of a longer text the end is kept. */
const maxTextLength = 64 * 1024;
/** The agent's own tool for asking a person. */
const questionTool = "AskUserQuestion";

const heartbeat: readonly AgentEvent[] = [{ kind: "heartbeat" }];
const activity: readonly AgentEvent[] = [{ kind: "activity" }];

export function readAssistant(line: JsonObject): readonly AgentEvent[] | null {
  const message = line["message"];
  if (!isObject(message)) return null;
  const subagent = isSubagent(line);
  if (stringAt(message, "model") === "<synthetic>" || typeof line["error"] === "string") return [readApiError(line, message, subagent)];
  const events: AgentEvent[] = [];
  pushUsage(events, wordAt(message, "id"), message["usage"], false, subagent);
  for (const block of objectsAt(message, "content")) pushBlock(events, block, subagent);
  return events.length === 0 ? heartbeat : events;
}

/** The agent writes a message in the model's name when a request failed for good. */
function readApiError(line: JsonObject, message: JsonObject, subagent: boolean): AgentEvent {
  const said = objectsAt(message, "content").map((block) => stringAt(block, "text") ?? "");
  const text = cleanLine(said.join(" "), 500);
  // A subagent's failed request is told to its parent, which goes on.
  if (subagent) return { kind: "notice", tag: "subagent-api-error", text };
  const error = wordAt(line, "error");
  if (error === undefined) return { kind: "notice", tag: "synthetic-message", text };
  return defined<AgentEvent & { kind: "api-error" }>({
    kind: "api-error",
    error,
    type: wordAt(line, "api_error_type"),
    status: countAt(line, "api_error_status"),
    text,
  });
}

function pushBlock(events: AgentEvent[], block: JsonObject, subagent: boolean): void {
  const type = stringAt(block, "type") ?? "";
  if (type === "text") {
    const text = cleanText(stringAt(block, "text") ?? "", maxTextLength);
    if (text !== "") events.push({ kind: "text", text, subagent });
  } else if (type.endsWith("tool_use")) {
    const name = wordAt(block, "name") ?? "";
    const input = objectAt(block, "input");
    events.push({ kind: "tool-start", toolId: wordAt(block, "id") ?? "", name, summary: summarizeTool(input), subagent });
    if (name === questionTool && !subagent) events.push({ kind: "question", text: readQuestion(input) });
  } else if (type.endsWith("tool_result")) {
    pushToolEnd(events, block);
  }
}

function readQuestion(input: JsonObject): string {
  const questions = objectsAt(input, "questions").map((question) => stringAt(question, "question") ?? "");
  return cleanLine(questions.join(" / ") || summarizeTool(input), 500);
}

/** A user line holds the results of tools, or words that the agent put in: only the former say something. */
export function readUser(line: JsonObject): readonly AgentEvent[] | null {
  const message = line["message"];
  if (!isObject(message)) return null;
  const events: AgentEvent[] = [];
  for (const block of objectsAt(message, "content")) if (stringAt(block, "type")?.endsWith("tool_result")) pushToolEnd(events, block);
  return events.length === 0 ? activity : events;
}

function pushToolEnd(events: AgentEvent[], block: JsonObject): void {
  const toolId = wordAt(block, "tool_use_id");
  if (toolId !== undefined) events.push({ kind: "tool-end", toolId, ok: block["is_error"] !== true });
}

export function readPartial(line: JsonObject): readonly AgentEvent[] | null {
  const event = line["event"];
  if (!isObject(event)) return null;
  const events: AgentEvent[] = [];
  switch (event["type"]) {
    case "message_start": {
      const message = objectAt(event, "message");
      pushUsage(events, wordAt(message, "id"), message["usage"], false, isSubagent(line));
      break;
    }
    case "message_delta":
      pushUsage(events, wordAt(line, "api_message_id"), event["usage"], true, isSubagent(line));
      break;
    case "content_block_start":
      return isThinking(objectAt(event, "content_block")) ? heartbeat : activity;
    case "content_block_delta":
      return isThinking(objectAt(event, "delta")) ? heartbeat : activity;
  }
  return events.length === 0 ? heartbeat : events;
}

/** Thinking is no sign of work: a model can think for ever. */
function isThinking(part: JsonObject): boolean {
  return /^(thinking|redacted_thinking|signature)/.test(stringAt(part, "type") ?? "");
}

function isSubagent(line: JsonObject): boolean {
  return typeof line["parent_tool_use_id"] === "string";
}

function pushUsage(events: AgentEvent[], key: string | undefined, usage: unknown, final: boolean, subagent: boolean): void {
  if (key !== undefined && isObject(usage)) events.push({ kind: "usage", key, tokens: readTokens(usage), final, subagent });
}

/** Token counts as the provider's API names them. */
export function readTokens(usage: JsonObject): Tokens {
  return {
    input: countAt(usage, "input_tokens") ?? 0,
    output: countAt(usage, "output_tokens") ?? 0,
    cacheRead: countAt(usage, "cache_read_input_tokens") ?? 0,
    cacheWrite: countAt(usage, "cache_creation_input_tokens") ?? 0,
  };
}
