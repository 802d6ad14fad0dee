import type { AgentEvent } from "../core/agent-event.ts";
import type { WindowId } from "../core/ids.ts";
import type { ProcessEnd, StopCause } from "../core/process-end.ts";
import type { ProcessIdentity, ProcessLimits } from "./processes.ts";

export interface AgentCapabilities {
  /** Whether the agent tells us of its tool calls: one that does not is never judged silent. null = seen from its stream. */
  readonly showsTools: boolean | null;
  readonly reportsCost: boolean | null;
}

export type AgentProbe =
  | { readonly kind: "found"; readonly path: string; readonly version: string }
  | { readonly kind: "missing"; readonly detail: string };

export interface WindowSpec {
  readonly window: WindowId;
  readonly cwd: string;
  readonly prompt: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limits: ProcessLimits & { readonly toolMs: number; readonly lingerMs: number };
  readonly log: { readonly path: string; readonly maxBytes: number };
  readonly onEvent: (event: AgentEvent) => void;
}

/** A window's process. Failures are ends, never exceptions. */
export interface AgentRun {
  readonly identity: ProcessIdentity | null;
  readonly end: Promise<ProcessEnd>;
  stop(cause: StopCause, how?: "gracefully" | "now"): void;
}

export interface Agent {
  readonly name: string;
  readonly capabilities: AgentCapabilities;
  /** Costs nothing, sends nothing. The path is resolved afresh at each call. */
  probe(env: Readonly<Record<string, string>>): Promise<AgentProbe>;
  start(spec: WindowSpec): AgentRun;
}
