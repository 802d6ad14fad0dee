/** What the commands get from the composition root. Built lazily: `status` opens a store and nothing else. */
import type { BatchDefaults } from "../core/batch/defaults.ts";
import type { MidwatchError } from "../core/error.ts";
import type { Redactor } from "../core/redaction/redactor.ts";
import type { HandSettings, PlanSettings, RunSettings } from "../core/run-settings.ts";
import type { SandboxState } from "../core/sandbox/place.ts";
import type { ProviderName } from "../core/upstream.ts";
import type { BatchPorts } from "../engine/batch/context.ts";
import type { RunPorts } from "../engine/context.ts";
import type { MeasuringPorts } from "../engine/criteria/measuring.ts";
import type { ExaminerPorts } from "../engine/guard.ts";
import type { AgentFinding, AgentProbe } from "../ports/agent.ts";
import type { ChargeLogs } from "../ports/charge-logs.ts";
import type { Clock } from "../ports/clock.ts";
import type { EvaluationSets } from "../ports/evaluation-sets.ts";
import type { Files } from "../ports/files.ts";
import type { JobLists } from "../ports/job-list.ts";
import type { ListImporter } from "../ports/list-importer.ts";
import type { ModelAnswer, ModelQuestion } from "../ports/models.ts";
import type { Plans } from "../ports/plans.ts";
import type { PriceBook } from "../ports/prices.ts";
import type { Processes } from "../ports/processes.ts";
import type { ProviderOptions, ScriptedProvider } from "../ports/provider.ts";
import type { RepositorySettings } from "../ports/repository-settings.ts";
import type { Store, TreeLocks } from "../ports/store.ts";
import type { Workspace } from "../ports/workspace.ts";

export interface App {
  readonly version: string;
  /** An agent, or something that it started, typed this command. */
  readonly isInsideWindow: boolean;
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** Everything that the terminal prints has passed it. */
  readonly redactor: Redactor;
  readonly files: Files;
  plans(): Promise<Plans>;
  /** In the order in which they are asked. The last one knows every file. */
  importers(): Promise<readonly [ListImporter, ...ListImporter[]]>;
  readonly folders: { readonly state: string; readonly config: string };
  processes(containment: RunSettings["agent"]["containment"]): Promise<Processes>;
  /** Whether the agent of a run in this tree would be in a sandbox. */
  trySandbox(workspace: Workspace, settings: RunSettings): Promise<SandboxState>;
  /** The user's store; null when there is none yet. */
  findStore(): Promise<Store | null>;
  /** The same, made where there is none. */
  makeStore(): Promise<Store>;
  locks(): Promise<TreeLocks>;
  /** Real path of the top of the working tree around the current folder; throws like `workspace`. Starts no git. */
  treeTop(): string;
  /** The working tree that holds the current folder. Throws MidwatchError kind usage when there is none. */
  workspace(): Promise<Workspace>;
  /** The working trees of the repository, the main one first. */
  worktrees(commonDir: string): Promise<readonly { readonly top: string; readonly branch: string | null }[]>;
  /** Throws MidwatchError kind config. */
  loadConfig(top: string | null, flags: readonly ConfigFlag[]): Promise<LoadedConfig>;
  /** What the repository brings for agents, and the person's approvals of it. */
  repositorySettings(workspace: Workspace): Promise<RepositorySettings>;
  runPorts(parts: { readonly store: Store; readonly workspace: Workspace; readonly settings: RunSettings }): Promise<RunPorts>;
  /** What criteria are measured with, outside of a run. */
  measuringPorts(parts: { readonly workspace: Workspace; readonly settings: HandSettings }): Promise<MeasuringPorts>;
  /** What one verdict of the guards stands on, outside of a run. */
  guardPorts(parts: { readonly workspace: Workspace; readonly settings: Pick<HandSettings, "agent"> }): Promise<ExaminerPorts>;
  /** Where the command was called. */
  currentFolder(): string;
  batchPorts(parts: { readonly store: Store; readonly jobs: LoadedConfig["jobs"] }): Promise<BatchPorts>;
  /** What evaluations have of their own: nothing of theirs is in the store above, and nothing of that in theirs (E7). */
  evaluations(): Promise<Evaluations>;
  /** One question of a job of a prompt batch, to the model behind this attempt's door. Never rejects but outside a batch. */
  askModel(question: ModelQuestion): Promise<ModelAnswer>;
  /** What is wrong with a JSON Schema for answers; null = nothing. */
  schemaTrouble(schema: Readonly<Record<string, unknown>>): Promise<string | null>;
  jobLists(): Promise<JobLists>;
  /** @param name  a path when it has a slash, relative to `folder`; else a name that is searched in PATH */
  findProgram(name: string, folder: string): Promise<{ readonly kind: "found" } | { readonly kind: "missing"; readonly detail: string }>;
  /** Everything on standard input, as text. */
  readInput(): Promise<string>;
  /** Looks for the agent's program; starts no window. */
  probeAgent(settings: RunSettings): Promise<AgentProbe>;
  /** The same, and what else a window of it needs. */
  examineAgent(settings: RunSettings): Promise<{ readonly probe: AgentProbe; readonly findings: readonly AgentFinding[] }>;
  /** How the agent would reach its model, in one line. Throws MidwatchError kind config where the settings ask for what cannot be. */
  describeModelAccess(settings: RunSettings): Promise<string>;
  /** What a run would be refused with because the model that it names has no price; null = nothing. */
  unpricedModel(settings: RunSettings): Promise<MidwatchError | null>;
  /** Asks each provider behind the gateway whether it answers, at no cost and without a key; empty = no gateway. `trouble` null = it does. Throws like `describeModelAccess`. */
  tryProviders(settings: RunSettings): Promise<readonly { readonly host: string; readonly trouble: string | null }[]>;
  /** Whether commits in this tree have an author; null when git does not tell. */
  gitIdentity(top: string, agent: RunSettings["agent"]): Promise<{ readonly name: boolean; readonly email: boolean } | null>;
  /** Removes what is older than the user wants it kept: events, evidence and raw logs of runs that ended. */
  tidy(store: Store, retention: LoadedConfig["retention"]): Promise<void>;
  /** Starts this program again, as a process of its own that outlives the terminal, here or in another folder. Its output goes to `logPath`. */
  startRunner(argv: readonly string[], logPath: string, folder?: string): Promise<Runner>;
  /** SIGINT, SIGTERM, SIGHUP. Returns the way to stop listening. */
  onSignal(listener: (signal: "SIGINT" | "SIGTERM" | "SIGHUP") => void): () => void;
  /** The commented midwatch.jsonc that `init` writes. */
  defaultConfig(choices: DefaultFileChoices): Promise<string>;
  /** The agents that are in PATH, those in the tree left out: what lies there is an agent's to write. */
  findAgents(top: string): Promise<readonly FoundAgent[]>;
  /** Whole check of the store's file; null = in order. */
  checkStore(): Promise<string | null>;
  demo(options: DemoOptions): Promise<number>;
  startProvider(options: ProviderOptions): Promise<ScriptedProvider>;
  /** Loads the table of prices, which is large. Throws MidwatchError kind config for a damaged file of the person's own. */
  prices(): Promise<PriceBook>;
  /** Files in which others wrote down what was charged. */
  readonly chargeLogs: ChargeLogs;
}

export interface Evaluations {
  /** Made where there is none. */
  makeStore(): Promise<Store>;
  /** Null when there are none yet; `write` makes them. */
  openSets(mode: "read" | "write"): Promise<EvaluationSets | null>;
  locks(): Promise<TreeLocks>;
  /** Throws MidwatchError kind config where the key is not there. */
  batchPorts(parts: { readonly store: Store; readonly config: Pick<LoadedConfig, "jobs" | "evaluation"> }): Promise<BatchPorts>;
  /** For a scorer that is a program. */
  scoring(config: Pick<LoadedConfig, "jobs" | "evaluation">): Promise<{
    readonly processes: Processes;
    readonly env: Readonly<Record<string, string>>;
    newMark(): string;
  }>;
}

export interface FoundAgent {
  readonly name: string;
  readonly path: string;
}

/** See config/default-file.ts. */
export interface DefaultFileChoices {
  readonly kind?: "claude-code";
  readonly examples?: readonly (readonly [string, ...string[]])[];
}

export interface ConfigFlag {
  readonly path: string;
  readonly flag: string;
  readonly value: unknown;
}

export interface LoadedConfig {
  readonly rows: readonly { readonly path: string; readonly value: unknown; readonly origin: string; readonly place: string }[];
  readonly warnings: readonly string[];
  readonly files: { readonly user: string | null; readonly project: string | null };
  readonly retention: Retention;
  /** What a batch is frozen with when it is added, as far as the settings say it. */
  readonly batch: BatchDefaults;
  /** The same for a version of an evaluation, and where its key is. */
  readonly evaluation: {
    readonly batch: BatchDefaults;
    readonly key: { readonly variable: string; readonly provider: ProviderName };
  };
  /** What the jobs of a batch are started with, whatever batch it is. */
  readonly jobs: Pick<RunSettings["agent"], "passEnv" | "env" | "containment"> & {
    readonly gateway: RunSettings["gateway"];
    readonly waits: BatchPorts["waits"];
  };
  /** @param plan  instead of the list that the config names */
  byHand(plan: PlanSettings | null): HandSettings;
  settings(plan: PlanSettings | null): Promise<RunSettings>;
}

/** How long what need not be kept is kept. */
export interface Retention {
  readonly eventsMs: number;
  readonly logsMs: number;
  /** Recorded answers to jobs that are done, and batches, after the batch's end. */
  readonly answersMs: number;
  readonly batchesMs: number;
}

export interface Runner {
  readonly pid: number;
  /** Exit code, or null when a signal ended it. */
  readonly exited: Promise<number | null>;
  readLog(): Promise<string>;
}

export interface DemoOptions {
  readonly keep: boolean;
  /** `claude` plays the night with the real Claude Code; null = the scripted agent. */
  readonly agent: "claude" | null;
}

export interface Terminal {
  /** Results. */
  out(text: string): void;
  /** Everything for a person. */
  err(text: string): void;
  /** A person can be asked. */
  readonly isInteractive: boolean;
  readonly hasColor: boolean;
  /** Columns of what each stream is shown in; null = a file or a pipe. */
  readonly columns: { readonly out: number | null; readonly err: number | null };
  /** One line from the person; null when the input ends or the signal aborts. */
  ask(prompt: string, signal: AbortSignal): Promise<string | null>;
}
