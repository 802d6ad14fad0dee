/** Agent programs: the one that does a run's work, and those that are here to be found. */
import type { ServersPlace } from "../adapters/agents/claude-code/approved-servers.ts";
import { findProgram } from "../adapters/agents/find-program.ts";
import { createProcesses } from "../adapters/processes/processes.ts";
import type { App, FoundAgent } from "../cli/app.ts";
import { childEnvironment } from "../config/child-environment.ts";
import type { Environment } from "../config/folders.ts";
import { MidwatchError } from "../core/error.ts";
import type { AgentSettings, RunSettings } from "../core/run-settings.ts";
import type { Agent, AgentProbe } from "../ports/agent.ts";
import type { Processes } from "../ports/processes.ts";
import { treeTop } from "./process.ts";

export async function createAgent(processes: Processes, agent: AgentSettings, place: ServersPlace): Promise<Agent> {
  if (agent.kind === "claude-code") {
    const [{ createClaudeAgent }, { noServers, readApprovedServers }] = await Promise.all([
      import("../adapters/agents/claude-code/claude-agent.ts"),
      import("../adapters/agents/claude-code/approved-servers.ts"),
    ]);
    return createClaudeAgent({ processes, ...agent, servers: agent.mcpServers === "approved" ? readApprovedServers(place) : noServers });
  }
  const { createCommandAgent } = await import("../adapters/agents/command/command-agent.ts");
  return createCommandAgent({ processes, command: agent.command, name: "command" });
}

/** Looks for the agent's program; starts no window. */
export async function probeAgent(env: Environment, { agent }: RunSettings): Promise<AgentProbe> {
  const { client, agentEnv } = await agentHere(env, agent);
  return client.probe(agentEnv);
}

/** The same, and what else a window of it needs. */
export async function examineAgent(env: Environment, { agent }: RunSettings): ReturnType<App["examineAgent"]> {
  const { client, agentEnv } = await agentHere(env, agent);
  const probe = await client.probe(agentEnv);
  return { probe, findings: probe.kind === "found" ? await client.examine(probe, agentEnv) : [] };
}

async function agentHere(env: Environment, agent: AgentSettings) {
  const agentEnv = childEnvironment(env, agent);
  const client = await createAgent(createProcesses({ containment: agent.containment }), agent, { top: treeTop(), env: agentEnv });
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
