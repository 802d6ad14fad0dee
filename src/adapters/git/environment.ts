/**
 * What every git of ours is started with, so that nothing of the repository's own configuration is executed and nothing is written:
 * no optional lock, no prompt, no network (a partial clone would fetch, and with it run the repository's ssh command), no hook,
 * no file watcher, no external diff, no pager. GIT_* of a git that started us would point ours at another repository.
 * Filters have names of their own and are silenced in filters.ts; submodules carry configs of their own: git never enters one, see submodules.ts.
 */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, sep } from "node:path";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the person's own configuration lies, and how far up a repository is looked for: theirs to say. */
const keptVariables = new Set([
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_CEILING_DIRECTORIES",
  "GIT_DISCOVERY_ACROSS_FILESYSTEM",
]);

const ownVariables = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "true",
  SSH_ASKPASS: "true",
  GIT_SSH_COMMAND: "false",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
  GIT_PAGER: "cat",
  GIT_EDITOR: "false",
  LC_ALL: "C",
};

/** Before the command's name. An empty `core.fsmonitor` is off in every version; "false" was once the name of a program. */
export const safeOptions: readonly string[] = [
  "--no-pager",
  ...[
    "core.fsmonitor=",
    "core.untrackedCache=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=false",
    "diff.submodule=short",
    "submodule.recurse=false",
    "color.ui=false",
    "gc.auto=0",
    "maintenance.auto=false",
  ].flatMap((setting) => ["-c", setting]),
];

/** The environment of a git of ours; `path` as cleaned by `cleanPath`. */
export function gitEnvironment(env: Environment, path: string): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith("GIT_") || keptVariables.has(name));
  return { ...Object.fromEntries(kept), ...ownVariables, PATH: path };
}

/**
 * PATH without its relative entries and without those inside `tree`: a program that an agent wrote into the repository
 * (node_modules/.bin/git, which npx puts first) must not become our git.
 */
export function cleanPath(path: string | undefined, tree: string | null): string {
  const isOutside = (folder: string): boolean => {
    const real = realFolder(folder);
    return tree === null || (real !== tree && !real.startsWith(tree + sep));
  };
  return (path ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && isOutside(folder))
    .join(delimiter);
}

/** The program's full path, or null when no folder of `path` holds it. */
export function locateProgram(name: string, path: string): string | null {
  const folder = path.split(delimiter).find((entry) => entry !== "" && isProgram(join(entry, name)));
  return folder === undefined ? null : join(folder, name);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // not there, or not for us: the next folder may have it
  }
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder; // a folder of PATH that does not exist holds no program
  }
}
