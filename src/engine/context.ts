/** What every step of a run needs: the ports, the run as it was started, and the person's word. */
import type { CommittedSecret } from "../core/committed-secret.ts";
import type { GitRoute } from "../core/guard/git-settings.ts";
import type { RunId } from "../core/ids.ts";
import type { Redactor } from "../core/redaction/redactor.ts";
import type { SettingsFile } from "../core/repository-settings.ts";
import type { RunSettings } from "../core/run-settings.ts";
import type { ParseXml } from "../core/xml-element.ts";
import type { Agent } from "../ports/agent.ts";
import type { Clock } from "../ports/clock.ts";
import type { Doors } from "../ports/door.ts";
import type { Files } from "../ports/files.ts";
import type { History, Refs } from "../ports/history.ts";
import type { Ids } from "../ports/ids.ts";
import type { Notifier } from "../ports/notifier.ts";
import type { Plans } from "../ports/plans.ts";
import type { Prices } from "../ports/prices.ts";
import type { Processes } from "../ports/processes.ts";
import type { ProviderOptions, ScriptedProvider } from "../ports/provider.ts";
import type { RepositorySettings } from "../ports/repository-settings.ts";
import type { ShellParser } from "../ports/shell.ts";
import type { Store } from "../ports/store.ts";
import type { Syntax } from "../ports/syntax.ts";
import type { Web } from "../ports/web.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { Booker } from "./calls/booker.ts";
import type { RunControl } from "./control.ts";
import type { GroundReader } from "./ground-check.ts";

export interface RunPorts {
  readonly store: Store;
  /** For what goes elsewhere than into the store: raw logs, prompts, answers at the door. */
  readonly redactor: Redactor;
  readonly workspace: Workspace;
  readonly history: History;
  readonly syntax: Syntax;
  readonly processes: Processes;
  readonly agent: Agent;
  readonly files: Files;
  readonly plans: Plans;
  readonly repositorySettings: RepositorySettings;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly doors: Doors;
  /** What an agent is told of the models behind its door; null = it reaches them past us. */
  readonly models: ModelDoor | null;
  readonly prices: Prices;
  readonly notifier: Notifier;
  /** The stand-in for a model provider, against which guards are proved. */
  readonly startProvider: (options: ProviderOptions) => Promise<ScriptedProvider>;
  /** Environment for the agent and for criteria, already filtered. */
  readonly agentEnv: Readonly<Record<string, string>>;
  readonly criterionEnv: Readonly<Record<string, string>>;
  /** For criteria: one request to a server, and reports in XML. */
  readonly web: Web;
  readonly parseXml: ParseXml;
  readonly shell: ShellParser;
  /** Where the store lies: nothing in it is an agent's to touch. */
  readonly stateFolder: string;
  /** Folder for raw window logs. */
  readonly logFolder: string;
}

/** @param urls  by the upstream's name; @param token  in the place of the key that we hold */
export type ModelDoor = (urls: Readonly<Record<string, string>>, token: string) => Readonly<Record<string, string>>;

export interface RunContext {
  readonly ports: RunPorts;
  readonly run: RunId;
  readonly settings: RunSettings;
  /** Branch the run works on; another one under our feet is asked about. */
  readonly branch: string | null;
  readonly control: RunControl;
  readonly ground: GroundReader;
  readonly booker: Booker;
  /** Where a push went when this process took the run up: what is added later is none of the person's. */
  readonly startRoutes: readonly GitRoute[];
  /** What the refs pointed to when the open window began; null = this process did not see it begin. */
  readonly refsAtStart: {
    current: Refs | null /** The last search since, by where the refs pointed. */;
    searched: { readonly refs: Refs; readonly found: readonly CommittedSecret[] } | null;
  };
  /** For which program, and how it is started, the guards were proved in this process; null = not yet. */
  readonly proof: { key: string | null };
  /** What the repository brought for agents when this process looked last; null = it has not yet. */
  readonly seenSettings: { files: readonly SettingsFile[] | null };
  /** How things stood when the run began, each looked up once: HEAD, null = not yet; and whether criteria held, by their lines. */
  readonly beginning: { base: string | null; readonly held: Map<string, boolean> };
}

/** What the tasks belong to, for sums that outlast a run: the plan's file, or the repository of a board. */
export function planPlace(context: RunContext): string {
  const { plan } = context.settings;
  return plan.kind === "board" ? context.ports.workspace.location.commonDir : treePath(context, plan.path);
}

/** Absolute path of something in the working tree. */
export function treePath({ ports }: { readonly ports: { readonly workspace: Pick<Workspace, "location"> } }, relative: string): string {
  return `${ports.workspace.location.top}/${relative}`;
}
