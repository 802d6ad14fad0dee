/**
 * The project's file lies where an agent can write, so it may only tighten: a cap in it is compared with what the user's file says, else
 * with the default, even where a flag would win in the end. Its paths stay in the tree.
 */
import { MidwatchError } from "../core/error.ts";
import { variableOf } from "./environment-layer.ts";
import type { Key } from "./key.ts";
import type { Setting } from "./layer.ts";
import { showValue } from "./printable.ts";
import { checkTreePath } from "./tree-path.ts";

/** A setting whose value has been checked. */
export interface Checked {
  readonly setting: Setting;
  readonly value: unknown;
}

/** @param base  what the user's file says; null = nothing, and the default counts */
export function checkProjectSetting(key: Key<unknown>, project: Checked, base: Checked | null, userFile: string): void {
  if (key.personal === true) refusePersonal(project, userFile);
  checkCap(key, project, base, userFile);
  if (project.setting.path === "prompt" && typeof project.value === "string") checkPromptPath(project, project.value);
}

/** Where calls go, and with them a key, is no word of a file that an agent can write. */
function refusePersonal({ setting: { path, place }, value }: Checked, userFile: string): never {
  throw new MidwatchError("config", "E_CONFIG_PERSONAL", `${place}: ${path} may not be set in a project's file`, {
    hint: `put ${inGroups(path, value)} into ${userFile}, or set ${variableOf(path) ?? "it"}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  });
}

function checkCap(key: Key<unknown>, project: Checked, base: Checked | null, userFile: string): void {
  if (key.cap === undefined) return;
  const limit = base === null ? key.default : base.value;
  if (key.cap.looseness(project.value) <= key.cap.looseness(limit)) return;
  const { path, place } = project.setting;
  const than = base === null ? `the default ${showValue(limit)}` : `the ${showValue(limit)} of ${base.setting.place}`;
  throw new MidwatchError(
    "config",
    "E_CONFIG_LOOSER",
    `${place}: ${path} ${showValue(project.value)} is ${key.cap.looser} than ${than}: a project's file may only tighten it`,
    {
      hint: `put ${inGroups(path, project.value)} into ${userFile}, or set ${variableOf(path) ?? "it"}=${String(project.value)}, or give it as a flag`,
    },
  );
}

function checkPromptPath({ setting }: Checked, value: string): void {
  const checked = checkTreePath(value, "file");
  if (checked.kind === "path") return;
  throw new MidwatchError("config", "E_CONFIG_VALUE", `${setting.place}: prompt ${showValue(value)} ${checked.trouble}`, {
    hint: 'name a file in the working tree, such as "prompt": "docs/prompt.md"',
  });
}

/** `limits.run` and 500 as a person writes it: `"limits": { "run": 500 }`. */
function inGroups(path: string, value: unknown): string {
  const names = path.split(".").map((name) => JSON.stringify(name));
  return names.reduceRight(
    (inside, name, index) => `${name}: ${index === names.length - 1 ? inside : `{ ${inside} }`}`,
    JSON.stringify(value),
  );
}
