/** Everything a run was started with, frozen in its row. */
import type { GuardPolicy } from "./guard/policy.ts";
import type { RunLimits } from "./run-state.ts";

export interface RunSettings {
  readonly plan: PlanSettings;
  /** Who the run is on its board; absent = a run without a name. */
  readonly member?: Member;
  readonly agent: AgentSettings;
  readonly limits: RunLimits;
  readonly gateway: GatewaySettings;
  /** What the person denies and grants beyond the guards' rules; absent in runs of older versions. */
  readonly guard?: GuardPolicy;
  /** Path of the handoff note, relative to the working tree. */
  readonly handoff: string;
  /** Paths relative to the working tree that are about the work and are not the work: plan, handoff, journal. */
  readonly bookkeeping: readonly string[];
  /** What to do with changes that a window which ended badly left in the tree. */
  readonly leftovers: "ask" | "next-window";
  /** When the criteria of closed tasks are run again (C7). */
  readonly recheck: "after-window" | "before-done";
  /** What a finding against a claim does: docs/spec/criteria.md, "The rules". */
  readonly integrity: "refuse" | "report" | "off";
  /** Patterns of paths that no window may change. */
  readonly protect: readonly string[];
  /** `stop`: a provider's limit or outage ends the run with exit code 75 instead of being waited out. */
  readonly onProviderLimit: "wait" | "stop";
  /** Whether the process stays and waits for a person's answer, or ends with exit code 3 and goes on when it is resumed. */
  readonly onQuestion: "wait" | "stop";
  /** Text that stands in for our prompt template; null = ours. */
  readonly promptTemplate: string | null;
  /** Bytes of raw agent output that are kept for each window. */
  readonly logBytes: number;
}

export interface GatewaySettings {
  readonly mode: "auto" | "on" | "off";
  /** Base URLs of the upstreams; null = what the environment says, else the provider's own. */
  readonly anthropic: string | null;
  readonly openai: string | null;
  readonly unpriced: "refuse" | "allow";
}

export type PlanSettings =
  /** `path` relative to the working tree. */
  | { readonly kind: "list"; readonly path: string }
  /** The repository's board, which has no file: `path` is empty. */
  | { readonly kind: "board"; readonly path: "" }
  | {
      readonly kind: "prompt";
      readonly path: string;
      readonly everyMs: number;
      readonly iterations: number | null;
      readonly forMs: number | null;
    };

/** What criteria and guards are tried with outside of a run: nobody needs to name an agent for it. */
export type HandSettings = Pick<RunSettings, "plan" | "limits" | "bookkeeping" | "guard"> & {
  readonly agent: AgentCommon & Pick<AgentSettings, "kind">;
};

export type AgentSettings = AgentCommon &
  (
    | { readonly kind: "command"; readonly command: readonly [string, ...string[]] }
    /** The person's own Claude Code; `model` null = its own choice; `mcpServers` = which it gets besides ours. */
    | {
        readonly kind: "claude-code";
        readonly program: string;
        readonly model: string | null;
        readonly mcpServers: "approved" | "none";
      }
  );

interface AgentCommon {
  /** Names of variables that are passed on besides the fixed list; `*` at the end is a prefix. */
  readonly passEnv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** `namespace` insists on it, `partial` takes none. */
  readonly containment: "auto" | "namespace" | "partial";
  /** What the repository brings for agent programs; absent in rows of older versions = approved. */
  readonly repositorySettings?: "approved" | "ignored";
  /** `on` insists on it, `off` takes none. */
  readonly sandbox: "auto" | "on" | "off";
  /** What may be written in it besides the usual; absolute, or from `~/`. */
  readonly writable: readonly string[];
}

/** A teammate. */
export interface Member {
  /** Unique on the board. */
  readonly name: string;
  readonly role: string;
  readonly team: string;
}

/** For people: what is worked through. */
export function describePlan({ kind, path }: PlanSettings): string {
  return kind === "board" ? "the board" : path;
}

/** Whether something of ours stands before what such an agent does. */
export function guardOf({ kind }: AgentSettings): "callback" | "none" {
  return kind === "claude-code" ? "callback" : "none";
}

/** For people: what does the work. */
export function describeAgent(agent: AgentSettings): string {
  return agent.kind === "command"
    ? agent.command.join(" ")
    : `Claude Code (${agent.program}${agent.model === null ? "" : `, ${agent.model}`})`;
}
