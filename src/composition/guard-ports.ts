/** What one verdict of the guards stands on, outside of a run. */
import { createFiles } from "../adapters/files/files.ts";
import { createProcesses } from "../adapters/processes/processes.ts";
import { createShellParser } from "../adapters/shell/shell-parser.ts";
import type { App } from "../cli/app.ts";
import { childEnvironment } from "../config/child-environment.ts";
import type { Environment } from "../config/folders.ts";
import type { ExaminerPorts } from "../engine/guard.ts";

type Parts = Parameters<App["guardPorts"]>[0] & Pick<App, "clock"> & { readonly state: string };

export function guardPorts(env: Environment, { workspace, settings: { agent }, clock, state }: Parts): ExaminerPorts {
  const agentEnv = childEnvironment(env, agent);
  return {
    workspace,
    clock,
    agentEnv,
    stateFolder: state,
    files: createFiles(),
    processes: createProcesses({ containment: agent.containment }),
    shell: createShellParser(),
  };
}
