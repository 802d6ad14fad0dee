/** Assertions whose failure nobody would hear of. */
import type { Script } from "./javascript.ts";
import { bodyOf, isFunction } from "./javascript-statements.ts";
import { around, childOf, isInside, readCall, textOf, walk } from "./nodes.ts";
import type { Node } from "./tree.ts";

/** @param end  the test's function: what stands around it is no concern of the assertion */
export function isSwallowed(script: Script, node: Node, end: Node): boolean {
  for (const outer of around(node, end)) {
    if (outer.name === "TryStatement" && isInside(node, childOf(outer, "Block") ?? outer)) {
      const handler = childOf(childOf(outer, "CatchClause"), "Block");
      if (handler !== null && isIdle(script, handler)) return true;
    }
    if (outer.name === "CallExpression" && isIdleCatch(script, outer, node)) return true;
  }
  return isIdleCatch(script, node, null);
}

/** `….catch(() => {})` behind what asserts. */
function isIdleCatch(script: Script, node: Node, asserted: Node | null): boolean {
  const call = readCall(script.source, node);
  if (call === null || call.chain.at(-1) !== "catch") return false;
  const handler = call.args[0]?.value;
  if (handler === undefined || !isFunction(handler) || (asserted !== null && isInside(asserted, handler))) return false;
  const body = bodyOf(handler);
  return body !== null && isIdle(script, body);
}

/** Nothing in it fails, asserts or keeps what happened. Words on the console are lost in the output of a run that is green. */
function isIdle(script: Script, handler: Node): boolean {
  if (handler.name === "VariableName" && textOf(script.source, handler) !== "undefined") return false;
  for (const node of walk(handler)) {
    if (node.name === "ThrowStatement" || node.name === "AssignmentExpression" || node.name === "PostfixExpression") return false;
    if (node.name === "ReturnStatement" && node.children.some(({ name }) => name !== "return" && name !== ";" && name !== "undefined"))
      return false;
    if (node.name !== "CallExpression" && node.name !== "NewExpression") continue;
    const call = readCall(script.source, node);
    if (
      call !== null &&
      call.chain[0] !== "console" &&
      !/^(log|warn|debug|info)$/.test(call.chain.at(-1) ?? "") &&
      !isInsideConsole(script, node, handler)
    )
      return false;
  }
  return true;
}

function isInsideConsole(script: Script, node: Node, end: Node): boolean {
  for (const outer of around(node, end))
    if (outer.name === "CallExpression" && /^console\b/.test(textOf(script.source, outer))) return true;
  return false;
}
