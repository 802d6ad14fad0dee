/** The names that a file's code speaks of. */
import { around, childOf, textOf } from "./nodes.ts";
import type { Node, Source } from "./tree.ts";

/** Not those of definitions, and not those that an export only passes on. */
export function namesOf(source: Source, nodes: readonly Node[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const node of nodes) {
    if (!/^(VariableName|PropertyName|TypeName|JSXIdentifier)$/.test(node.name)) continue;
    if (isDefinition(node) || isPassedOn(node)) continue;
    found.add(textOf(source, node));
  }
  return found;
}

function isDefinition(node: Node): boolean {
  return /^(FunctionDefinition|ClassDefinition)$/.test(node.parent?.name ?? "") && childOf(node.parent, "VariableName") === node;
}

function isPassedOn(node: Node): boolean {
  const [outer, next] = around(node);
  return outer?.name === "ExportDeclaration" || (outer?.name === "ExportGroup" && childOf(next, "String") === null);
}
