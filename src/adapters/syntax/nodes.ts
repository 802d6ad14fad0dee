/** What is asked of nodes again and again, in either language: their grammars call expressions by the same names. */
import type { Node, Source } from "./tree.ts";

const punctuation = new Set(["(", ")", "[", "]", "{", "}", ",", ";", ":", "LineComment", "BlockComment", "Comment"]);

/** The children without punctuation and comments. */
export function partsOf(node: Node | null | undefined): readonly Node[] {
  return node?.children.filter((child) => !punctuation.has(child.name)) ?? [];
}

export function childOf(node: Node | null | undefined, ...names: readonly string[]): Node | null {
  return node?.children.find((child) => names.includes(child.name)) ?? null;
}

export function textOf(source: Source, node: Node): string {
  return source.text.slice(node.from, node.to);
}

/** With single spaces, so that a new line break makes no difference. */
export function flatText(source: Source, node: Node): string {
  return textOf(source, node).replace(/\s+/g, " ");
}

/** The node and all below it, in the order of the text; not below those that `isClosed` names. */
export function* walk(node: Node, isClosed: (node: Node) => boolean = () => false): Generator<Node> {
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    if (next !== node && isClosed(next)) continue;
    for (let at = next.children.length - 1; at >= 0; at -= 1) open.push(next.children[at] as Node);
  }
}

/** Those around the node, the nearest first, up to but without `end`. */
export function* around(node: Node, end: Node | null = null): Generator<Node> {
  for (let next = node.parent; next !== null && next !== end; next = next.parent) yield next;
}

export function isInside(node: Node, outer: Node): boolean {
  return node.from >= outer.from && node.to <= outer.to;
}

/** Lines of many places, without counting from the top each time. */
export function lineCounter(text: string): (position: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (position) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= position) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

export interface Call {
  readonly node: Node;
  /** The names in front of its arguments: `expect(a).not.toBe(b)` is expect, not, toBe. A gap that has no name is "". */
  readonly chain: readonly string[];
  readonly args: readonly Argument[];
  /** Of the call that the chain begins with: `expect(a)`; null where it begins with a name. */
  readonly first: Call | null;
}

export interface Argument {
  readonly keyword: string | null;
  readonly value: Node;
}

export function readCall(source: Source, node: Node): Call | null {
  if (node.name !== "CallExpression" && node.name !== "NewExpression") return null;
  const list = childOf(node, "ArgList");
  const callee = partsOf(node).find(({ name }) => name !== "new" && name !== "ArgList" && name !== "TypeArgList");
  if (callee === undefined) return null;
  const { names, first } = readChain(source, callee);
  return { node, chain: names, args: list === null ? [] : argumentsOf(source, list), first };
}

/** The names of a chain of members and calls. */
export function readChain(source: Source, node: Node): { readonly names: readonly string[]; readonly first: Call | null } {
  const names: string[] = [];
  let first: Call | null = null;
  let at: Node | undefined = node;
  while (at !== undefined) {
    const isMember = at.name === "MemberExpression";
    if (isMember) names.push(memberName(source, at));
    else if (at.name === "CallExpression") {
      const list = childOf(at, "ArgList");
      first = { node: at, chain: [], args: list === null ? [] : argumentsOf(source, list), first: null };
    } else if (at.name !== "TaggedTemplateExpression" && at.name !== "ParenthesizedExpression" && at.name !== "AwaitExpression") {
      names.push(/^(VariableName|this|super|self|import)$/.test(at.name) ? textOf(source, at) : "");
      break;
    }
    at = partsOf(at).find(({ name }) => name !== "await");
  }
  names.reverse();
  return { names, first: first === null ? null : { ...first, chain: names.slice(0, 1) } };
}

/** The member's own name; "" where it is computed. */
export function memberName(source: Source, node: Node): string {
  const name = childOf(node, "PropertyName", "PrivatePropertyName");
  if (name !== null) return textOf(source, name);
  const index = partsOf(node).at(-1);
  return index?.name === "String" ? textOf(source, index).slice(1, -1) : "";
}

function argumentsOf(source: Source, list: Node): readonly Argument[] {
  const parts = partsOf(list).filter(({ name }) => name !== "Spread" && name !== "...");
  const found: Argument[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] as Node;
    const value = parts[at + 2];
    if (parts[at + 1]?.name === "AssignOp" && value !== undefined) {
      found.push({ keyword: textOf(source, part), value });
      at += 2;
    } else found.push({ keyword: null, value: part });
  }
  return found;
}
