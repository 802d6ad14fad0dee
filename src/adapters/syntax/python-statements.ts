/** Bodies of Python definitions, what counts as a statement in them, and the comments that belong to them. */
import { hasCommentedCode } from "./commented-code.ts";
import { childOf, partsOf, textOf, walk } from "./nodes.ts";
import type { Module } from "./python.ts";
import { pythonParser } from "./python-parser.ts";
import type { Node, Source } from "./tree.ts";

export function isDefinition(node: Node): boolean {
  return node.name === "FunctionDefinition" || node.name === "LambdaExpression";
}

export function nameOfDefinition({ source }: Module, node: Node): string {
  const name = childOf(node, "VariableName");
  return name === null ? "" : textOf(source, name);
}

/** A bare `yield` is a text to the parser, see parsePython. */
export function isYield(source: Source, node: Node): boolean {
  return /^Yield/.test(node.name) || (node.name === "String" && textOf(source, node) === "yield");
}

/** The decorators in front of a definition, as they are written. */
export function decoratorsOf({ source }: Module, node: Node): readonly string[] {
  const { parent } = node;
  return parent?.name === "DecoratedStatement"
    ? parent.children.filter(({ name }) => name === "Decorator").map((one) => textOf(source, one))
    : [];
}

/** Of a body, those of blocks in it included. */
export function countStatements(body: Node): number {
  let count = 0;
  for (const child of reached(body)) {
    for (const node of walk(child, isDefinition)) if (/(Statement|Definition)$/.test(node.name) && !isIdle(node)) count += 1;
  }
  return count;
}

/** The statements of a body up to the first `return` or `raise` that stands in it without a condition. */
export function reached(body: Node): readonly Node[] {
  const end = body.children.findIndex(({ name }) => name === "ReturnStatement" || name === "RaiseStatement");
  return end === -1 ? body.children : body.children.slice(0, end + 1);
}

function isIdle(node: Node): boolean {
  if (/^(PassStatement|StatementGroup|DecoratedStatement)$/.test(node.name)) return true;
  if (node.name !== "ReturnStatement" && node.name !== "ExpressionStatement") return false;
  const value = partsOf(node).find(({ name }) => name !== "return");
  return value === undefined || /^(String|Number|Boolean|None|Ellipsis|\.\.\.|ContinuedString)$/.test(value.name);
}

/** Comments behind the last statement are the definition's too as long as they are indented deeper than it. */
export function bodyHasCommentedCode(module: Module, definition: Node, body: Node): boolean {
  const { text } = module.source;
  const start = text.lastIndexOf("\n", definition.from - 1) + 1;
  const depth = indentOf(text.slice(start));
  let end = body.to;
  while (end > body.from && /\s/.test(text[end - 1] ?? "")) end -= 1;
  for (let at = text.indexOf("\n", end); at !== -1; at = text.indexOf("\n", at + 1)) {
    const line = text.slice(at + 1, at + 400).split("\n")[0] ?? "";
    if (line.trim() !== "" && !(line.trimStart().startsWith("#") && indentOf(line) > depth)) break;
    if (line.trim() !== "") end = at + 1 + line.length;
    if (at + 1 + line.length >= text.length) break;
  }
  const comments = module.comments.filter(({ from }) => from >= body.from && from < end);
  return hasCommentedCode(pythonParser, module.source, comments);
}

function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)?.[0].length ?? 0;
}
