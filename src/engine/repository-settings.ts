/**
 * Nothing that a repository brings for agent programs takes effect before a person has approved it (docs/spec/trust.md). Looked at before the first window,
 * where it refuses the run, and again before each other one, since an agent may have written there.
 */
import { MidwatchError } from "../core/error.ts";
import { type Approvals, changedFiles, nameFiles, type SettingsFile, settingsPlaces, unapproved } from "../core/repository-settings.ts";
import { describeAgent, type RunSettings } from "../core/run-settings.ts";
import type { NewEvent } from "../ports/store.ts";
import type { RunContext, RunPorts } from "./context.ts";

interface Seen {
  readonly files: readonly SettingsFile[];
  readonly approvals: Approvals;
}

async function look({ repositorySettings }: Pick<RunPorts, "repositorySettings">, settings: RunSettings): Promise<Seen> {
  const files = await repositorySettings.find(settingsPlaces(settings.agent));
  // Without any there is nothing to be approved, whatever state the approvals are in.
  return { files, approvals: files.length === 0 ? {} : await repositorySettings.approvals() };
}

/** What stands against a first window; null = nothing. */
export async function settingsRefusal(ports: Pick<RunPorts, "repositorySettings">, settings: RunSettings): Promise<MidwatchError | null> {
  const seen = await look(ports, settings);
  const trouble = troubleOf(seen, settings);
  return trouble === null ? null : new MidwatchError("refused", "E_REPOSITORY_SETTINGS", trouble.text, { hint: trouble.hint });
}

interface Trouble {
  readonly text: string;
  readonly hint: string;
}

function troubleOf({ files, approvals }: Seen, { agent }: RunSettings): Trouble | null {
  if (agent.repositorySettings === "ignored") {
    if (agent.kind === "claude-code" || files.length === 0) return null;
    return {
      text: `midwatch cannot keep ${describeAgent(agent)} from reading what the repository brings for agents: ${nameFiles(files, approvals)}`,
      hint: "take the files away, or approve them with midwatch trust and run without --ignore-repo-settings",
    };
  }
  const strangers = unapproved(files, approvals);
  if (strangers.length === 0) return null;
  const without = agent.kind === "claude-code" ? "; or run without them: midwatch run --ignore-repo-settings" : "";
  return {
    text: `the repository brings settings for agents that you have not approved: ${nameFiles(strangers, approvals)}`,
    hint: `look at them, then: midwatch trust${without}`,
  };
}

export type SettingsCheck =
  | { readonly kind: "as-approved" /** For the next window. */; readonly remarks: readonly string[] }
  | { readonly kind: "not-approved"; readonly text: string };

/**
 * Before each window. What an agent wrote there in mid-run is named. Claude Code is started so that it loads none of it, and its servers were read when this
 * process began: it goes on. Any other program would obey it, and waits for a person.
 */
export async function checkRepositorySettings(context: RunContext): Promise<SettingsCheck> {
  const { ports, settings, seenSettings } = context;
  const seen = await look(ports, settings);
  const before = seenSettings.files;
  seenSettings.files = seen.files;
  const changed = before === null ? [] : changedFiles(before, seen.files);
  await record(context, before === null ? beginning(seen, settings) : change(changed));
  const trouble = troubleOf(seen, settings);
  const isUnloaded = before !== null && settings.agent.kind === "claude-code";
  if (trouble !== null && !isUnloaded) return { kind: "not-approved", text: `${trouble.text}. ${sentence(trouble.hint)}.` };
  return {
    kind: "as-approved",
    remarks: changed.map((path) => `A change to ${path} does not count: settings of agents are a person's to approve.`),
  };
}

async function record({ ports, run }: RunContext, event: NewEvent | null): Promise<void> {
  if (event !== null) await ports.store.appendEvents(run, [event], ports.clock.now());
}

function beginning({ files }: Seen, { agent }: RunSettings): NewEvent | null {
  if (files.length === 0) return null;
  return { kind: "settings.found", data: { how: agent.repositorySettings ?? "approved", files: files.map(({ path }) => path) } };
}

function change(files: readonly string[]): NewEvent | null {
  return files.length === 0 ? null : { kind: "settings.changed", data: { files } };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
