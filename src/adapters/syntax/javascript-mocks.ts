/** What a script replaces for its tests: whole modules, or members of what it imported. */
import type { MockFacts } from "../../core/integrity/source.ts";
import type { Script } from "./javascript.ts";
import { isFunction } from "./javascript-statements.ts";
import { type Call, childOf, memberName, partsOf, readCall, textOf, walk } from "./nodes.ts";
import type { Node } from "./tree.ts";

const moduleMocks =
  /^((vi|jest|vitest)\.(mock|doMock|unstable_mockModule|setMock)|(mock|t\.mock|test\.mock)\.module|td\.replace(Esm)?|mockModule|mock\.module)$/;
const memberMocks =
  /^(mock\.(method|getter|property)|\w+\.mock\.(method|getter|property)|sinon\.(stub|replace)|sandbox\.(stub|replace)|(vi|jest)\.(spyOn|replaceProperty)|td\.replace)$/;
const partial = /importActual|requireActual|importOriginal|spy\s*:\s*true/;

export function readMocks(script: Script): readonly MockFacts[] {
  const bindings = readBindings(script);
  const called = calledNames(script);
  const found: MockFacts[] = [];
  for (const node of script.nodes) {
    const target = targetOf(script, node, bindings);
    if (target === null) continue;
    const [module = "", member] = target.split("#");
    const names = member === undefined ? [...bindings].filter(([, from]) => from.split("#")[0] === module).map(([name]) => name) : [member];
    found.push({ target, line: script.lineOf(node.from), isCalled: names.some((name) => called.has(name)) });
  }
  return found;
}

function targetOf(script: Script, node: Node, bindings: ReadonlyMap<string, string>): string | null {
  if (node.name === "AssignmentExpression") return assignedMember(script, node, bindings);
  const call = node.name === "CallExpression" ? readCall(script.source, node) : null;
  if (call === null) return null;
  const name = call.chain.join(".");
  const [first, second] = call.args;
  if (first === undefined) return null;
  if (moduleMocks.test(name) && /^(String|DynamicImport)$/.test(first.value.name)) {
    const isPartial = call.args.slice(1).some(({ value }) => partial.test(textOf(script.source, value)));
    return isPartial ? null : (/["']([^"']*)["']/.exec(textOf(script.source, first.value))?.[1] ?? null);
  }
  if (!memberMocks.test(name) || second === undefined || second.value.name !== "String" || !isReplaced(script, call)) return null;
  return memberOf(script, first.value, textOf(script.source, second.value).slice(1, -1), bindings);
}

/** A spy that passes the call on replaces nothing. */
function isReplaced({ source }: Script, { node, chain, args }: Call): boolean {
  const word = chain.at(-1) ?? "";
  if (/^(method|getter)$/.test(word)) return args.length > 2;
  if (word !== "spyOn") return true;
  const member = node.parent;
  return member?.name === "MemberExpression" && /^mock(Return|Resolved|Rejected|Implementation)/.test(memberName(source, member));
}

/** `slug.slugify = () => "a-b"`, where `slug` was imported. */
function assignedMember(script: Script, node: Node, bindings: ReadonlyMap<string, string>): string | null {
  const [left] = node.children;
  if (left?.name !== "MemberExpression") return null;
  const [object] = partsOf(left);
  const value = node.children.at(-1);
  if (object === undefined || value === undefined || !(isFunction(value) || /\b(fn|stub|mock)\(/.test(textOf(script.source, value))))
    return null;
  return memberOf(script, object, memberName(script.source, left), bindings);
}

function memberOf({ source }: Script, object: Node, member: string, bindings: ReadonlyMap<string, string>): string | null {
  const module = object.name === "VariableName" ? bindings.get(textOf(source, object)) : undefined;
  return module === undefined || member === "" ? null : `${module.split("#")[0]}#${member}`;
}

/** Names that the file got from a module: name -> `module#member`, or the module where the name stands for all of it. */
function readBindings({ source, nodes }: Script): ReadonlyMap<string, string> {
  const bindings = new Map<string, string>();
  for (const node of nodes) {
    if (node.name !== "ImportDeclaration" && node.name !== "VariableDeclaration") continue;
    const text = textOf(source, node);
    const module = node.name === "ImportDeclaration" ? childOf(node, "String") : importedBy(text, node);
    if (module === null) continue;
    const name = textOf(source, module).slice(1, -1);
    for (const inner of walk(node))
      if (inner.name === "VariableDefinition" || inner.name === "PropertyName") bindings.set(textOf(source, inner), name);
  }
  return bindings;
}

function importedBy(text: string, node: Node): Node | null {
  return /=\s*(await\s+import|require)\s*\(/.test(text) ? ([...walk(node)].find(({ name }) => name === "String") ?? null) : null;
}

/** Names that stand in front of arguments, as `slugify(…)` or `slug.slugify(…)`. */
function calledNames({ source, nodes }: Script): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of nodes) {
    const call = node.name === "CallExpression" ? readCall(source, node) : null;
    if (call !== null && !/^(vi|jest|mock|sinon)$/.test(call.chain[0] ?? "")) for (const name of call.chain) names.add(name);
  }
  return names;
}
