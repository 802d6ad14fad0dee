/**
 * What agents keep in a person's home. They must write there (a sign-in is refreshed, a conversation kept), and must not change what the person's own
 * next session would run: settings, hooks, servers, commands.
 */
import type { Place } from "./place.ts";

export interface AgentFacts {
  readonly kind: "command" | "claude-code";
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Claude Code replaces a file by renaming another one over it, and where that does not work (as over one that is bound alone) it writes into the file: seen
 * on 2.1.332. So its folder is a private one in which only these are the person's: new settings, which were not there to be protected, do not outlive the window.
 */
const claudeWrites = [".credentials.json", "todos", "tasks", "plans", "sessions", "file-history", "history.jsonl"];
const claudeReads = [
  ...["settings.json", "settings.local.json", ".claude.json", "CLAUDE.md", "rules", "hooks", "plugins", "agents", "commands", "skills"],
  "output-styles",
];

/** Of the others it is not known how they write: their folders are the person's, but for what is named second. */
const others: readonly (readonly [variable: string, folder: string, settings: readonly string[]])[] = [
  ["CODEX_HOME", ".codex", ["config.toml", "hooks.json", "AGENTS.md", "prompts", "rules", "skills"]],
  ["", ".gemini", ["settings.json", "GEMINI.md", "commands", "extensions", "policies", "hooks"]],
  ["", ".local/share/opencode", []],
  ["", ".local/state/opencode", []],
];

/** The program that was named decides; a `command` may start any of them. */
export function agentFolders({ kind, home, env }: AgentFacts): readonly Place[] {
  const folder = env["CLAUDE_CONFIG_DIR"] ?? `${home}/.claude`;
  if (kind === "claude-code") return [{ path: folder, access: "private", mode: "0700", make: true }, ...claudePlaces(folder)];
  return [
    { path: folder, access: "private", mode: "0700" },
    ...claudePlaces(folder),
    ...others.flatMap((one) => otherPlaces(one, home, env)),
  ];
}

function claudePlaces(folder: string): readonly Place[] {
  return [
    { path: `${folder}/projects`, access: "write", make: true }, // its conversations, from the first one on
    ...claudeWrites.map((name): Place => ({ path: `${folder}/${name}`, access: "write" })),
    ...claudeReads.map((name): Place => ({ path: `${folder}/${name}`, access: "read" })),
  ];
}

function otherPlaces([variable, name, settings]: (typeof others)[number], home: string, env: AgentFacts["env"]): readonly Place[] {
  const folder = env[variable] ?? `${home}/${name}`;
  return [{ path: folder, access: "write" }, ...settings.map((file): Place => ({ path: `${folder}/${file}`, access: "read" }))];
}
