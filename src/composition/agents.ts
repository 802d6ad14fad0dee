/** Agent programs: the one that does a run's work, and those that are here to be found. */
import { createHash } from "node:crypto";
import type { ServersPlace } from "../adapters/agents/claude-code/approved-servers.ts";
import { findProgram } from "../adapters/agents/find-program.ts";
import { createRepositorySettings } from "../adapters/files/repository-settings.ts";
import { createProcesses } from "../adapters/processes/processes.ts";
import type { App, FoundAgent } from "../cli/app.ts";
import { childEnvironment } from "../config/child-environment.ts";
import { type Environment, folders } from "../config/folders.ts";
import { serverSecrets } from "../config/known-secrets.ts";
import { MidwatchError } from "../core/error.ts";
import { standingOf } from "../core/repository-settings.ts";
import type { AgentSettings, RunSettings } from "../core/run-settings.ts";
import type { Agent, AgentProbe } from "../ports/agent.ts";
import type { Processes } from "../ports/processes.ts";
import type { RepositorySettings } from "../ports/repository-settings.ts";
import type { WorkspaceLocation } from "../ports/workspace.ts";
import { findWorkspace } from "./git.ts";
import { home } from "./process.ts";
import type { LearningRedactor } from "./redaction.ts";

export interface AgentPlace extends Omit<ServersPlace, "isApproved"> {
  readonly repositorySettings: RepositorySettings;
  /** Told of what servers are started with, before one is. */
  readonly learn: LearningRedactor["learn"];
}

export async function createAgent(processes: Processes, agent: AgentSettings, place: AgentPlace): Promise<Agent> {
  if (agent.kind === "claude-code") {
    const [{ createClaudeAgent }, { noServers, readApprovedServers }] = await Promise.all([
      import("../adapters/agents/claude-code/claude-agent.ts"),
      import("../adapters/agents/claude-code/approved-servers.ts"),
    ]);
    const isApproved = await approvalOf(place, agent);
    const servers = agent.mcpServers === "approved" ? readApprovedServers({ ...place, isApproved }) : noServers;
    for (const server of Object.values(servers.servers)) place.learn(serverSecrets(server));
    return createClaudeAgent({ processes, ...agent, servers });
  }
  const { createCommandAgent } = await import("../adapters/agents/command/command-agent.ts");
  return createCommandAgent({ processes, command: agent.command, name: "command" });
}

/** A damaged file of approvals approves nothing; whoever needs one is told when the run begins. */
async function approvalOf({ repositorySettings }: AgentPlace, agent: AgentSettings): Promise<ServersPlace["isApproved"]> {
  if (agent.repositorySettings === "ignored") return () => false;
  const approvals = await repositorySettings.approvals().catch(() => ({}));
  return (path, text) => standingOf({ path, hash: createHash("sha256").update(text).digest("hex") }, approvals) === "approved";
}

export function repositorySettingsOf({ top, commonDir }: WorkspaceLocation, state: string): RepositorySettings {
  return createRepositorySettings({ top, repository: commonDir, state });
}

/** Looks for the agent's program; starts no window. */
export async function probeAgent(env: Environment, { agent }: RunSettings, redactor: LearningRedactor): Promise<AgentProbe> {
  const { client, agentEnv } = await agentHere(env, agent, redactor);
  return client.probe(agentEnv);
}

/** The same, and what else a window of it needs. */
export async function examineAgent(env: Environment, { agent }: RunSettings, redactor: LearningRedactor): ReturnType<App["examineAgent"]> {
  const { client, agentEnv } = await agentHere(env, agent, redactor);
  const probe = await client.probe(agentEnv);
  return { probe, findings: probe.kind === "found" ? await client.examine(probe, agentEnv) : [] };
}

async function agentHere(env: Environment, agent: AgentSettings, redactor: LearningRedactor) {
  const agentEnv = childEnvironment(env, agent);
  const { location } = await findWorkspace(env);
  const repositorySettings = repositorySettingsOf(location, folders(env, home()).state);
  const client = await createAgent(createProcesses({ containment: agent.containment }), agent, {
    top: location.top,
    env: agentEnv,
    repositorySettings,
    learn: redactor.learn,
  });
  return { client, agentEnv };
}

/** What `init` looks for. */
const knownAgents = ["claude", "codex", "gemini", "opencode"];

/** Those in PATH that are not in the tree: what lies there is an agent's to write. */
export function findAgents(env: Environment, top: string): readonly FoundAgent[] {
  return knownAgents.flatMap((name) => {
    const found = findProgram(name, env["PATH"] ?? "", process.cwd());
    return found.kind === "found" && !found.path.startsWith(`${top}/`) ? [{ name, path: found.path }] : [];
  });
}

/** The person's own Claude Code, for the demo, and the provider that leads it. Throws MidwatchError kind refused where it is not here. */
export async function demoClaude(env: Environment) {
  const { startProvider } = await import("../provider/server.ts");
  const found = findProgram("claude", env["PATH"] ?? "", process.cwd());
  if (found.kind === "missing")
    throw new MidwatchError("refused", "E_AGENT_MISSING", found.detail, { hint: "install Claude Code, or play the demo without --agent" });
  return { program: found.path, startProvider };
}
