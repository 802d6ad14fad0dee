/**
 * The few messages of Claude Code's control protocol that a window needs (seen on 2.1.332): we register one hook callback for every tool call,
 * the program asks, we answer. An answer that does not come, an error and an empty answer all leave the call denied, since nothing is pre-allowed.
 */
import type { GuardAnswer, ToolCall } from "../../../ports/agent.ts";

const guardId = "guard";

/** First line of input. `timeoutSeconds` is how long the program waits for one answer. */
export function initializeLine(timeoutSeconds: number): string {
  const hooks = { PreToolUse: [{ matcher: "*", hookCallbackIds: [guardId], timeout: timeoutSeconds }] };
  return line({ type: "control_request", request_id: "initialize", request: { subtype: "initialize", hooks } });
}

export function userLine(prompt: string): string {
  return line({ type: "user", message: { role: "user", content: prompt } });
}

export type ControlRequest =
  | { readonly kind: "guard"; readonly requestId: string; readonly call: ToolCall }
  /** Something we did not register for: refused, so that nothing is granted by mistake. */
  | { readonly kind: "other"; readonly requestId: string };

export type ControlLine = ControlRequest | { readonly kind: "initialized"; readonly ok: boolean };

/** Null when the line is no message of the protocol. Total. */
export function parseControl(text: Uint8Array): ControlLine | null {
  const message = parseObject(text);
  if (message === null) return null;
  if (message["type"] === "control_response") return readResponse(objectOf(message["response"]));
  if (message["type"] !== "control_request" || typeof message["request_id"] !== "string") return null;
  return readRequest(message["request_id"], objectOf(message["request"]));
}

function readResponse(response: Fields): ControlLine | null {
  return response["request_id"] === "initialize" ? { kind: "initialized", ok: response["subtype"] === "success" } : null;
}

function readRequest(requestId: string, request: Fields): ControlRequest {
  const input = objectOf(request["input"]);
  const isGuard = request["subtype"] === "hook_callback" && request["callback_id"] === guardId && input["hook_event_name"] === "PreToolUse";
  if (!isGuard) return { kind: "other", requestId };
  return {
    kind: "guard",
    requestId,
    call: {
      toolId: textOf(input["tool_use_id"]),
      name: textOf(input["tool_name"]),
      input: input["tool_input"],
      cwd: textOf(input["cwd"]),
      subagent: typeof input["agent_id"] === "string",
    },
  };
}

export function answerLine(requestId: string, answer: GuardAnswer): string {
  const decision =
    answer.kind === "allow" ? { permissionDecision: "allow" } : { permissionDecision: "deny", permissionDecisionReason: answer.reason };
  const response = { hookSpecificOutput: { hookEventName: "PreToolUse", ...decision } };
  return line({ type: "control_response", response: { subtype: "success", request_id: requestId, response } });
}

export function refusalLine(requestId: string): string {
  return line({ type: "control_response", response: { subtype: "error", request_id: requestId, error: "not granted" } });
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(text: Uint8Array): Fields | null {
  try {
    return objectOf(JSON.parse(new TextDecoder().decode(text)));
  } catch {
    return null; // not JSON: nothing for us
  }
}

function objectOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function line(message: object): string {
  return `${JSON.stringify(message)}\n`;
}
