/** Python assertions whose failure nobody would hear of. */
import { around, childOf, isInside, partsOf, readCall, textOf, walk } from "./nodes.ts";
import type { Module } from "./python.ts";
import type { Node } from "./tree.ts";

/** What an assertion's failure is caught by. */
const catches = /\b(AssertionError|Exception|BaseException)\b/;

/** @param end  the test: what stands around it is no concern of the assertion */
export function isSwallowed(module: Module, node: Node, end: Node): boolean {
  for (const outer of around(node, end)) {
    if (outer.name === "TryStatement" && losesFailures(module, outer, node)) return true;
    if (outer.name === "WithStatement" && suppresses(module, outer)) return true;
  }
  return false;
}

function losesFailures(module: Module, statement: Node, node: Node): boolean {
  const body = childOf(statement, "Body");
  if (body === null || !isInside(node, body)) return false;
  const { children } = statement;
  for (let at = 0; at < children.length; at += 1) {
    if (children[at]?.name !== "except") continue;
    const handler = children.slice(at).find(({ name }) => name === "Body");
    if (handler === undefined) continue;
    const kinds = module.source.text.slice((children[at] as Node).to, handler.from).trim();
    // The first one that catches it is the one that runs.
    if (kinds === "" || kinds === "*" || catches.test(kinds)) return isIdle(module, handler);
  }
  return false;
}

function suppresses({ source }: Module, statement: Node): boolean {
  return statement.children.some((child) => {
    const call = readCall(source, child);
    return call?.chain.at(-1) === "suppress" && catches.test(textOf(source, child));
  });
}

/** Nothing in it fails, asserts or keeps what happened. */
function isIdle({ source }: Module, handler: Node): boolean {
  for (const node of walk(handler)) {
    if (/^(RaiseStatement|AssertStatement|AssignStatement|UpdateStatement|YieldStatement)$/.test(node.name)) return false;
    if (node.name === "ReturnStatement" && partsOf(node).some(({ name }) => name !== "return" && name !== "None")) return false;
    const call = node.name === "CallExpression" ? readCall(source, node) : null;
    if (
      call !== null &&
      !/^(print|repr|str|format_exc|print_exc|len|type|log|logging|logger|traceback|warnings)$/.test(call.chain[0] ?? "") &&
      !isTold(source, node, handler)
    )
      return false;
  }
  return true;
}

function isTold(source: Module["source"], node: Node, end: Node): boolean {
  return [...around(node, end)].some((outer) => /^(print|logging|logger|log)$/.test(readCall(source, outer)?.chain[0] ?? ""));
}
