/**
 * Sees in the stream of a window that the program works past our guard or without our tools, which its own account would call success. Seen is not prevented:
 * what prevents is that nothing but our answer grants. This is for a program that does not keep to that.
 */
import type { AgentEvent } from "../../../core/agent-event.ts";
import type { StopCause } from "../../../core/process-end.ts";
import { toolServer } from "./command-line.ts";

export interface GuardWatch {
  /** The program answered our first line. */
  initialized(): void;
  /** The program asked about this call. */
  asked(toolId: string): void;
  /** Why the window must end at once; null = it may go on. */
  objection(event: AgentEvent): StopCause | null;
}

/** Calls that are remembered, the latest: far more than can be open at once. */
const maxAsked = 1000;

export function createGuardWatch(toolsUrl: string | null): GuardWatch {
  const askedFor = new Set<string>();
  let isInitialized = false;
  return {
    initialized() {
      isInitialized = true;
    },
    asked(toolId) {
      askedFor.add(toolId);
      const [oldest] = askedFor;
      if (askedFor.size > maxAsked && oldest !== undefined) askedFor.delete(oldest);
    },
    objection(event) {
      // The answer to our first line comes before anything else.
      if (event.kind === "session" && !isInitialized) return "no-guard";
      // A call that fails its own checks is not asked about, and does nothing.
      if (event.kind === "tool-end" && event.ok && !askedFor.has(event.toolId)) return "unguarded";
      return isWithoutTools(event, toolsUrl) ? "no-tools" : null;
    },
  };
}

function isWithoutTools(event: AgentEvent, toolsUrl: string | null): boolean {
  if (toolsUrl === null || event.kind !== "session") return false;
  return !event.tools?.some(({ name, status }) => name === toolServer && status === "connected");
}
