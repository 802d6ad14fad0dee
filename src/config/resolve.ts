/** From what each layer says to one checked configuration. Pure: files come as texts. Loaded only by commands that need settings. */
import { MidwatchError } from "../core/error.ts";
import { checkSetting } from "./check-setting.ts";
import { readEnvironmentLayer, readFlagLayer } from "./environment-layer.ts";
import { readFileLayer } from "./file-layer.ts";
import type { Environment } from "./folders.ts";
import { type Config, isKey, type KeyGroup, keys, keysByPath } from "./keys.ts";
import { type ConfigFile, type Flag, type LayerName, layerNames, type Setting } from "./layer.ts";
import { type Checked, checkProjectSetting } from "./project-rules.ts";

export interface Origin {
  readonly layer: LayerName;
  /** "midwatch.jsonc:12", "MIDWATCH_LIMITS_RUN", "--run-usd", "default" */
  readonly place: string;
}

export interface Layers {
  readonly user: ConfigFile | null;
  readonly project: ConfigFile | null;
  readonly env: Environment;
  readonly flags: readonly Flag[];
  /** Where the user's file is or would be. */
  readonly userFile: string;
}

export interface Resolution {
  readonly value: Config;
  /** One entry for each key, in the order of the file. */
  readonly origins: ReadonlyMap<string, Origin>;
  readonly warnings: readonly string[];
}

export function resolveLayers(layers: Layers): Resolution {
  const user = checkAll(layers.user === null ? [] : readFileLayer(layers.user, "user"));
  const project = checkAll(layers.project === null ? [] : readFileLayer(layers.project, "project"));
  for (const [path, checked] of project) checkProjectSetting(keyAt(path), checked, user.get(path) ?? null, layers.userFile);
  for (const [path, checked] of project) if (keyAt(path).adds === true) project.set(path, added(user.get(path), checked));
  const { settings, warnings } = readEnvironmentLayer(layers.env);
  const environment = checkAll(settings);
  const flags = checkAll(readFlagLayer(layers.flags));
  const strongest = new Map([...user, ...project, ...environment, ...flags]);
  checkTogether(strongest);
  return { value: assemble(strongest), origins: originsOf(strongest), warnings };
}

function added(base: Checked | undefined, checked: Checked): Checked {
  const lists = [base?.value, checked.value].filter(Array.isArray);
  return { ...checked, value: [...new Set(lists.flat())] };
}

function checkAll(settings: readonly Setting[]): Map<string, Checked> {
  return new Map(settings.map((setting) => [setting.path, { setting, value: checkSetting(keyAt(setting.path), setting) }]));
}

function keyAt(path: string): typeof keysByPath extends ReadonlyMap<string, infer K> ? K : never {
  const key = keysByPath.get(path);
  if (key === undefined) throw new MidwatchError("bug", "E_CONFIG_PATH", `a flag sets ${JSON.stringify(path)}, which is no setting`);
  return key;
}

/** The window writes the note, so it must not be the plan. */
function checkTogether(strongest: ReadonlyMap<string, Checked>): void {
  const pathOf = (path: "handoff" | "plan"): unknown => strongest.get(path)?.value ?? keys[path].default;
  if (pathOf("handoff") !== pathOf("plan")) return;
  const said = ["handoff", "plan"].flatMap((path) => strongest.get(path)?.setting ?? []);
  const [blamed] = said.sort((left, right) => layerNames.indexOf(right.layer) - layerNames.indexOf(left.layer));
  const trouble = `plan and handoff are the same file ${JSON.stringify(pathOf("handoff"))}`;
  throw new MidwatchError("config", "E_CONFIG_VALUE", `${blamed?.place ?? "default"}: ${trouble}`, {
    hint: 'give the note a file of its own, such as "handoff": ".midwatch/handoff.md"',
  });
}

function assemble(strongest: ReadonlyMap<string, Checked>): Config {
  const build = (group: KeyGroup, prefix: string): unknown =>
    Object.fromEntries(
      Object.entries(group).map(([name, entry]) => {
        const path = `${prefix}${name}`;
        const checked = strongest.get(path);
        return [name, isKey(entry) ? (checked === undefined ? entry.default : checked.value) : build(entry, `${path}.`)];
      }),
    );
  // Every leaf is its key's default or has passed its key's schema, and Config is made of just these.
  return build(keys, "") as Config;
}

function originsOf(strongest: ReadonlyMap<string, Checked>): ReadonlyMap<string, Origin> {
  return new Map(
    [...keysByPath.keys()].map((path) => {
      const setting = strongest.get(path)?.setting;
      return [path, setting === undefined ? { layer: "default", place: "default" } : { layer: setting.layer, place: setting.place }];
    }),
  );
}
