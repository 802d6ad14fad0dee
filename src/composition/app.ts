/**
 * The composition root: what the commands get, joined from adapters, engine and config. What a command does not need is not loaded: `status` opens a store and no more.
 */
import { mkdir } from "node:fs/promises";
import { createChargeLogs } from "../adapters/charge-logs/charge-logs.ts";
import { createFiles } from "../adapters/files/files.ts";
import { createProcesses } from "../adapters/processes/processes.ts";
import { createClock } from "../adapters/system/clock.ts";
import { createTerminal } from "../adapters/system/terminal.ts";
import type { App } from "../cli/app.ts";
import { folders } from "../config/folders.ts";
import { isInsideWindow } from "../config/inside-window.ts";
import { home, onSignal, programOf, treeTop } from "./process.ts";
import type { LearningRedactor } from "./redaction.ts";
import { checkStore, findStore, makeStore, tidy } from "./store.ts";

/** @param version  of this program, for people; @param redactor  through which goes all that leaves it */
export function createApp(version: string, env: NodeJS.ProcessEnv, redactor: LearningRedactor): App {
  const terminal = createTerminal({ input: process.stdin, output: process.stdout, error: process.stderr }, env, redactor.json);
  const clock = createClock();
  const state = () => folders(env, home()).state;
  return {
    version,
    isInsideWindow: isInsideWindow(env),
    terminal,
    clock,
    files: createFiles(),
    plans: async () => (await import("../adapters/plans/plans.ts")).plans,
    importers: async () => [(await import("../adapters/plans/plans.ts")).planImporter],
    get folders() {
      return folders(env, home());
    },
    processes: async (containment) => createProcesses({ containment }),
    async trySandbox({ location }, { agent }) {
      const { sandboxWanted } = await import("./sandbox.ts");
      return createProcesses({ containment: agent.containment, sandbox: sandboxWanted(env, agent, location) }).sandbox;
    },
    redactor,
    findStore: () => findStore(state(), redactor),
    makeStore: () => makeStore(state(), redactor),
    locks: async () => (await import("../adapters/locks/tree-lock.ts")).createTreeLocks(state()),
    treeTop,
    workspace: async () => (await import("./git.ts")).findWorkspace(env),
    worktrees: async (commonDir) => (await import("../adapters/git/worktrees.ts")).listWorktrees(commonDir),
    loadConfig: async (top, flags) => (await import("./config.ts")).loadConfig({ env, top, flags, homeDir: home(), redactor }),
    repositorySettings: async (workspace) => (await import("./agents.ts")).repositorySettingsOf(workspace.location, state()),
    runPorts: async (parts) => (await import("./run-ports.ts")).runPorts(env, { ...parts, terminal, clock, redactor, state: state() }),
    measuringPorts: async (parts) => (await import("./measuring-ports.ts")).measuringPorts(env, { ...parts, clock }),
    guardPorts: async (parts) => (await import("./guard-ports.ts")).guardPorts(env, { ...parts, clock, state: state() }),
    currentFolder: () => process.cwd(),
    async batchPorts({ store, jobs }) {
      const [{ batchModelAccess }, { batchPorts }] = await Promise.all([import("../config/model-access.ts"), import("./batch-ports.ts")]);
      const place = { state: state(), prices: state() };
      return batchPorts({ store, jobs, terminal, clock, redactor, place, access: batchModelAccess(env, jobs, jobs.gateway) });
    },
    evaluations: async () => (await import("./evaluations.ts")).evaluationsIn(env, state(), { terminal, clock, redactor }),
    async askModel(question) {
      const [{ askModel }, { modelPlace }] = await Promise.all([
        import("../adapters/models/ask-model.ts"),
        import("../config/model-place.ts"),
      ]);
      return askModel(question, modelPlace(env, question.provider));
    },
    schemaTrouble: async (schema) => (await import("../adapters/models/check-schema.ts")).schemaTrouble(schema),
    jobLists: async () => (await import("../adapters/jobs/job-lists.ts")).createJobLists(),
    findProgram: async (name, folder) => (await import("../adapters/agents/find-program.ts")).findProgram(name, env["PATH"] ?? "", folder),
    readInput: async () => (await import("node:stream/consumers")).text(process.stdin),
    probeAgent: async (settings) => (await import("./agents.ts")).probeAgent(env, settings, redactor),
    examineAgent: async (settings) => (await import("./agents.ts")).examineAgent(env, settings, redactor),
    findAgents: async (top) => (await import("./agents.ts")).findAgents(env, top),
    describeModelAccess: async ({ agent, gateway }) => (await import("../config/model-access.ts")).modelAccess(env, agent, gateway).detail,
    async unpricedModel(settings) {
      const [{ modelAccess }, { findUnpriced }] = await Promise.all([import("../config/model-access.ts"), import("./models.ts")]);
      return findUnpriced(settings, { access: modelAccess(env, settings.agent, settings.gateway), folder: state(), now: clock.now() });
    },
    async tryProviders({ agent, gateway }) {
      const [{ modelAccess }, { tryProviders }] = await Promise.all([import("../config/model-access.ts"), import("./models.ts")]);
      return tryProviders(modelAccess(env, agent, gateway));
    },
    gitIdentity: async (top, agent) => (await import("./git.ts")).gitIdentity(env, top, agent),
    tidy: (store, retention) => tidy({ store, folder: state(), now: clock.now() }, retention),
    async startRunner(argv, logPath, folder = process.cwd()) {
      const { startRunner } = await import("../adapters/system/runner.ts");
      await mkdir(state(), { recursive: true, mode: 0o700 });
      return startRunner({ command: [...programOf(), ...argv], cwd: folder, env, logPath });
    },
    onSignal,
    defaultConfig: async (choices) => (await import("../config/default-file.ts")).writeDefaultConfig(choices),
    checkStore: () => checkStore(state()),
    async demo({ keep, agent }) {
      const [{ playDemo }, { demoClaude }] = await Promise.all([import("../demo/demo.ts"), import("./agents.ts")]);
      const claude = agent === null ? null : await demoClaude(env);
      return playDemo({ keep, terminal, env, program: programOf(), onSignal, claude });
    },
    startProvider: async (options) => (await import("../provider/server.ts")).startProvider(options),
    prices: async () => (await import("./models.ts")).openPrices(state()),
    chargeLogs: createChargeLogs(),
  };
}
