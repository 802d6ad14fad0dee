/**
 * The files that an agent may read and not write: what starts the guards, what an agent obeys, our own config and state. By their place, and by
 * their shape in any folder, so that a repository inside the repository is covered too. Case is ignored.
 */
import { type Argument, filled } from "./argument.ts";
import type { GuardContext } from "./context.ts";
import { isWithin, matchesPattern, resolvePath } from "./paths.ts";
import { pathsOf, type Scene } from "./scene.ts";

const gitHooks = new Set(
  (
    "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit pre-rebase post-checkout " +
    "post-merge pre-push pre-receive update proc-receive post-receive post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite fsmonitor-watchman"
  ).split(" "),
);
const startFiles = [
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".gitconfig",
  ".config/fish",
  ".config/git",
  ".config/midwatch",
  // What starts by itself, later.
  ".config/systemd",
  ".config/autostart",
  "Library/LaunchAgents",
  ".ssh/authorized_keys",
  ".ssh/config",
  ".ssh/rc",
];
/** The same of the machine. */
const startFolders = [
  "/etc/cron.d",
  "/etc/cron.daily",
  "/etc/cron.hourly",
  "/etc/crontab",
  "/etc/systemd",
  "/var/spool/cron",
  "/etc/profile.d",
  "/etc/profile",
  "/etc/sudoers",
  "/etc/sudoers.d",
];
const agentFiles = new Set([".claude.json", ".mcp.json", "opencode.json", "opencode.jsonc", "midwatch.jsonc"]);
/** Stands in a path for what is not known. */
const gapName = "\u0001";

/** The path, absolute and resolved, is one to be read only. */
export function isProtected(path: string, context: GuardContext): boolean {
  if (context.isGuarded !== undefined) return context.isGuarded(path);
  if (isWithin(path, context.state) || context.protectedPaths.some((one) => isWithin(path, one))) return true;
  if (startFiles.some((one) => isWithin(path, resolvePath(context.home, one)))) return true;
  if (startFolders.some((one) => isWithin(path, one))) return true;
  const parts = path.toLowerCase().split("/");
  const isHere = isWithin(path, context.top) || path === resolvePath(context.home, parts.at(-1) ?? "");
  return (isHere && agentFiles.has(parts.at(-1) ?? "")) || hasProtectedShape(parts);
}

function hasProtectedShape(parts: readonly string[]): boolean {
  return parts.some((part, at) => {
    const next = parts[at + 1] ?? "";
    if (part === ".git")
      return next === "hooks" || next === "config" || next === "config.worktree" || isDeepInGit(parts.slice(at + 1), next);
    if (part === ".claude") return next === "hooks" || (next.startsWith("settings") && next.endsWith(".json"));
    if (part === ".codex") return next === "config.toml" || next === "hooks.json";
    if (part === ".gemini") return next === "settings.json";
    if (part === ".cursor") return next === "hooks.json" || next === "cli.json";
    if (part === ".husky") return next === "_" || gitHooks.has(next);
    if (part === ".opencode") return next === "plugin" || next === "plugins";
    return part === gapName && ((next === "hooks" && gitHooks.has(parts[at + 2] ?? "")) || gitHooks.has(next));
  });
}

/** Submodules and worktrees keep their own config and hooks in there. */
function isDeepInGit(inner: readonly string[], first: string): boolean {
  return (first === "modules" || first === "worktrees") && inner.some((part) => part === "hooks" || part.startsWith("config"));
}

/** The path is a folder that holds protected files: to move or replace it is to write them. */
export function holdsProtected(path: string, context: GuardContext): boolean {
  if (context.isGuarded !== undefined) return isWithin(context.state, path);
  const last = path.toLowerCase().split("/").at(-1) ?? "";
  if ([".git", ".claude", ".codex", ".gemini", ".opencode"].includes(last)) return true;
  return isWithin(context.state, path) || context.protectedPaths.some((one) => isWithin(one, path));
}

/** The argument names a protected file, or might: by a pattern, or behind a part that is not known. */
export function namesProtected(argument: Argument, scene: Scene): boolean {
  const text = filled(argument, gapName);
  if (text === "" || text.length > 4_096) return text !== "";
  if (pathsOf(text, scene).some((path) => isProtected(path, scene.context))) return true;
  if (scene.folders.has(null) && !text.startsWith("/") && isProtected(resolvePath(`/${gapName}`, text), scene.context)) return true;
  return argument.hasGlob && matchesProtected(text, scene);
}

/** The argument names a folder that holds protected files. */
export function namesHolder(argument: Argument, scene: Scene): boolean {
  return (
    argument.text !== null && argument.text !== "" && pathsOf(argument.text, scene).some((path) => holdsProtected(path, scene.context))
  );
}

/** A pattern, part by part, against one file of each protected kind. */
function matchesProtected(text: string, scene: Scene): boolean {
  const { top, protectedPaths } = scene.context;
  const samples = [
    ".git/hooks/pre-commit",
    ".git/config",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/hooks/x",
    ".mcp.json",
    "midwatch.jsonc",
  ];
  const files = [...samples.map((one) => `${top}/${one}`), ...protectedPaths];
  return pathsOf(text, scene).some((pattern) => files.some((file) => matchesParts(pattern.split("/"), file.split("/"))));
}

function matchesParts(patterns: readonly string[], parts: readonly string[]): boolean {
  return (
    patterns.length <= parts.length &&
    patterns.every((pattern, at) => matchesPattern(pattern.toLowerCase(), (parts[at] ?? "").toLowerCase()))
  );
}
