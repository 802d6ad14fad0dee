/**
 * Where the user's state and settings live (XDG). No library is loaded here: `status` must not pay for a schema.
 * A relative XDG value counts as unset, as the XDG specification says.
 */
import { isAbsolute, join } from "node:path";
import { MidwatchError } from "../core/error.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Folders {
  /** The store and the logs. */
  readonly state: string;
  /** The user's `config.jsonc`. */
  readonly config: string;
}

/** @param home  what the system says when HOME does not: `os.homedir()`, or null when it knows none */
export function folders(env: Environment, home: string | null): Folders {
  const fallback = home ?? undefined;
  return {
    state: folder(env, "XDG_STATE_HOME", ".local/state", fallback),
    config: folder(env, "XDG_CONFIG_HOME", ".config", fallback),
  };
}

function folder(env: Environment, name: string, below: string, fallback: string | undefined): string {
  const named = env[name];
  if (isUsable(named)) return join(named, "midwatch");
  const home = [env["HOME"], fallback].find(isUsable);
  if (home !== undefined) return join(home, below, "midwatch");
  throw new MidwatchError("environment", "E_NO_HOME", `no home folder is known: HOME and ${name} are not set to absolute paths`, {
    hint: `set HOME to your home folder, or ${name} to an absolute path`,
  });
}

function isUsable(path: string | undefined): path is string {
  return path !== undefined && isAbsolute(path);
}
