/** Settings from the environment: `MIDWATCH_` and the key's path in upper snake case. */
import type { Environment } from "./folders.ts";
import { keysByPath } from "./keys.ts";
import type { Flag, LayerName, Setting } from "./layer.ts";
import { nearestName } from "./nearest-name.ts";
import { quote } from "./printable.ts";
import { readValueText } from "./value-text.ts";

/** Names that we give to agents, that hold the key of evaluations, that our tests set, or that mark a session inside a window. A midwatch started there reads no settings from them. */
const notSettings = /^MIDWATCH_(WINDOW|RUN|URL|HANDOFF|EVAL_KEY|WINDOW_NUMBER|NESTED|FAULT.*|DEMO.*)$/;

export interface EnvironmentLayer {
  readonly settings: readonly Setting[];
  readonly warnings: readonly string[];
}

export function readEnvironmentLayer(env: Environment): EnvironmentLayer {
  const names = Object.keys(env).filter((name) => name.startsWith("MIDWATCH_") && env[name] !== undefined && !notSettings.test(name));
  const settings: Setting[] = [];
  const warnings: string[] = [];
  for (const name of names.sort()) {
    const path = pathsByVariable.get(name);
    if (path === undefined) warnings.push(unknownVariable(name));
    else settings.push(textSetting(path, env[name] ?? "", "environment", name));
  }
  return { settings, warnings };
}

export function readFlagLayer(flags: readonly Flag[]): readonly Setting[] {
  return flags.map(({ path, flag, value }) =>
    typeof value === "string" ? textSetting(path, value, "flag", flag) : { path, value, layer: "flag", place: flag, placeOf: () => flag },
  );
}

/** "limits.unknownCost" -> "MIDWATCH_LIMITS_UNKNOWN_COST"; null for a key that the environment cannot set. */
export function variableOf(path: string): string | null {
  if (keysByPath.get(path)?.environment === false) return null;
  const words = path.replaceAll(".", "_").replaceAll(/([a-z0-9])([A-Z][a-z])/g, "$1_$2");
  return `MIDWATCH_${words.toUpperCase()}`;
}

const pathsByVariable: ReadonlyMap<string, string> = new Map(
  [...keysByPath.keys()].flatMap((path) => {
    const name = variableOf(path);
    return name === null ? [] : [[name, path] as const];
  }),
);

function textSetting(path: string, text: string, layer: LayerName, place: string): Setting {
  return { path, value: readValueText(path, text), layer, place, placeOf: () => place };
}

function unknownVariable(name: string): string {
  const known = [...pathsByVariable.keys()].map((variable) => variable.slice("MIDWATCH_".length));
  const near = nearestName(name.slice("MIDWATCH_".length), known);
  return `the variable ${quote(name)} is no setting and was ignored${near === null ? "" : `; did you mean MIDWATCH_${near}?`}`;
}
