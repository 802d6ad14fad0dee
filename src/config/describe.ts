/** Rows for `config show`: each key, its value and where it comes from. Values that look like secrets are not shown. */
import { isSecretName } from "./child-environment.ts";
import type { LayerName } from "./layer.ts";
import type { ResolvedConfig } from "./load.ts";

export interface ConfigRow {
  readonly path: string;
  readonly value: unknown;
  readonly origin: LayerName;
  readonly place: string;
}

export function describeConfig({ value, origins }: Pick<ResolvedConfig, "value" | "origins">): readonly ConfigRow[] {
  return [...origins].map(([path, { layer, place }]) => ({ path, value: shown(path, valueAt(value, path)), origin: layer, place }));
}

function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((at, name) => (typeof at === "object" && at !== null ? Reflect.get(at, name) : undefined), value);
}

function shown(path: string, value: unknown): unknown {
  if (path !== "agent.env" || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, isSecretName(name) ? "(hidden)" : text]));
}
