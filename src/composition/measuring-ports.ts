/** What criteria are measured with, outside of a run. */
import { createFiles } from "../adapters/files/files.ts";
import { createProcesses } from "../adapters/processes/processes.ts";
import { createWeb } from "../adapters/web/web.ts";
import { parseXml } from "../adapters/xml/xml.ts";
import type { App } from "../cli/app.ts";
import { criterionEnvironment } from "../config/child-environment.ts";
import type { Environment } from "../config/folders.ts";
import type { MeasuringPorts } from "../engine/criteria/measuring.ts";
import { sandboxWanted } from "./sandbox.ts";

type Parts = Parameters<App["measuringPorts"]>[0] & Pick<App, "clock">;

export function measuringPorts(env: Environment, { workspace, settings: { agent }, clock }: Parts): MeasuringPorts {
  const common = {
    workspace,
    clock,
    processes: createProcesses({ ...agent, sandbox: sandboxWanted(env, agent, workspace.location) }),
    files: createFiles(),
  };
  return { ...common, web: createWeb(), parseXml, criterionEnv: criterionEnvironment(env, agent) };
}
