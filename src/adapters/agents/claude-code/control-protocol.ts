/**
 * The few messages of Claude Code's control protocol that a window needs (seen on 2.1.332): we register a hook callback for before each tool call and one for
 * after it, the program asks, we answer. Before a call, an answer that does not come, an error and an empty answer all leave it denied, since nothing is
 * pre-allowed. After a call they mean that there is nothing to tell. (Not so PostToolBatch: where its answer does not come, the program ends in error.)
 */
import { microUsd } from "../../../core/money/amount.ts";
import type { GuardAnswer, ToolCall } from "../../../ports/agent.ts";

const guardId = "guard";
const adviceId = "advice";
const usageId = "usage";
/** What comes later is told after the next call. */
const adviceSeconds = 5;
/** One that failed has an event of its own; one that was denied has none. */
const afterCall = ["PostToolUse", "PostToolUseFailure"];

/**
 * First line of input. `timeoutSeconds` is how long the program waits for one answer of the guard. `mcpServers` are read by a program that was started to wait
 * for this line.
 */
export function initializeLine(timeoutSeconds: number, mcpServers: Readonly<Record<string, object>> | null): string {
  const after = [{ matcher: "*", hookCallbackIds: [adviceId], timeout: adviceSeconds }];
  const hooks = {
    PreToolUse: [{ matcher: "*", hookCallbackIds: [guardId], timeout: timeoutSeconds }],
    ...Object.fromEntries(afterCall.map((event) => [event, after])),
  };
  return line({
    type: "control_request",
    request_id: "initialize",
    request: { subtype: "initialize", hooks, ...(mcpServers === null ? {} : { mcpServers }) },
  });
}

export function userLine(prompt: string): string {
  return line({ type: "user", message: { role: "user", content: prompt } });
}

/** Asks what the window has cost so far. Only the totals are wanted: without the switch the program reads a week of transcripts for its answer. */
export function usageLine(): string {
  return line({ type: "control_request", request_id: usageId, request: { subtype: "get_usage", skip_behaviors: true } });
}

export type ControlRequest =
  | { readonly kind: "guard"; readonly requestId: string; readonly call: ToolCall }
  /** A call was made; `event` is the name that the answer has to repeat. */
  | { readonly kind: "advice"; readonly requestId: string; readonly event: string; readonly subagent: boolean }
  /** Something we did not register for: refused, so that nothing is granted by mistake. */
  | { readonly kind: "other"; readonly requestId: string };

export type ControlLine =
  | ControlRequest
  | { readonly kind: "initialized"; readonly ok: boolean }
  /** null = this version does not say. */
  | { readonly kind: "usage"; readonly costMicroUsd: number | null };

/** Null when the line is no message of the protocol. Total. */
export function parseControl(text: Uint8Array): ControlLine | null {
  const message = parseObject(text);
  if (message === null) return null;
  if (message["type"] === "control_response") return readResponse(objectOf(message["response"]));
  if (message["type"] !== "control_request" || typeof message["request_id"] !== "string") return null;
  return readRequest(message["request_id"], objectOf(message["request"]));
}

function readResponse(response: Fields): ControlLine | null {
  switch (response["request_id"]) {
    case "initialize":
      return { kind: "initialized", ok: response["subtype"] === "success" };
    case usageId: {
      const dollars = objectOf(objectOf(response["response"])["session"])["total_cost_usd"];
      const isAmount = typeof dollars === "number" && Number.isFinite(dollars) && dollars >= 0;
      return { kind: "usage", costMicroUsd: isAmount ? microUsd(dollars) : null };
    }
    default:
      return null;
  }
}

function readRequest(requestId: string, request: Fields): ControlRequest {
  const input = objectOf(request["input"]);
  const event = textOf(input["hook_event_name"]);
  const subagent = typeof input["agent_id"] === "string";
  const callback = request["subtype"] === "hook_callback" ? request["callback_id"] : null;
  if (callback === adviceId && afterCall.includes(event)) return { kind: "advice", requestId, event, subagent };
  if (callback !== guardId || event !== "PreToolUse") return { kind: "other", requestId };
  return {
    kind: "guard",
    requestId,
    call: {
      toolId: textOf(input["tool_use_id"]),
      name: textOf(input["tool_name"]),
      input: input["tool_input"],
      cwd: textOf(input["cwd"]),
      subagent,
      ...(subagent ? { agentId: textOf(input["agent_id"]) } : {}),
    },
  };
}

export function answerLine(requestId: string, answer: GuardAnswer): string {
  const decision =
    answer.kind === "allow" ? { permissionDecision: "allow" } : { permissionDecision: "deny", permissionDecisionReason: answer.reason };
  const response = { hookSpecificOutput: { hookEventName: "PreToolUse", ...decision } };
  return line({ type: "control_response", response: { subtype: "success", request_id: requestId, response } });
}

/** The program puts the text before the model with the call's result, in a message of its own. */
export function adviceLine(requestId: string, event: string, text: string | null): string {
  const response = text === null ? {} : { hookSpecificOutput: { hookEventName: event, additionalContext: text } };
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
