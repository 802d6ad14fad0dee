/** Judges each tool call of a window before it is made. */
import type { GuardAnswer, ToolCall } from "../ports/agent.ts";
import type { RunContext } from "./context.ts";

export function createGuard(_context: RunContext): (call: ToolCall) => Promise<GuardAnswer> {
  return async () => ({ kind: "deny", reason: "no guard is set up" });
}
