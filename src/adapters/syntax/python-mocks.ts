/** What Python tests replace: dotted names of modules and their members. */
import type { MockFacts } from "../../core/integrity/source.ts";
import { childOf, memberName, partsOf, readCall, textOf } from "./nodes.ts";
import type { Module } from "./python.ts";
import { modulesOf } from "./python-modules.ts";
import type { Node } from "./tree.ts";

export function readMocks(module: Module): readonly MockFacts[] {
  const bindings = readBindings(module);
  const called = calledNames(module);
  return module.nodes.flatMap((node) => {
    const target = targetOf(module, node, bindings);
    if (target === null) return [];
    return [{ target, line: module.lineOf(node.from), isCalled: called.has(target.split(".").at(-1) ?? "") }];
  });
}

function targetOf(module: Module, node: Node, bindings: ReadonlyMap<string, string>): string | null {
  const { source } = module;
  if (node.name === "AssignStatement") return assignedMember(module, node, bindings);
  if (node.name === "Decorator") return decorated(module, node, bindings);
  const call = node.name === "CallExpression" ? readCall(source, node) : null;
  if (call === null) return null;
  return patched(
    module,
    call.chain.join("."),
    call.args.filter(({ keyword }) => keyword === null).map(({ value }) => value),
    bindings,
  );
}

/** A decorator is no call to the grammar. */
function decorated(module: Module, node: Node, bindings: ReadonlyMap<string, string>): string | null {
  const list = childOf(node, "ArgList");
  const name = /^@([\w.]+)/.exec(textOf(module.source, node))?.[1] ?? "";
  return list === null ? null : patched(module, name, partsOf(list), bindings);
}

function patched({ source }: Module, name: string, args: readonly Node[], bindings: ReadonlyMap<string, string>): string | null {
  const [first, second] = args;
  if (first === undefined) return null;
  if (/(^|\.)patch$/.test(name) || (/setattr$/.test(name) && first.name === "String"))
    return first.name === "String" ? unquoted(source.text, first) : null;
  if (!/(patch\.object|monkeypatch\.setattr|^setattr)$/.test(name) || second?.name !== "String") return null;
  const base = bindings.get(textOf(source, first));
  return base === undefined ? null : `${base}.${unquoted(source.text, second)}`;
}

/** `slug.slugify = lambda text: "a-b"`, where `slug` was imported; `sys.modules["slug"] = fake`. */
function assignedMember({ source }: Module, node: Node, bindings: ReadonlyMap<string, string>): string | null {
  const [left] = node.children;
  const value = node.children.at(-1);
  if (left?.name !== "MemberExpression" || value === undefined) return null;
  const [object, member] = partsOf(left);
  if (object === undefined || member === undefined) return null;
  if (textOf(source, object) === "sys.modules" && member.name === "String") return unquoted(source.text, member);
  const [first = "", ...rest] = textOf(source, object).split(".");
  const known = bindings.get(textOf(source, object)) ?? bindings.get(first);
  const base = known === undefined || bindings.has(textOf(source, object)) ? known : [known, ...rest].join(".");
  const isFake = value.name === "LambdaExpression" || value.name === "VariableName" || /Mock\(/.test(textOf(source, value));
  const name = memberName(source, left);
  return base === undefined || name === "" || !isFake ? null : `${base}.${name}`;
}

/** Names that stand for a module or its member: as it was imported -> dotted. */
function readBindings(module: Module): ReadonlyMap<string, string> {
  const bindings = new Map<string, string>();
  for (const node of module.nodes) {
    if (node.name !== "ImportStatement") continue;
    const names = modulesOf(module, node);
    const isFrom = childOf(node, "from") !== null;
    for (const name of isFrom ? names.slice(1) : names) bindings.set(isFrom ? (name.split(".").at(-1) ?? name) : name, name);
    for (const [, name = "", other = ""] of textOf(module.source, node).matchAll(/([\w.]+)\s+as\s+(\w+)/g)) {
      bindings.set(other, isFrom ? (names.find((one) => one.endsWith(`.${name}`)) ?? name) : name);
    }
  }
  return bindings;
}

function calledNames({ source, nodes }: Module): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of nodes) {
    const call = node.name === "CallExpression" ? readCall(source, node) : null;
    const last = call?.chain.at(-1);
    if (last !== undefined && call?.first === null) names.add(last);
  }
  return names;
}

function unquoted(text: string, node: Node): string {
  return text.slice(node.from, node.to).replace(/^\w*["']+|["']+$/g, "");
}
