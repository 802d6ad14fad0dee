/**
 * What an agent's stream can tell, in our words. Adapters turn lines into these; `transcript.ts` folds them.
 * Agents fill in what they know; an agent of which only text is seen gives `text` events alone.
 */
export type AgentEvent =
  | {
      readonly kind: "session";
      readonly sessionId: string;
      readonly model?: string;
      readonly version?: string;
      readonly tools?: readonly McpServerStatus[];
    }
  /** `plain` = one line that some program printed, outside of any structured stream. */
  | { readonly kind: "text"; readonly text: string; readonly subagent: boolean; readonly plain?: true }
  | { readonly kind: "tool-start"; readonly toolId: string; readonly name: string; readonly summary: string; readonly subagent: boolean }
  | { readonly kind: "tool-end"; readonly toolId: string; readonly ok: boolean }
  | { readonly kind: "tool-denied"; readonly toolId: string; readonly by: string }
  /** Running total of one model message; `key` = message id: a later event of the same key replaces the earlier one. */
  | { readonly kind: "usage"; readonly key: string; readonly tokens: Tokens; readonly final: boolean; readonly subagent: boolean }
  /** The agent put a question to a person through its own question tool: in a window nobody is there to answer it. */
  | { readonly kind: "question"; readonly text: string }
  /** A request that the main conversation gave up. `error` and `type` are the recorded words of the agent and of the provider; `text` is for people. */
  | { readonly kind: "api-error"; readonly error: string; readonly type?: string; readonly status?: number; readonly text?: string }
  | {
      readonly kind: "retry";
      readonly attempt: number;
      readonly max: number;
      readonly delayMs: number;
      readonly status?: number;
      readonly error?: string;
    }
  /** `resetsAt` in milliseconds since 1970. */
  | { readonly kind: "limit"; readonly status: "allowed" | "warning" | "rejected"; readonly resetsAt?: number }
  | { readonly kind: "compaction"; readonly trigger: string; readonly beforeTokens: number; readonly afterTokens: number }
  | { readonly kind: "background"; readonly taskId: string; readonly change: "started" | "completed" | "stopped" | "failed" }
  | { readonly kind: "notice"; readonly tag: string; readonly text: string }
  | { readonly kind: "heartbeat" }
  /** A sign of work that carries nothing we keep. */
  | { readonly kind: "activity" }
  | { readonly kind: "result"; readonly result: AgentResult }
  /** A shape we do not know. Normal: it is counted and passed over. */
  | { readonly kind: "unknown"; readonly type: string };

export interface McpServerStatus {
  readonly name: string;
  readonly status: string;
}

export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** The closing line of a Claude-shaped stream. Everything in it is a claim of the agent's, weighed in `exit-reason.ts`. */
export interface AgentResult {
  readonly subtype: string;
  readonly isError: boolean;
  readonly terminalReason?: string;
  readonly apiErrorStatus?: number;
  readonly startupFailure?: string;
  readonly stopReason?: string;
  readonly text: string;
  readonly turns: number;
  /** Running total of this process, integer millionths of a dollar; absent when the agent gave none. */
  readonly costMicroUsd?: number;
  /** `unknown` when the agent priced a model it does not know like its default one. */
  readonly costBasis?: string;
  readonly tokens?: Tokens;
  readonly permissionDenials: number;
  readonly subagentsKilledBySystem: number;
  readonly hasDeferredTool: boolean;
}

/** Whether an event is a sign of work. What an agent says while it waits, or merely to be heard, does not hold off the idle clock. */
export function isWork(event: AgentEvent): boolean {
  switch (event.kind) {
    case "heartbeat":
    case "retry":
    case "limit":
    case "usage":
    case "notice":
      return false;
    default:
      return true;
  }
}
