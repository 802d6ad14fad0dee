/** Functions of a script, their bodies, and what in them counts as a statement. */
import type { Script } from "./javascript.ts";
import { childOf, partsOf, textOf, walk } from "./nodes.ts";
import type { Node } from "./tree.ts";

const functionNames = /^(ArrowFunction|FunctionExpression|FunctionDeclaration|MethodDeclaration)$/;

/** Anything with a body of its own; a method of an object is a Property with a Block. */
export function isFunction(node: Node): boolean {
  return (
    functionNames.test(node.name) || (node.name === "Property" && childOf(node, "Block") !== null && childOf(node, "ParamList") !== null)
  );
}

/** A Block, or the expression of an arrow; null for a declaration without one. */
export function bodyOf(node: Node): Node | null {
  const block = childOf(node, "Block");
  if (block !== null || node.name !== "ArrowFunction") return block;
  const last = partsOf(node).at(-1);
  return last === undefined || last.name === "Arrow" ? null : last;
}

/** Functions by the name that they are declared with or bound to. The last one of a name wins. */
export function namedFunctions(script: Script): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>();
  for (const node of script.nodes) {
    const name = isFunction(node) ? nameOf(script, node) : null;
    if (name !== null) found.set(name, node);
  }
  return found;
}

/** Null for a function that has no name of its own, such as one that is passed to a call. */
export function nameOf({ source }: Script, node: Node): string | null {
  const own = childOf(node, "VariableDefinition", "PropertyDefinition", "PrivatePropertyDefinition", "String");
  if (own !== null) return textOf(source, own).replace(/^["']|["']$/g, "");
  if (node.name === "FunctionDeclaration") return "default";
  const { parent } = node;
  if (parent === null) return null;
  if (parent.name === "ExportDeclaration") return "default";
  const before = parent.children.indexOf(node);
  if (parent.name === "AssignmentExpression")
    return before === 0 || parent.children[0] === undefined ? null : textOf(source, parent.children[0]);
  if (parent.name === "VariableDeclaration") {
    const definition = parent.children.slice(0, before).findLast(({ name }) => name === "VariableDefinition");
    return definition === undefined ? null : textOf(source, definition);
  }
  if (parent.name !== "Property" && parent.name !== "PropertyDeclaration") return null;
  const key = childOf(parent, "PropertyDefinition", "PrivatePropertyDefinition", "String");
  return key === null ? null : textOf(source, key).replace(/^["']|["']$/g, "");
}

/** Of a body, those of blocks in it included; texts that stand alone, a bare `return` and what stands behind it are none. */
export function countStatements(script: Script, body: Node): number {
  if (body.name !== "Block") return isNothing(script, body) ? 0 : 1;
  let count = 0;
  for (const child of reached(body)) {
    for (const node of walk(child, isFunction))
      if (/(Statement|Declaration)$/.test(node.name) && node.name !== "Block" && !isIdle(script, node)) count += 1;
  }
  return count;
}

/** The statements of a block up to the first `return` or `throw` that stands in it without a condition. */
export function reached(block: Node): readonly Node[] {
  const end = block.children.findIndex(({ name }) => name === "ReturnStatement" || name === "ThrowStatement");
  return end === -1 ? block.children : block.children.slice(0, end + 1);
}

function isIdle(script: Script, node: Node): boolean {
  if (node.name === "EmptyStatement") return true;
  if (node.name !== "ReturnStatement" && node.name !== "ExpressionStatement") return false;
  const value = partsOf(node).find(({ name }) => name !== "return");
  return value === undefined || isNothing(script, value);
}

function isNothing({ source }: Script, node: Node): boolean {
  return (
    /^(String|Number|BooleanLiteral|null)$/.test(node.name) ||
    textOf(source, node) === "undefined" ||
    /^(void 0|\{\}|\(\{\}\))$/.test(textOf(source, node))
  );
}
