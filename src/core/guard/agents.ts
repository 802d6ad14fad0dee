/**
 * Programs that are agents themselves, in the ways in which a command starts one: by its name or path, as a package, as a module or script of such a package. What each does with
 * its arguments is not known here, but for asking it about itself. docs/guards.md says what of this cannot be seen.
 */
import { type Argument, filled, headOf } from "./argument.ts";
import { baseName } from "./paths.ts";
import { interpreters, rowOf } from "./programs.ts";
import type { Invocation } from "./scene.ts";

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Names of the programs, and the last part of the name under which a registry has them. */
const agents = setOf(
  "claude claude-code codex gemini gemini-cli opencode opencode-ai aider aider-chat cursor-agent qwen qwen-code crush goose-cli amp droid copilot-cli cline auggie " +
    "kilocode kiro-cli openhands openhands-ai plandex swe-agent sweagent mini-swe-agent open-interpreter pi-coding-agent forgecode",
);
/** Other programs have these names too: what they are told to do tells them apart. */
const ambiguous: Readonly<Record<string, RegExp>> = {
  goose: /^(run|session|acp|web)$/,
  copilot: /^(-p|--prompt|-i|--interactive|--allow-all.*)$/,
};
/** What one may ask an agent without starting it. */
const onlyAsks = /^(--version|-v|-V|--help|-h|help|version|doctor|mcp (list|get\b.*))$/;
/** Folders of packages that are agents, in a path. */
const packages =
  /\/(?:@anthropic-ai\/claude-code|@openai\/codex|@google\/gemini-cli|opencode-ai|@qwen-code\/qwen-code|@charmland\/crush|@sourcegraph\/amp|@github\/copilot)\//;
/** They start what is named in their arguments in another place: a container, a machine, a session of its own. */
const starters = setOf(
  "docker podman nerdctl kubectl ssh su runuser sg gosu su-exec tmux screen zellij script watch watchexec entr parallel flock unshare nsenter bwrap firejail proot start-stop-daemon " +
    "daemonize daemon expect sshpass multipass lxc vagrant machinectl systemd-nspawn dumb-init tini concurrently nodemon pueue tsp apptainer singularity",
);
/** What stands behind one of these is a name that the person or the agent made up. */
const names = /^(-s|-n|-t|-l|-L|--name|--tag|--label|--network|--hostname|-h|--container|-w|-v|--volume|-f|--file|-m)$/;

/** Of the starters: these of their commands start nothing. */
const startsNothing = /^(build|pull|push|images|image|logs|stop|rm|rmi|ps|inspect|tag|compose|cp|stats|top|kill|get|describe|ls|attach)$/;

/** The command starts an agent. */
export function startsAgent({ name, program, args }: Invocation): boolean {
  const asks = onlyAsks.test(args.map(({ text }) => text ?? "?").join(" "));
  if (agents.has(name.replace(/\.(js|mjs|cjs|exe)$/, "")) || packages.test(filled(program, "?"))) return !asks;
  if (rowOf(ambiguous, name)?.test(args[0]?.text ?? "") === true) return true;
  if (name === "gh") return args[0]?.text === "agent-task" && args[1]?.text === "create";
  if (starters.has(name)) return args.some((argument, at) => isStarted(name, argument, at, args));
  return interpreters.has(name.replace(/[\d.]+$/, "")) && startsAgentCode(args);
}

/** `node …/@openai/codex/bin/codex.js`, `python -m aider`. */
function startsAgentCode(args: readonly Argument[]): boolean {
  const module = args[args.findIndex(({ text }) => text === "-m") + 1]?.text ?? "";
  if (args.some(({ text }) => text === "-m") && agents.has(module.replaceAll("_", "-"))) return true;
  const script = args.find((argument) => !headOf(argument).startsWith("-"));
  return script !== undefined && packages.test(`/${filled(script, "?")}`);
}

/** A container's image counts as what it is called after. */
function isStarted(name: string, { text }: Argument, at: number, args: readonly Argument[]): boolean {
  if (text === null || names.test(args[at - 1]?.text ?? "")) return false;
  if (name !== "ssh" && startsNothing.test(args[0]?.text ?? "")) return false;
  const [bare = ""] = baseName(text).toLowerCase().split(/[:@]/, 1);
  if (!agents.has(bare)) return false;
  const rest = args.slice(at + 1).map((one) => one.text ?? "?");
  return !onlyAsks.test(rest.join(" "));
}
