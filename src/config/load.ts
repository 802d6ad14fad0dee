/** Reads the settings of a working tree: finds the files, then `resolve.ts` decides. The schema is loaded on the first call only. */
import { join } from "node:path";
import { MidwatchError } from "../core/error.ts";
import { readSmallText } from "./file-text.ts";
import { type Environment, folders } from "./folders.ts";
import type { ConfigFile, Flag } from "./layer.ts";
import type { Resolution } from "./resolve.ts";

export const projectFileName = "midwatch.jsonc";

export interface ConfigRequest {
  /** Top of the working tree; null outside of one. */
  readonly top: string | null;
  readonly env: Environment;
  /** `os.homedir()`, or null when the system knows none. */
  readonly homeDir: string | null;
  readonly flags: readonly Flag[];
  /** Whether a working tree without `midwatch.jsonc` is refused; it gets the defaults otherwise. */
  readonly projectFile?: "optional" | "required";
}

export interface ResolvedConfig extends Resolution {
  readonly top: string | null;
  /** The files that were read; null = there is none. */
  readonly files: { readonly user: string | null; readonly project: string | null };
}

/** Every error is a MidwatchError of one line that names the place, with the next step as its hint. */
export async function loadConfig(request: ConfigRequest): Promise<ResolvedConfig> {
  const { top, env, flags } = request;
  const userFile = join(folders(env, request.homeDir).config, "config.jsonc");
  const user = await readConfigFile(userFile, userFile);
  const project = top === null ? null : await readConfigFile(join(top, projectFileName), projectFileName);
  if (project === null && request.projectFile === "required") throw missing(top);
  const { resolveLayers } = await import("./resolve.ts");
  const resolution = resolveLayers({ user, project, env, flags, userFile });
  return { ...resolution, top, files: { user: user?.path ?? null, project: project?.path ?? null } };
}

async function readConfigFile(path: string, label: string): Promise<ConfigFile | null> {
  const file = await readSmallText(path);
  if (file.kind === "absent") return null;
  if (file.kind === "text") return { path, label, text: file.text };
  throw new MidwatchError("config", "E_CONFIG_UNREADABLE", `${label}: ${file.trouble}`, { hint: file.remedy, cause: file.cause });
}

function missing(top: string | null): MidwatchError {
  return new MidwatchError("config", "E_CONFIG_MISSING", `${projectFileName} is missing${top === null ? "" : ` in ${top}`}`, {
    hint: "write one with: midwatch init",
  });
}
