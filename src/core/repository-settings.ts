/**
 * What a repository brings that agent programs take for settings: hooks and servers they start, permissions, commands, plugins. Whoever writes the repository
 * writes these, and a program in print mode obeys them without a question. So they count only as a person has seen and approved them, byte for byte
 * (docs/spec/trust.md). Texts for the model (CLAUDE.md, AGENTS.md, GEMINI.md) are none of them: they start nothing.
 */
import type { AgentSettings } from "./run-settings.ts";

/** Below the top of the working tree: a file, or a folder with all that is in it. */
export interface SettingsPlace {
  readonly path: string;
  /** Checkouts of the repository itself that a program keeps there. */
  readonly except?: string;
}

const claudePlaces: readonly SettingsPlace[] = [{ path: ".claude", except: ".claude/worktrees" }, { path: ".mcp.json" }];
const otherPlaces: readonly SettingsPlace[] = [
  ".agents",
  ".codex",
  ".cursor",
  ".gemini",
  ".opencode",
  ".pi",
  "opencode.json",
  "opencode.jsonc",
].map((path) => ({ path }));

/** Where settings lie that could reach such an agent. Any program may be a script that starts another. */
export function settingsPlaces({ kind }: Pick<AgentSettings, "kind">): readonly SettingsPlace[] {
  return kind === "claude-code" ? claudePlaces : [...claudePlaces, ...otherPlaces];
}

export interface SettingsFile {
  /** Relative to the top. */
  readonly path: string;
  /** SHA-256 of its bytes; null = it cannot be read as a file, and nobody can approve it. */
  readonly hash: string | null;
  /** Why it has no hash; else what is in it, as far as its outermost names tell. */
  readonly about: string;
}

/** Path to hash, as a person approved them. */
export type Approvals = Readonly<Record<string, string>>;

export type Standing = "approved" | "new" | "changed" | "unreadable";

/** Whether a person approved the file as it is. */
export function standingOf({ path, hash }: Pick<SettingsFile, "path" | "hash">, approvals: Approvals): Standing {
  if (hash === null) return "unreadable";
  const approved = Object.hasOwn(approvals, path) ? approvals[path] : undefined;
  if (approved === undefined) return "new";
  return approved === hash ? "approved" : "changed";
}

export function unapproved(files: readonly SettingsFile[], approvals: Approvals): readonly SettingsFile[] {
  return files.filter((file) => standingOf(file, approvals) !== "approved");
}

/** Those that are there now otherwise than before, or are gone. */
export function changedFiles(before: readonly SettingsFile[], now: readonly SettingsFile[]): readonly string[] {
  const marks = (files: readonly SettingsFile[]) => new Map(files.map(({ path, hash, about }) => [path, hash ?? about]));
  const [old, fresh] = [marks(before), marks(now)];
  return [...new Set([...old.keys(), ...fresh.keys()])].filter((path) => old.get(path) !== fresh.get(path)).sort();
}

const mostNamed = 20;

/** Names and how they stand, for one line. */
export function nameFiles(files: readonly SettingsFile[], approvals: Approvals): string {
  const named = files.slice(0, mostNamed).map((file) => `${file.path} (${standingOf(file, approvals)})`);
  return [...named, ...(files.length > mostNamed ? [`and ${files.length - mostNamed} more`] : [])].join(", ");
}
