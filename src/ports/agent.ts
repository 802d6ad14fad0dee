import type { AgentEvent } from "../core/agent-event.ts";
import type { WindowId } from "../core/ids.ts";
import type { ProcessEnd, StopCause } from "../core/process-end.ts";
import type { ProcessIdentity, ProcessLimits, RawLogSpec } from "./processes.ts";

export interface AgentCapabilities {
  /** Whether the agent tells us of its tool calls: one that does not is never judged silent. null = seen from its stream. */
  readonly showsTools: boolean | null;
  readonly reportsCost: boolean | null;
  /** `callback`: every tool call is asked about first, and silence denies. `none`: nothing of ours can stop a call of this agent. */
  readonly guard: "callback" | "none";
}

/** A tool call that the agent wants to make. */
export interface ToolCall {
  readonly toolId: string;
  readonly name: string;
  /** As the model wrote it: anything. */
  readonly input: unknown;
  readonly cwd: string;
  readonly subagent: boolean;
  /** Which subagent asks, where the agent says; absent = the main conversation. */
  readonly agentId?: string;
}

export type GuardAnswer = { readonly kind: "allow" } | { readonly kind: "deny"; readonly reason: string };

export interface ProgramFound {
  readonly kind: "found";
  readonly path: string;
  readonly version: string;
  /** Tells this file from one that takes its place. */
  readonly mark: string;
  /** What it will do without, a line each. */
  readonly remarks: readonly string[];
}

export type AgentProbe =
  | ProgramFound
  /** `hint` = what to do about it, where that is known. */
  | { readonly kind: "missing"; readonly detail: string; readonly hint?: string };

export interface WindowSpec {
  readonly window: WindowId;
  readonly cwd: string;
  readonly prompt: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limits: ProcessLimits & { readonly toolMs: number; readonly lingerMs: number };
  readonly log: RawLogSpec;
  readonly onEvent: (event: AgentEvent) => void;
  /** Asked before each tool call by an agent whose capability it is. A throw or a late answer denies. */
  readonly guard: (call: ToolCall) => Promise<GuardAnswer>;
  /**
   * Asked after each tool call of the main conversation, by an agent that has a guard: what it is told beside the call's result; null = nothing. A throw or a
   * late answer tells nothing.
   */
  readonly advise?: () => string | null;
  /** What this window has cost so far by the agent's own account, each time it tells, which may be never. Asked for only where it is wanted. */
  readonly onSpend?: (microUsd: number) => void;
  /** MCP over HTTP for this window; null = the agent gets no tools of ours. */
  readonly toolsUrl: string | null;
  /** The agent's own cap, where it has one; null = ours holds, and the agent's prices are not asked. */
  readonly capMicroUsd: number | null;
  /** How long the agent waits for an answer of the guard; absent = a minute. */
  readonly guardTimeoutMs?: number;
  /** The agent keeps no transcript of its own. */
  readonly isTrial?: boolean;
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
  /** For a person, before a night: what a window needs beside the program. Costs nothing, sends nothing, tells no secret. */
  examine(program: ProgramFound, env: Readonly<Record<string, string>>): Promise<readonly AgentFinding[]>;
  start(spec: WindowSpec): AgentRun;
}

export interface AgentFinding {
  readonly what: string;
  readonly level: "ok" | "warn" | "fail";
  readonly detail: string;
}
