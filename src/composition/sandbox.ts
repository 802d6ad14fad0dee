/** The sandbox of a run's agent and criteria: what it is to hold, from the person's own environment and settings. */
import type { SandboxWanted } from "../adapters/processes/sandbox/sandbox.ts";
import { childEnvironment } from "../config/child-environment.ts";
import { type Environment, folders } from "../config/folders.ts";
import type { HandSettings } from "../core/run-settings.ts";
import { sandboxPlaces } from "../core/sandbox/places.ts";
import type { WorkspaceLocation } from "../ports/workspace.ts";
import { home, packageFolder } from "./process.ts";

/** Of `agent.env` nothing counts: the project's file may set it, and would choose what is writable. */
export function sandboxWanted(
  env: Environment,
  agent: HandSettings["agent"],
  { top, gitDir, commonDir }: WorkspaceLocation,
): SandboxWanted {
  const own = childEnvironment(env, { passEnv: [], env: {} });
  const { state, config } = folders(env, home());
  // A run of an earlier version was frozen without these two.
  const { sandbox: mode = "auto", writable = [] } = agent;
  const facts = { kind: agent.kind, tree: [top, gitDir, commonDir], ours: [state, config], program: packageFolder(), writable, env: own };
  return { mode, places: sandboxPlaces(facts), tree: top, hidden: state, searchPath: own["PATH"] ?? "" };
}
