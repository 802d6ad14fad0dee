/** Loops over a list that is written down empty: what stands in them never runs. */
import { around, partsOf, textOf } from "./nodes.ts";
import type { Node, Source } from "./tree.ts";

/** Names that are given an empty list once and are then only read: no member of theirs is used, and no call gets them. */
export function emptyLists(source: Source, nodes: readonly Node[]): ReadonlySet<string> {
  const empty = new Set<string>();
  const other = new Set<string>();
  for (const node of nodes) {
    if (/^(VariableDeclaration|AssignStatement|AssignmentExpression|UpdateStatement)$/.test(node.name)) {
      node.children.forEach((child, at) => {
        if (!/^(VariableDefinition|VariableName)$/.test(child.name) || at + 1 >= node.children.length) return;
        const value = node.children
          .slice(at + 1)
          .find(({ name }) => name !== "Equals" && name !== "AssignOp" && name !== "TypeAnnotation" && name !== "TypeDef");
        const name = textOf(source, child);
        if (value !== undefined && isEmptyList(value) && !empty.has(name)) empty.add(name);
        else other.add(name);
      });
    }
    if (node.name === "VariableName" && /^(MemberExpression|ArgList|ExportGroup)$/.test(node.parent?.name ?? ""))
      other.add(textOf(source, node));
  }
  return new Set([...empty].filter((name) => !other.has(name)));
}

function isEmptyList(node: Node): boolean {
  return /^(ArrayExpression|TupleExpression)$/.test(node.name) && partsOf(node).length === 0;
}

/** @param end  how far out to look */
export function isInEmptyLoop(
  source: Source,
  node: Node,
  { names, end }: { readonly names: ReadonlySet<string>; readonly end: Node },
): boolean {
  for (const outer of around(node, end)) {
    if (outer.name !== "ForStatement") continue;
    const list = listOf(outer);
    if (list !== null && (isEmptyList(list) || (list.name === "VariableName" && names.has(textOf(source, list))))) return true;
  }
  return false;
}

function listOf(loop: Node): Node | null {
  const spec = loop.children.find(({ name }) => name === "ForOfSpec") ?? loop;
  const at = spec.children.findIndex(({ name }) => name === "of" || name === "in");
  return at === -1 ? null : (spec.children[at + 1] ?? null);
}
