/** Functions of a script made hollow, as cuts of its text. Bodies keep their line breaks, so that what stands below keeps its line. */
import { bodyOf, isFunction } from "./javascript-statements.ts";
import { childOf, readCall, textOf } from "./nodes.ts";
import type { Node, Source } from "./tree.ts";

export interface Cut {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Calls that use a function at once: as much a part of loading the file as a loop. */
const immediate =
  /^(map|filter|forEach|reduce|reduceRight|sort|toSorted|find|findIndex|findLast|some|every|flatMap|from|fromEntries|replace|replaceAll|then)$/;

/** @param isTyped  a body that gives back nothing must still pass a type check */
export function hollowJavaScript(source: Source, isTyped: boolean): readonly Cut[] {
  const cuts: Cut[] = [];
  const open: Node[] = [source.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const cut = isFunction(node) && !staysAlive(source, node) ? cutOf(source, node, isTyped) : null;
    if (cut !== null) cuts.push(cut);
    else for (const child of node.children) open.push(child);
  }
  return cuts.sort((one, other) => one.from - other.from);
}

/** A constructor, since `new` would break; what runs when the file is loaded; and what is no body at all. */
function staysAlive(source: Source, node: Node): boolean {
  const name = childOf(node, "PropertyDefinition");
  if (node.name === "MethodDeclaration" && name !== null && textOf(source, name) === "constructor") return true;
  if (bodyOf(node) === null) return true;
  let outer = node.parent;
  if (outer?.name === "ParenthesizedExpression") outer = outer.parent;
  if (outer?.name === "CallExpression" && outer.children[0] !== undefined && outer.children[0].to >= node.to) return true;
  const call = node.parent?.name === "ArgList" && node.parent.parent !== null ? readCall(source, node.parent.parent) : null;
  return call !== null && immediate.test(call.chain.at(-1) ?? "");
}

function cutOf(source: Source, node: Node, isTyped: boolean): Cut | null {
  const body = bodyOf(node);
  if (body === null) return null;
  const breaks = textOf(source, body).match(/\r?\n/g)?.join("") ?? "";
  if (body.name !== "Block") return { from: body.from, to: body.to, text: `${isTyped ? "(undefined as any)" : "undefined"}${breaks}` };
  const hasNoResult = childOf(node, "set", "Star") !== null;
  return { from: body.from, to: body.to, text: isTyped && !hasNoResult ? `{ return undefined as any;${breaks} }` : `{${breaks}}` };
}
