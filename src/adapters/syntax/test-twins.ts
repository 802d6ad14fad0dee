/** What of a test is compared with other tests, and how often the loop around it runs it without a difference. */
import { around, type Call, childOf, partsOf, textOf, walk } from "./nodes.ts";
import type { Node, Source } from "./tree.ts";

/** By the test's name, or by a record that is kept under it: the same words are another test then. */
const asksForName = /\bname\b|\bid\(\)|snapshot|getState|\brequest\b|screenshot|golden|approv/i;
const longest = 4_000;
/** More than that is a stress test, or a mistake of ours. */
const mostTimes = 1_000;

/** @param parts  parameters and body, as they stand in the text */
export function bodyText(source: Source, parts: readonly Node[]): string {
  const text = parts.map((part) => withoutComments(source, part)).join(" ");
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length > longest || asksForName.test(flat) ? "" : flat;
}

function withoutComments({ text }: Source, part: Node): string {
  let result = "";
  let at = part.from;
  for (const comment of walk(part)) {
    if (!comment.name.endsWith("Comment")) continue;
    result += text.slice(at, comment.from);
    at = comment.to;
  }
  return result + text.slice(at, part.to);
}

/**
 * How often a loop runs a test with not one of its values in the test's body: only the title differs.
 * @param body  as `bodyText` has it
 */
export function timesOf(source: Source, call: Call, body: string): number {
  let times = tableLength(call, body);
  for (const outer of around(call.node)) {
    const rows = rowsOf(source, outer);
    if (rows === null) continue;
    if (rows.names.some((name) => speaksOf(body, name))) return 1;
    times *= rows.count;
  }
  return Math.min(times, mostTimes);
}

/** `test.each([1, 2])("%s", () => …)`: a function that takes nothing sees no row. */
function tableLength({ chain, first }: Call, body: string): number {
  const table = first?.args[0]?.value;
  const isTable = chain.some((word) => /^(each|for)$/.test(word)) && table?.name === "ArrayExpression";
  return isTable && /^(async )?(function )?\( ?\)/.test(body) ? partsOf(table).length : 1;
}

interface Rows {
  readonly names: readonly string[];
  readonly count: number;
}

/** Only where it can be counted by reading: `for (const x of [1, 2])`, `for (let i = 0; i < 5; i++)`. Null = no loop. */
function rowsOf(source: Source, node: Node): Rows | null {
  if (node.name !== "ForStatement") return null;
  const of = childOf(node, "ForOfSpec");
  if (of !== null) {
    const list = partsOf(of).at(-1);
    return { names: definedIn(source, of), count: list?.name === "ArrayExpression" ? partsOf(list).length : 1 };
  }
  const spec = childOf(node, "ForSpec");
  const bounds = spec === null ? null : /=\s*(\d+)\s*;[^;]*<(=?)\s*(\d+)\s*;/.exec(textOf(source, spec));
  if (spec === null || bounds === null) return null;
  return { names: definedIn(source, spec), count: Number(bounds[3]) - Number(bounds[1]) + (bounds[2] === "=" ? 1 : 0) };
}

function definedIn(source: Source, node: Node): readonly string[] {
  return node.children.flatMap((child) => (child.name === "VariableDefinition" ? [textOf(source, child)] : definedIn(source, child)));
}

function speaksOf(body: string, name: string): boolean {
  return body.split(/[^\w$]+/).includes(name);
}
