/**
 * The composition root: joins adapters, engine and the command line. The only file that ends the process, and with src/config the only one that sees its environment.
 * What a command does not need is not loaded: `status` opens a store and no more.
 */

import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import type { ServersPlace } from "./adapters/agents/claude-code/approved-servers.ts";
import { createChargeLogs } from "./adapters/charge-logs/charge-logs.ts";
import { createFiles } from "./adapters/files/files.ts";
import { findWorkspace as findGitWorkspace } from "./adapters/git/finding.ts";
import { readIdentity } from "./adapters/git/identity.ts";
import { findTreeTop } from "./adapters/git/tree-top.ts";
import { openWorkspace } from "./adapters/git/workspace.ts";
import { createTreeLocks } from "./adapters/locks/tree-lock.ts";
import { createBell } from "./adapters/notify/bell.ts";
import { plans } from "./adapters/plans/plans.ts";
import { createProcesses } from "./adapters/processes/processes.ts";
import { checkStore as checkSqliteStore } from "./adapters/store/sqlite/check.ts";
import { openStore as openSqliteStore } from "./adapters/store/sqlite/open.ts";
import { createClock } from "./adapters/system/clock.ts";
import { createIds } from "./adapters/system/ids.ts";
import { removeOldLogs } from "./adapters/system/old-logs.ts";
import { startRunner } from "./adapters/system/runner.ts";
import { createTerminal } from "./adapters/system/terminal.ts";
import type { App, ConfigFlag, LoadedConfig } from "./cli/app.ts";
import { runProgram } from "./cli/program.ts";
import { childEnvironment, criterionEnvironment } from "./config/child-environment.ts";
import { folders } from "./config/folders.ts";
import type { ModelAccess } from "./config/model-access.ts";
import { MidwatchError } from "./core/error.ts";
import { exitCodeOfError } from "./core/exit-codes.ts";
import type { RunSettings } from "./core/run-settings.ts";
import type { BatchPorts } from "./engine/batch/context.ts";
import type { RunPorts } from "./engine/context.ts";
import type { ModelsOptions } from "./gateway/door-server.ts";
import type { Agent } from "./ports/agent.ts";
import type { Prices } from "./ports/prices.ts";
import type { Processes } from "./ports/processes.ts";
import type { Store } from "./ports/store.ts";
import type { Workspace } from "./ports/workspace.ts";

declare const MIDWATCH_VERSION: string | undefined;

const version = typeof MIDWATCH_VERSION === "undefined" ? "development" : MIDWATCH_VERSION;

function createApp(): App {
  const { env } = process;
  const terminal = createTerminal({ input: process.stdin, output: process.stdout, error: process.stderr }, env);
  const clock = createClock();
  const state = () => folders(env, home());
  return {
    version,
    terminal,
    clock,
    files: createFiles(),
    plans,
    get folders() {
      return state();
    },
    processes: async (containment) => createProcesses(containment === "auto" ? {} : { containment }),
    openStore: (mode) => openStore(state().state, mode),
    locks: async () => createTreeLocks(state().state),
    treeTop,
    workspace: () => findWorkspace(env),
    loadConfig: (top, flags) => loadConfig(env, top, flags),
    runPorts: (parts) => runPorts(env, { ...parts, terminal, clock, state: state().state }),
    async batchPorts({ store, jobs }) {
      const { batchModelAccess } = await import("./config/model-access.ts");
      const place = { state: state().state, prices: state().state };
      return batchPorts({ store, jobs, terminal, clock, place, access: batchModelAccess(env, jobs, jobs.gateway) });
    },
    evaluations: evaluationsIn(env, () => state().state, { terminal, clock }),
    async askModel(question) {
      const [{ askModel }, { modelPlace }] = await Promise.all([
        import("./adapters/models/ask-model.ts"),
        import("./config/model-place.ts"),
      ]);
      return askModel(question, modelPlace(env, question.provider));
    },
    schemaTrouble: async (schema) => (await import("./adapters/models/check-schema.ts")).schemaTrouble(schema),
    jobLists: async () => (await import("./adapters/jobs/job-lists.ts")).createJobLists(),
    findProgram: async (name, folder) => (await import("./adapters/agents/find-program.ts")).findProgram(name, env["PATH"] ?? "", folder),
    readInput: async () => (await import("node:stream/consumers")).text(process.stdin),
    async probeAgent({ agent }) {
      const { client, agentEnv } = await agentHere(env, agent);
      return client.probe(agentEnv);
    },
    async examineAgent({ agent }) {
      const { client, agentEnv } = await agentHere(env, agent);
      const probe = await client.probe(agentEnv);
      return { probe, findings: probe.kind === "found" ? await client.examine(probe, agentEnv) : [] };
    },
    describeModelAccess: async ({ agent, gateway }) => (await import("./config/model-access.ts")).modelAccess(env, agent, gateway).detail,
    gitIdentity: async (top, agent) => readIdentity(childEnvironment(env, agent), top),
    async tidy(store, { eventsMs, logsMs, answersMs, batchesMs }) {
      await store.prune(clock.now() - eventsMs);
      await store.archive.prune(clock.now() - answersMs);
      await archiveOld(store, clock.now() - batchesMs, clock.now());
      await Promise.all([`${state().state}/logs`, state().state].map((folder) => removeOldLogs(folder, clock.now() - logsMs)));
    },
    async startRunner(argv, logPath) {
      await mkdir(state().state, { recursive: true, mode: 0o700 });
      return startRunner({
        command: [process.execPath, ...process.execArgv, process.argv[1] ?? "", ...argv],
        cwd: process.cwd(),
        env,
        logPath,
      });
    },
    onSignal,
    defaultConfig: async (choices) => (await import("./config/default-file.ts")).writeDefaultConfig(choices),
    findAgents: async (top) => {
      const { findProgram } = await import("./adapters/agents/find-program.ts");
      return knownAgents.flatMap((name) => {
        const found = findProgram(name, env["PATH"] ?? "", process.cwd());
        return found.kind === "found" && !found.path.startsWith(`${top}/`) ? [{ name, path: found.path }] : [];
      });
    },
    checkStore: () => checkStore(state().state),
    demo: async ({ keep, agent }) =>
      (await import("./demo/demo.ts")).playDemo({
        keep,
        terminal,
        env,
        program: programOf(),
        onSignal,
        claude: agent === null ? null : await demoClaude(env),
      }),
    startProvider: async (options) => (await import("./provider/server.ts")).startProvider(options),
    prices: () => openPrices(state().state),
    chargeLogs: createChargeLogs(),
  };
}

/** E8. A batch that cannot be moved now stays where it is, whole: no reason to begin nothing. */
async function archiveOld(store: Store, before: number, now: number): Promise<void> {
  for (const { name, state, closedAt } of await store.batches.batches())
    if (state === "closed" && closedAt !== null && closedAt < before) await store.archive.archive(name, now).catch(() => undefined); // the next start tries again
}

function onSignal(listener: (signal: "SIGINT" | "SIGTERM" | "SIGHUP") => void): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const listeners = signals.map((signal) => [signal, () => listener(signal)] as const);
  for (const [signal, listen] of listeners) process.on(signal, listen);
  return () => {
    for (const [signal, listen] of listeners) process.off(signal, listen);
  };
}

/** What `init` looks for. */
const knownAgents = ["claude", "codex", "gemini", "opencode"];

/** How this program is started once more. */
function programOf(): [string, ...string[]] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? ""];
}

async function demoClaude(env: NodeJS.ProcessEnv) {
  const [{ findProgram }, { startProvider }] = await Promise.all([
    import("./adapters/agents/find-program.ts"),
    import("./provider/server.ts"),
  ]);
  const found = findProgram("claude", env["PATH"] ?? "", process.cwd());
  if (found.kind === "missing")
    throw new MidwatchError("refused", "E_AGENT_MISSING", found.detail, { hint: "install Claude Code, or play the demo without --agent" });
  return { program: found.path, startProvider };
}

function home(): string | null {
  try {
    return homedir();
  } catch {
    return null; // no entry for this user: HOME decides
  }
}

async function openStore(folder: string, mode: "read" | "write"): Promise<Store | null> {
  if (mode === "read" && !existsSync(folder)) return null;
  return openSqliteStore({ folder });
}

async function checkStore(folder: string): Promise<string | null> {
  if (!existsSync(folder)) return null;
  const check = checkSqliteStore(folder);
  return check.kind === "faulty" ? [check.error.message, check.error.hint].filter(Boolean).join("; ") : null;
}

function treeTop(): string {
  const top = findTreeTop(process.cwd());
  if (top !== null) return top;
  throw new MidwatchError("usage", "E_WORKSPACE", `${process.cwd()} is in no git repository`, {
    hint: "go to one, or make one with: git init",
  });
}

async function findWorkspace(env: NodeJS.ProcessEnv): Promise<Workspace> {
  const finding = await findGitWorkspace(env, process.cwd());
  if (finding.kind !== "found") throw new MidwatchError(finding.kind === "no-git" ? "environment" : "usage", "E_WORKSPACE", finding.detail);
  return openWorkspace(env, finding.location);
}

async function loadConfig(env: NodeJS.ProcessEnv, top: string | null, flags: readonly ConfigFlag[]): Promise<LoadedConfig> {
  const config = await import("./config/load.ts");
  const loaded = await config.loadConfig({ top, env, homeDir: home(), flags });
  const [{ describeConfig }, { jobSettings, retention, runSettings }, { readPromptTemplate }, { batchDefaults, evaluationDefaults }] =
    await Promise.all([
      import("./config/describe.ts"),
      import("./config/run-settings.ts"),
      import("./config/prompt-template.ts"),
      import("./config/batch-settings.ts"),
    ]);
  return {
    rows: describeConfig(loaded),
    warnings: loaded.warnings,
    files: loaded.files,
    retention: retention(loaded),
    batch: batchDefaults(loaded),
    evaluation: evaluationDefaults(loaded),
    jobs: jobSettings(loaded),
    async settings(plan) {
      const start = { now: Date.now(), promptTemplate: await readPromptTemplate(loaded) };
      return runSettings(loaded, plan === null ? start : { ...start, plan });
    },
  };
}

async function runPorts(
  env: NodeJS.ProcessEnv,
  {
    store,
    workspace,
    settings,
    terminal,
    clock,
    state,
  }: { store: Store; workspace: Workspace; settings: RunSettings; terminal: App["terminal"]; clock: App["clock"]; state: string },
): Promise<RunPorts> {
  const [{ createShellParser }, { createDoors }] = await Promise.all([
    import("./adapters/shell/shell-parser.ts"),
    import("./gateway/door-server.ts"),
  ]);
  const { agent } = settings;
  const processes = createProcesses(agent.containment === "auto" ? {} : { containment: agent.containment });
  const { modelAccess } = await import("./config/model-access.ts");
  const access = modelAccess(env, agent, settings.gateway);
  const { agentEnv } = access;
  const ids = createIds(clock.now);
  const logFolder = `${state}/logs`;
  await mkdir(logFolder, { recursive: true, mode: 0o700 });
  return {
    store,
    workspace,
    processes,
    agent: await createAgent(processes, agent, { top: workspace.location.top, env: agentEnv }),
    files: createFiles(),
    plans,
    clock,
    ids,
    doors: createDoors({ newSecret: ids.newSecret, models: await gatewayModels(access) }),
    models: access.upstreams.length === 0 ? null : access.environment,
    prices: needsPrices(settings) ? await openPrices(state) : noPrices,
    notifier: createBell(terminal),
    startProvider: async (options) => (await import("./provider/server.ts")).startProvider(options),
    agentEnv,
    criterionEnv: criterionEnvironment(env, agent),
    shell: createShellParser(),
    stateFolder: state,
    logFolder,
  };
}

/** E7: in a folder of their own, with a key of their own. Prices are the person's and the same. */
function evaluationsIn(
  env: NodeJS.ProcessEnv,
  state: () => string,
  { terminal, clock }: Pick<App, "terminal" | "clock">,
): App["evaluations"] {
  const folder = () => `${state()}/eval`;
  return {
    openStore: (mode) => openStore(folder(), mode),
    openSets: async (mode) => (await import("./adapters/evaluations/sets.ts")).openEvaluationSets(folder(), mode),
    locks: async () => createTreeLocks(folder()),
    async batchPorts({ store, config: { jobs, evaluation } }) {
      const { evaluationModelAccess } = await import("./config/model-access.ts");
      const access = evaluationModelAccess(env, { agent: jobs, gateway: jobs.gateway, key: evaluation.key });
      return batchPorts({ store, jobs, terminal, clock, place: { state: folder(), prices: state() }, access });
    },
    async scoring({ jobs, evaluation }) {
      const { evaluationEnvironment } = await import("./config/model-access.ts");
      return {
        processes: createProcesses(jobs.containment === "auto" ? {} : { containment: jobs.containment }),
        env: evaluationEnvironment(env, jobs, evaluation.key),
        newMark: () => `score:${createIds(clock.now).newSecret()}`,
      };
    },
  };
}

interface BatchParts {
  readonly store: Store;
  readonly jobs: LoadedConfig["jobs"];
  readonly terminal: App["terminal"];
  readonly clock: App["clock"];
  /** Folders: of the store and all that belongs to it, and of the prices. */
  readonly place: { readonly state: string; readonly prices: string };
  readonly access: ModelAccess;
}

async function batchPorts({ store, jobs, terminal, clock, place: { state, prices }, access }: BatchParts): Promise<BatchPorts> {
  const [{ createDoors }, { createPollDispatcher }] = await Promise.all([
    import("./gateway/door-server.ts"),
    import("./engine/batch/poll-dispatcher.ts"),
  ]);
  const ids = createIds(clock.now);
  const logFolder = `${state}/logs`;
  await mkdir(logFolder, { recursive: true, mode: 0o700 });
  return {
    store,
    dispatcher: createPollDispatcher({ clock, random: ids.random }),
    processes: createProcesses(jobs.containment === "auto" ? {} : { containment: jobs.containment }),
    files: createFiles(),
    clock,
    ids,
    doors: createDoors({ newSecret: ids.newSecret, models: await gatewayModels(access) }),
    locks: createTreeLocks(state),
    notifier: createBell(terminal),
    prices: await openPrices(prices),
    models: access.environment,
    jobEnv: access.agentEnv,
    waits: jobs.waits,
    modelDetail: access.detail,
    ownCommand: programOf(),
    stateFolder: state,
    logFolder,
  };
}

async function gatewayModels({ upstreams, proxy }: ModelAccess): Promise<ModelsOptions | null> {
  if (upstreams.length === 0) return null;
  const [{ anthropicMessages }, { openaiChat }, { openDecodedAnswer }] = await Promise.all([
    import("./adapters/providers/anthropic-messages.ts"),
    import("./adapters/providers/openai-chat.ts"),
    import("./adapters/providers/decode.ts"),
  ]);
  const formats = { anthropic: anthropicMessages, openai: openaiChat };
  return { upstreams: upstreams.map((one) => ({ ...one, format: formats[one.name] })), openAnswer: openDecodedAnswer, proxy };
}

const openPrices = async (state: string) => (await import("./adapters/prices/price-book.ts")).openPriceBook(createFiles(), state);

/** A program of which no call is seen needs no table of prices, and does not wait for one. */
function needsPrices({ agent, gateway }: RunSettings): boolean {
  return agent.kind === "claude-code" || gateway.mode === "on";
}

const noPrices: Prices = { table: "none", of: () => null };

/** For a look at it, before there is a run. */
async function agentHere(env: NodeJS.ProcessEnv, agent: RunSettings["agent"]) {
  const processes = createProcesses(agent.containment === "auto" ? {} : { containment: agent.containment });
  const agentEnv = childEnvironment(env, agent);
  return { agentEnv, client: await createAgent(processes, agent, { top: treeTop(), env: agentEnv }) };
}

async function createAgent(processes: Processes, agent: RunSettings["agent"], place: ServersPlace): Promise<Agent> {
  if (agent.kind === "claude-code") {
    const [{ createClaudeAgent }, { noServers, readApprovedServers }] = await Promise.all([
      import("./adapters/agents/claude-code/claude-agent.ts"),
      import("./adapters/agents/claude-code/approved-servers.ts"),
    ]);
    return createClaudeAgent({ processes, ...agent, servers: agent.mcpServers === "approved" ? readApprovedServers(place) : noServers });
  }
  return (await import("./adapters/agents/command/command-agent.ts")).createCommandAgent({
    processes,
    command: agent.command,
    name: "command",
  });
}

/** One line that says what happened, one that says what to do. Only our own mistakes show where they come from. */
function report(error: unknown): number {
  if (error instanceof MidwatchError && error.kind !== "bug") {
    process.stderr.write(`midwatch: ${oneLine(error.message)}\n${error.hint === "" ? "" : `  next: ${oneLine(error.hint)}\n`}`);
    return exitCodeOfError(error.kind);
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`midwatch: this is a mistake of ours, please report it\n${detail}\n`);
  return 1;
}

function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
}

try {
  process.exitCode = await runProgram(createApp(), process.argv.slice(2));
} catch (error) {
  process.exitCode = report(error);
}
