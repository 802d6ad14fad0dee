/** Functions whose results stand behind a constant of their file that is off: code that never runs. */
import type { FunctionFacts } from "../../core/integrity/source.ts";
import { branchesOf, conditionOfTernary, type Scope } from "./answers.ts";
import { literalOf, stripped } from "./constants.ts";
import { childOf, partsOf, textOf, walk } from "./nodes.ts";
import type { Node, Source } from "./tree.ts";

export interface Switches {
  readonly source: Source;
  /** Where each is defined, by name. */
  readonly off: ReadonlyMap<string, Node>;
  readonly lineOf: (position: number) => number;
  readonly isFunction: (node: Node) => boolean;
}

/** Constants of the file that are false and that nothing else is assigned to. @param nodes  all of the file */
export function offConstants(
  source: Source,
  nodes: readonly Node[],
  definitions: readonly (readonly [Node, Node])[],
): ReadonlyMap<string, Node> {
  const off = definitions.filter(([, value]) => /^(false|False|0|null|None)$/.test(textOf(source, value)));
  const names = new Map(off.map(([name]) => [textOf(source, name), name]));
  if (names.size === 0) return names;
  for (const node of nodes) {
    const name = isSetting(node)
      ? node.children.find((child) => names.has(textOf(source, child)) && names.get(textOf(source, child)) !== child)
      : undefined;
    if (name !== undefined) names.delete(textOf(source, name));
  }
  return names;
}

function isSetting({ name }: Node): boolean {
  return /^(AssignmentExpression|AssignStatement|UpdateStatement|ScopeStatement|ExportGroup|ForStatement|NamedExpression)$/.test(name);
}

/** A parameter, or a variable of the function's own, is another thing by the same name. */
export function withoutLocals(off: ReadonlyMap<string, Node>, { parameters, assigned }: Scope): ReadonlyMap<string, Node> {
  return new Map([...off].filter(([name]) => !parameters.has(name) && !assigned.has(name)));
}

/** @param body  a block, or the expression of an arrow */
export function offSwitchOf(switches: Switches, body: Node): FunctionFacts["offSwitch"] {
  if (switches.off.size === 0) return null;
  const found = /^(Block|Body)$/.test(body.name) ? switchOfBlock(switches, body) : switchOfValue(switches, body);
  if (found === null) return null;
  const name = textOf(switches.source, found);
  return { name, line: switches.lineOf(found.from), definedAt: switches.lineOf((switches.off.get(name) as Node).from) };
}

function switchOfBlock(switches: Switches, block: Node): Node | null {
  const statements = partsOf(block).filter(({ name }) => /Statement$|Declaration$|Definition$/.test(name));
  for (const [at, statement] of statements.entries()) {
    const rest = statements.slice(at + 1);
    if (statement.name === "ReturnStatement") return switchOfValue(switches, partsOf(statement)[1]);
    if (statement.name !== "IfStatement") {
      if (givesBack(switches, statement)) return null;
      continue;
    }
    const name = switchOfIf(switches, statement, rest);
    if (name !== null) return name;
    if (givesBack(switches, statement)) return null;
  }
  return null;
}

/** `if (!on) return false; …` with a result behind it, and `if (on) return …;` with none behind it. */
function switchOfIf(switches: Switches, statement: Node, rest: readonly Node[]): Node | null {
  if (childOf(statement, "else", "elif") !== null) return null;
  const [condition, body] = partsOf(statement).filter(({ name }) => name !== "if");
  if (condition === undefined || body === undefined) return null;
  const isThere = () => rest.some((one) => givesBack(switches, one));
  const negated = negatedName(switches, condition);
  if (negated !== null) return leaves(body) && isThere() ? negated : null;
  const plain = offName(switches, condition);
  return plain !== null && givesBack(switches, body) && !isThere() ? plain : null;
}

/** `on && …` and `on ? … : 0` */
function switchOfValue(switches: Switches, value: Node | undefined): Node | null {
  if (value === undefined) return null;
  const inner = stripped(value);
  const parts = partsOf(inner);
  if (inner.name === "BinaryExpression" && parts.length === 3 && /^(&&|and)$/.test(textOf(switches.source, parts[1] as Node)))
    return offName(switches, parts[0] as Node);
  const branches = inner.name === "ConditionalExpression" ? branchesOf(switches.source, inner) : null;
  const condition = inner.name === "ConditionalExpression" ? conditionOfTernary(inner) : null;
  if (branches === null || condition === null || literalOf(switches.source, branches[1]) === null) return null;
  return offName(switches, condition);
}

function negatedName(switches: Switches, condition: Node): Node | null {
  const inner = stripped(condition);
  const [sign, value] = partsOf(inner);
  if (inner.name === "UnaryExpression" && sign !== undefined && value !== undefined)
    return /^(!|not)$/.test(textOf(switches.source, sign)) ? offName(switches, value) : null;
  const parts = partsOf(inner);
  const isFalse =
    parts.length === 3 && /^(===?|is|==)\s*(false|False)$/.test(switches.source.text.slice((parts[0] as Node).to, inner.to).trim());
  return inner.name === "BinaryExpression" && isFalse ? offName(switches, parts[0] as Node) : null;
}

function offName({ source, off }: Switches, node: Node): Node | null {
  const inner = stripped(node);
  return inner.name === "VariableName" && off.has(textOf(source, inner)) ? inner : null;
}

function leaves(body: Node): boolean {
  return body.name === "ReturnStatement" || partsOf(body)[0]?.name === "ReturnStatement";
}

/** A result that is no literal stands in it. */
function givesBack({ source, isFunction }: Switches, node: Node): boolean {
  if (isFunction(node)) return false;
  return [...walk(node, isFunction)].some((inner) => {
    const value = inner.name === "ReturnStatement" ? partsOf(inner)[1] : undefined;
    return value !== undefined && literalOf(source, value) === null;
  });
}
