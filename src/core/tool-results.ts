/**
 * The results of tool calls that a request to a model carries for the first time: those behind the model's last words. What a guard has not allowed has no business to have one.
 */
import { isObject } from "./json.ts";

export interface ToolResult {
  /** Of the call, as the model named it. */
  readonly id: string;
  /** The tool's name; empty where the request does not say. */
  readonly tool: string;
}

/** Far more than an answer asks for at once. */
const mostResults = 200;

/** Of Anthropic's messages: the results that are no error. Total, and in time of what is new alone. */
export function newToolResults(messages: readonly unknown[]): readonly ToolResult[] {
  let at = messages.length - 1;
  const ids: string[] = [];
  for (; at >= 0; at -= 1) {
    const message = messages[at];
    // What the program adds behind them, under a role of its own, is no answer of the model's.
    if (isObject(message) && message["role"] === "assistant") break;
    for (const block of isObject(message) ? blocksOf(message) : []) {
      const id = block["tool_use_id"];
      if (block["type"] === "tool_result" && block["is_error"] !== true && typeof id === "string" && ids.length < mostResults) ids.push(id);
    }
  }
  if (ids.length === 0) return [];
  const asked = messages[at];
  const names = new Map((isObject(asked) ? blocksOf(asked) : []).map((block) => [block["id"], block["name"]]));
  return ids.map((id) => {
    const tool = names.get(id);
    return { id, tool: typeof tool === "string" ? tool.slice(0, 100) : "" };
  });
}

function blocksOf(message: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  const content = message["content"];
  return Array.isArray(content) ? content.filter(isObject) : [];
}
