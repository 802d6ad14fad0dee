/** What a run stands on. */
import { mkdir } from "node:fs/promises";
import { createFiles } from "../adapters/files/files.ts";
import { openHistory } from "../adapters/git/history.ts";
import { createBell } from "../adapters/notify/bell.ts";
import { plans } from "../adapters/plans/plans.ts";
import { createProcesses } from "../adapters/processes/processes.ts";
import { createShellParser } from "../adapters/shell/shell-parser.ts";
import { syntax } from "../adapters/syntax/syntax.ts";
import { createIds } from "../adapters/system/ids.ts";
import { createWeb } from "../adapters/web/web.ts";
import { parseXml } from "../adapters/xml/xml.ts";
import type { App } from "../cli/app.ts";
import { criterionEnvironment } from "../config/child-environment.ts";
import type { Environment } from "../config/folders.ts";
import { modelAccess } from "../config/model-access.ts";
import type { RunSettings } from "../core/run-settings.ts";
import type { RunPorts } from "../engine/context.ts";
import { createDoors } from "../gateway/door-server.ts";
import { createAgent, repositorySettingsOf } from "./agents.ts";
import { gatewayModels, noPrices, openPrices } from "./models.ts";
import type { LearningRedactor } from "./redaction.ts";
import { sandboxWanted } from "./sandbox.ts";

type Parts = Parameters<App["runPorts"]>[0] &
  Pick<App, "terminal" | "clock"> & { readonly redactor: LearningRedactor } & { readonly state: string };

export async function runPorts(
  env: Environment,
  { store, workspace, settings, terminal, clock, redactor, state }: Parts,
): Promise<RunPorts> {
  const { agent } = settings;
  const access = modelAccess(env, agent, settings.gateway);
  const { agentEnv } = access;
  redactor.learn(agent.env);
  const processes = createProcesses({ ...agent, sandbox: sandboxWanted(env, agent, workspace.location) });
  const ids = createIds(clock.now);
  const logFolder = `${state}/logs`;
  await mkdir(logFolder, { recursive: true, mode: 0o700 });
  const repositorySettings = repositorySettingsOf(workspace.location, state);
  return {
    store,
    redactor,
    workspace,
    history: openHistory(env, workspace.location),
    syntax,
    processes,
    agent: await createAgent(processes, agent, { top: workspace.location.top, env: agentEnv, repositorySettings, learn: redactor.learn }),
    repositorySettings,
    files: createFiles(),
    plans,
    clock,
    ids,
    doors: createDoors({ newSecret: ids.newSecret, models: await gatewayModels(access) }),
    models: access.upstreams.length === 0 ? null : access.environment,
    prices: needsPrices(settings) ? await openPrices(state) : noPrices,
    notifier: createBell(terminal),
    startProvider: async (options) => (await import("../provider/server.ts")).startProvider(options),
    agentEnv,
    criterionEnv: criterionEnvironment(env, agent),
    web: createWeb(),
    parseXml,
    shell: createShellParser(),
    stateFolder: state,
    logFolder,
  };
}

function needsPrices({ agent, gateway }: RunSettings): boolean {
  return agent.kind === "claude-code" || gateway.mode === "on";
}
