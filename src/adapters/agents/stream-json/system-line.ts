/** Lines in which the agent speaks about itself: its session, retries, limits, background work, hooks. */
import type { AgentEvent } from "../../../core/agent-event.ts";
import type { JsonObject } from "../../../core/json.ts";
import { cleanLine } from "../clean-text.ts";
import { countAt, defined, objectAt, objectsAt, stringAt, wordAt } from "./json-fields.ts";

const heartbeat: AgentEvent = { kind: "heartbeat" };
const activity: AgentEvent = { kind: "activity" };

const readers: ReadonlyMap<string, (line: JsonObject) => AgentEvent> = new Map<string, (line: JsonObject) => AgentEvent>([
  ["init", readSession],
  ["api_retry", readRetry],
  ["permission_denied", readDenial],
  ["compact_boundary", readCompaction],
  ["status", readStatus],
  ["task_started", (line) => (line["is_backgrounded"] === false ? activity : background(line, "started"))],
  ["task_updated", readTaskChange],
  ["task_notification", (line) => taskEnd(line, line["status"])],
  ["task_progress", () => activity],
  [
    "informational",
    (line) => notice(wordAt(line, "tag") ?? wordAt(objectAt(line, "prompt_submit_outcome"), "kind") ?? "informational", line["content"]),
  ],
  ["notification", (line) => notice(wordAt(line, "key") ?? "notification", line["text"])],
  ["model_fallback", (line) => notice("model_fallback", line["content"])],
  ["model_refusal_no_fallback", (line) => notice("model_refusal_no_fallback", line["content"])],
  ["background_tasks_changed", () => heartbeat],
  ["session_state_changed", () => heartbeat],
  ["hook_started", () => heartbeat],
  ["hook_response", () => heartbeat],
]);

export function readSystem(line: JsonObject): readonly AgentEvent[] | null {
  const subtype = stringAt(line, "subtype");
  if (subtype === undefined) return null;
  return [readers.get(subtype)?.(line) ?? { kind: "unknown", type: cleanLine(`system/${subtype}`, 64) }];
}

function readSession(line: JsonObject): AgentEvent {
  const tools = objectsAt(line, "mcp_servers").map((server) => ({
    name: wordAt(server, "name") ?? "",
    status: wordAt(server, "status") ?? "",
  }));
  const [model, version] = [wordAt(line, "model"), wordAt(line, "claude_code_version")];
  return defined<AgentEvent & { kind: "session" }>({ kind: "session", sessionId: wordAt(line, "session_id") ?? "", model, version, tools });
}

function readRetry(line: JsonObject): AgentEvent {
  return defined<AgentEvent & { kind: "retry" }>({
    kind: "retry",
    attempt: countAt(line, "attempt") ?? 0,
    max: countAt(line, "max_retries") ?? 0,
    delayMs: countAt(line, "retry_delay_ms") ?? 0,
    status: countAt(line, "error_status"),
    error: wordAt(line, "error"),
  });
}

function readDenial(line: JsonObject): AgentEvent {
  return { kind: "tool-denied", toolId: wordAt(line, "tool_use_id") ?? "", by: wordAt(line, "decision_reason_type") ?? "permission" };
}

function readCompaction(line: JsonObject): AgentEvent {
  const about = objectAt(line, "compact_metadata");
  return {
    kind: "compaction",
    trigger: wordAt(about, "trigger") ?? "",
    beforeTokens: countAt(about, "pre_tokens") ?? 0,
    afterTokens: countAt(about, "post_tokens") ?? 0,
  };
}

function readStatus(line: JsonObject): AgentEvent {
  return line["compact_result"] === "failed" ? notice("compaction-failed", line["compact_error"]) : heartbeat;
}

/** A command that outlives its time limit is moved to the background; the rest are ends. */
function readTaskChange(line: JsonObject): AgentEvent {
  const patch = objectAt(line, "patch");
  return patch["is_backgrounded"] === true ? background(line, "started") : taskEnd(line, patch["status"]);
}

function taskEnd(line: JsonObject, status: unknown): AgentEvent {
  if (status === "completed" || status === "failed") return background(line, status);
  return status === "stopped" || status === "killed" ? background(line, "stopped") : activity;
}

function background(line: JsonObject, change: "started" | "completed" | "stopped" | "failed"): AgentEvent {
  return { kind: "background", taskId: wordAt(line, "task_id") ?? "", change };
}

function notice(tag: string, text: unknown): AgentEvent {
  return { kind: "notice", tag, text: typeof text === "string" ? cleanLine(text, 500) : "" };
}

const limitStatuses: ReadonlyMap<unknown, "allowed" | "warning" | "rejected"> = new Map([
  ["allowed", "allowed"],
  ["allowed_warning", "warning"],
  ["rejected", "rejected"],
] as const);

/** State of the person's plan with the provider. A rejection that is served as paid overage stops nothing. */
export function readRateLimit(line: JsonObject): readonly AgentEvent[] | null {
  const about = objectAt(line, "rate_limit_info");
  const status = limitStatuses.get(about["status"]);
  if (status === undefined) return null;
  const isServed = status === "rejected" && about["isUsingOverage"] === true;
  return [defined<AgentEvent & { kind: "limit" }>({ kind: "limit", status: isServed ? "warning" : status, resetsAt: resetTime(about) })];
}

/** Seconds since 1970, as the agent gives them; a number too large for that is taken as milliseconds. */
function resetTime(about: JsonObject): number | undefined {
  const value = about["resetsAt"];
  if (typeof value !== "number" || !(value > 0) || value > 1e13) return undefined;
  return Math.round(value < 1e11 ? value * 1000 : value);
}
