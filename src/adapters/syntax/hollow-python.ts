/** Functions of a Python file made hollow, as cuts of its text. */
import type { Cut } from "./hollow-javascript.ts";
import { childOf, textOf, walk } from "./nodes.ts";
import { isDefinition, isYield } from "./python-statements.ts";
import type { Node, Source } from "./tree.ts";

/** Whoever makes an object runs these. */
const makers = /^__(init|new|post_init|init_subclass|set_name|class_getitem)__$/;

export function hollowPython(source: Source): readonly Cut[] {
  const cuts: Cut[] = [];
  const open: Node[] = [source.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const cut = cutOf(source, node);
    if (cut !== null) cuts.push(cut);
    else for (const child of node.children) open.push(child);
  }
  return cuts.sort((one, other) => one.from - other.from);
}

function cutOf(source: Source, node: Node): Cut | null {
  if (node.name === "AssignStatement") return cutOfLambda(node);
  if (node.name !== "FunctionDefinition") return null;
  const [name, body] = [childOf(node, "VariableName"), childOf(node, "Body")];
  if (body === null || (name !== null && makers.test(textOf(source, name)))) return null;
  // The node of a body reaches to the line break behind it, or further.
  const text = textOf(source, body).trimEnd();
  const isGenerator = [...walk(body, isDefinition)].some((inner) => isYield(source, inner) && !isDefinition(inner));
  const breaks = text.match(/\r?\n/g)?.join("") ?? "";
  return { from: body.from, to: body.from + text.length, text: `: ${isGenerator ? "return; yield None" : "return None"}${breaks}` };
}

/** `f = lambda x: x + 1` */
function cutOfLambda(node: Node): Cut | null {
  const value = node.children.at(-1);
  const body = value?.name === "LambdaExpression" ? value.children.at(-1) : undefined;
  return body === undefined ? null : { from: body.from, to: body.to, text: "None" };
}
