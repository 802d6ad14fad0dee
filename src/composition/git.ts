/** Git, as the person has it. */
import { findWorkspace as findGitWorkspace } from "../adapters/git/finding.ts";
import { readIdentity } from "../adapters/git/identity.ts";
import { openWorkspace } from "../adapters/git/workspace.ts";
import { childEnvironment } from "../config/child-environment.ts";
import type { Environment } from "../config/folders.ts";
import { MidwatchError } from "../core/error.ts";
import type { AgentSettings } from "../core/run-settings.ts";
import type { Workspace } from "../ports/workspace.ts";

/** The tree around the current folder. Throws MidwatchError kind usage where there is none, kind environment where there is no git. */
export async function findWorkspace(env: Environment): Promise<Workspace> {
  const finding = await findGitWorkspace(env, process.cwd());
  if (finding.kind !== "found") throw new MidwatchError(finding.kind === "no-git" ? "environment" : "usage", "E_WORKSPACE", finding.detail);
  return openWorkspace(env, finding.location);
}

/** Whether commits of the agent's have an author; null when git does not tell. */
export function gitIdentity(env: Environment, top: string, agent: AgentSettings) {
  return readIdentity(childEnvironment(env, agent), top);
}
