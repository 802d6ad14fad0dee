/** Reads git's settings as the agent's own git would find them in a folder: of the machine, of the user, of the repository around it, with all they include. */
import { type GitSettings, isRouteKey } from "../../core/guard/git-settings.ts";
import { createGit, describeFailure, readOutput } from "./command.ts";
import type { Environment } from "./environment.ts";

const maxBytes = 16 << 20;

/** Null when they cannot be read: no git, no such folder, a file that is broken. `env` is the agent's environment. */
export async function readGitSettings(env: Environment, top: string, folder: string): Promise<GitSettings | null> {
  const variables = Object.fromEntries(Object.entries(env).filter(isOfGit));
  const [end, output] = await readOutput(createGit(env, top), ["config", "--list", "-z"], { cwd: folder, variables }, maxBytes);
  return describeFailure(end) === null ? parseGitSettings(output.toString("utf8")) : null;
}

/** What leads the agent's git to other files. Nothing that `git config --list` would start. */
function isOfGit(entry: readonly [string, string | undefined]): entry is [string, string] {
  return /^GIT_(CONFIG\w*|DIR|COMMON_DIR|WORK_TREE)$/.test(entry[0]) && entry[1] !== undefined;
}

/** An entry is `key\nvalue`; one without a value says true. The last of several counts, but where all of them do. */
function parseGitSettings(text: string): GitSettings {
  const entries = text
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry): readonly [string, string] => {
      const at = entry.indexOf("\n");
      return at === -1 ? [entry, "true"] : [entry.slice(0, at), entry.slice(at + 1)];
    });
  const correct = entries.findLast(([key]) => key === "help.autocorrect")?.[1] ?? "0";
  return {
    aliases: new Map(entries.flatMap(([key, value]) => (key.startsWith("alias.") ? [[key.slice("alias.".length), value]] : []))),
    routes: entries.flatMap(([key, value]) => (isRouteKey(key) ? [{ key, value }] : [])),
    guesses: !/^(0|never|no|off|false|show|prompt)$/i.test(correct),
  };
}
