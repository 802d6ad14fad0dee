/** A settings file as a layer. An unknown key, or one that is written twice, is refused with its line. Values are checked later, as in every layer. */
import { findNodeAtLocation, getNodeValue, type Node } from "jsonc-parser";
import type { MidwatchError } from "../core/error.ts";
import { isKey, type KeyGroup, keys, keysByPath } from "./keys.ts";
import type { ConfigFile, LayerName, Setting } from "./layer.ts";
import { nearestName } from "./nearest-name.ts";
import { quote, showType } from "./printable.ts";
import { lineNumber, parseSettings, placeAt, refuseAt } from "./settings-text.ts";

export function readFileLayer(file: ConfigFile, layer: LayerName): readonly Setting[] {
  return collect(parseSettings(file), keys, "", { file, layer });
}

interface Context {
  readonly file: ConfigFile;
  readonly layer: LayerName;
}

function collect(object: Node, group: KeyGroup, prefix: string, context: Context): Setting[] {
  const seen = new Map<string, Node>();
  return (object.children ?? []).flatMap((property) => {
    const [nameNode, value] = property.children ?? [];
    if (nameNode === undefined || value === undefined) return [];
    const name = String(nameNode.value);
    const earlier = seen.get(name);
    if (earlier !== undefined) throw writtenTwice(context, nameNode, prefix, earlier);
    seen.set(name, nameNode);
    if (prefix === "" && name === "$schema") return [];
    return collectOne(nameNode, value, group, prefix, context);
  });
}

function collectOne(nameNode: Node, value: Node, group: KeyGroup, prefix: string, context: Context): Setting[] {
  const name = String(nameNode.value);
  const path = `${prefix}${name}`;
  const entry = Object.hasOwn(group, name) ? group[name] : undefined;
  if (entry === undefined) throw unknownKey(context, nameNode, group, prefix);
  if (isKey(entry)) return [settingOf(path, nameNode, value, context)];
  if (value.type === "object") return collect(value, entry, `${path}.`, context);
  const trouble = `${path} must be an object { … }, not ${showType(getNodeValue(value))}`;
  throw refuseAt(context.file, nameNode.offset, "E_CONFIG_VALUE", trouble, `the keys in it are ${Object.keys(entry).join(", ")}`);
}

function settingOf(path: string, nameNode: Node, value: Node, { file, layer }: Context): Setting {
  const place = placeAt(file, nameNode.offset);
  const placeOf = (inner: readonly PropertyKey[]): string => {
    const steps = inner.map((step) => (typeof step === "number" ? step : String(step)));
    const node = steps.length === 0 ? undefined : findNodeAtLocation(value, steps);
    return node === undefined ? place : placeAt(file, node.offset);
  };
  return { path, value: getNodeValue(value), layer, place, placeOf };
}

function writtenTwice({ file }: Context, nameNode: Node, prefix: string, earlier: Node): MidwatchError {
  const trouble = `${quote(`${prefix}${nameNode.value}`)} is written twice, first on line ${lineNumber(file.text, earlier.offset)}`;
  return refuseAt(file, nameNode.offset, "E_CONFIG_KEY", trouble, "keep one of the two");
}

function unknownKey({ file }: Context, nameNode: Node, group: KeyGroup, prefix: string): MidwatchError {
  const name = String(nameNode.value);
  const here = Object.keys(group);
  const near = nearestName(name, here) ?? nearestElsewhere(name);
  const hint = near === null ? `the keys here are ${here.join(", ")}` : `did you mean "${near}"?`;
  return refuseAt(file, nameNode.offset, "E_CONFIG_KEY", `${quote(`${prefix}${name}`)} is no setting`, hint);
}

/** A key that was put into the wrong group. */
function nearestElsewhere(name: string): string | null {
  const paths = new Map([...keysByPath.keys()].map((path) => [path.slice(path.lastIndexOf(".") + 1), path]));
  return paths.get(nearestName(name, paths.keys()) ?? "") ?? null;
}
