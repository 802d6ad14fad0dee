/** How functions of either language come to their results: by branches that are written down, or by some computing. */
import { literalOf, stripped } from "./constants.ts";
import { childOf, memberName, partsOf, textOf, walk } from "./nodes.ts";
import type { Node, Source } from "./tree.ts";

export interface Answer {
  readonly input: string;
  readonly answer: string;
  readonly at: number;
}

/** Literal tables of the file or the function, by name. */
export type Tables = ReadonlyMap<string, readonly Answer[]>;

export interface Scope {
  readonly source: Source;
  readonly parameters: ReadonlySet<string>;
  readonly tables: Tables;
  /** What is assigned to a local name, wherever. */
  readonly assigned: ReadonlyMap<string, readonly Node[]>;
}

/** The literals that a condition compares something of ours with; null where it asks anything else. */
export function comparedLiterals(source: Source, condition: Node): readonly string[] | null {
  const node = stripped(condition);
  if (node.name !== "BinaryExpression") return null;
  const parts = partsOf(node);
  const [left, right] = [parts[0], parts.at(-1)];
  if (left === undefined || right === undefined || parts.length !== 3) return null;
  const operator = textOf(source, parts[1] as Node);
  if (/^(\|\||&&|or|and)$/.test(operator)) {
    const [one, other] = [comparedLiterals(source, left), comparedLiterals(source, right)];
    return one === null || other === null ? null : [...one, ...other];
  }
  if (!/^(===?|is|in)$/.test(operator) || /^typeof\b/.test(textOf(source, left))) return null;
  if (operator === "in") return /^(Tuple|Array|Set)Expression$/.test(right.name) ? listOf(source, right) : null;
  const [one, other] = [literalOf(source, left), literalOf(source, right)];
  if ((one === null) === (other === null)) return null;
  return [(one ?? other) as string];
}

function listOf(source: Source, node: Node): readonly string[] | null {
  const items = partsOf(node).map((part) => literalOf(source, part));
  return items.every((item) => item !== null) ? (items as string[]) : null;
}

/** The pairs of a literal object, dict, array of pairs, or `new Map([...])`; null = it is no such table. */
export function readTable(source: Source, node: Node): readonly Answer[] | null {
  const inner = stripped(node);
  switch (inner.name) {
    case "ObjectExpression":
      return gather(partsOf(inner), (property) => {
        const [key, value] = partsOf(property).filter(({ name }) => name !== "Spread");
        const input = key === undefined ? null : key.name === "PropertyDefinition" ? textOf(source, key) : literalOf(source, key);
        return [pair(source, input, value, property)];
      });
    case "DictionaryExpression":
      return gather(partsOf(inner), (key, at, parts) => (at % 2 === 1 ? [] : [pair(source, literalOf(source, key), parts[at + 1], key)]));
    case "NewExpression": {
      const [list] = partsOf(childOf(inner, "ArgList"));
      if (list?.name !== "ArrayExpression" || !/^new Map\b/.test(textOf(source, inner))) return null;
      return gather(partsOf(list), (row) => {
        const [key, value] = partsOf(row);
        return [pair(source, key === undefined ? null : literalOf(source, key), value, row)];
      });
    }
    case "CallExpression":
      return /^Object\.freeze\(/.test(textOf(source, inner)) ? readFirst(source, partsOf(childOf(inner, "ArgList"))) : null;
    case "BinaryExpression":
      return readFirst(source, partsOf(inner));
    default:
      return null;
  }
}

function readFirst(source: Source, [first]: readonly Node[]): readonly Answer[] | null {
  return first === undefined ? null : readTable(source, first);
}

function pair(source: Source, input: string | null, value: Node | undefined, at: Node): Answer | null {
  const answer = value === undefined ? null : literalOf(source, value);
  return input === null || answer === null ? null : { input, answer, at: at.from };
}

type ReadRow = (node: Node, at: number, nodes: readonly Node[]) => readonly (Answer | null)[];

function gather(nodes: readonly Node[], read: ReadRow): readonly Answer[] | null {
  const rows = nodes.flatMap(read);
  return rows.length > 0 && rows.every((row) => row !== null) ? (rows as Answer[]) : null;
}

/** The table that an expression looks something up in: `TABLE[x]`, `TABLE.get(x)`, `({ a: 1 })[x]`; null = it is no look-up. */
export function lookedUp(scope: Scope, node: Node): readonly Answer[] | null {
  const inner = stripped(node);
  if (inner.name === "CallExpression") {
    const [member] = partsOf(inner);
    if (member?.name !== "MemberExpression" || memberName(scope.source, member) !== "get") return null;
    return tableOf(scope, partsOf(member)[0]);
  }
  if (inner.name !== "MemberExpression" || childOf(inner, "[") === null) return null;
  const index = partsOf(inner).at(-1);
  return index === undefined || literalOf(scope.source, index) !== null ? null : tableOf(scope, partsOf(inner)[0]);
}

function tableOf(scope: Scope, node: Node | undefined): readonly Answer[] | null {
  if (node === undefined) return null;
  return node.name === "VariableName" ? (scope.tables.get(textOf(scope.source, node)) ?? null) : readTable(scope.source, node);
}

/** Whether a result is worked out: neither written down, nor the input as it came, nor looked up in a table that is written down. */
export function isComputed(scope: Scope, node: Node, seen: ReadonlySet<string> = new Set()): boolean {
  const inner = stripped(node);
  if (literalOf(scope.source, inner) !== null || lookedUp(scope, inner) !== null) return false;
  const parts = partsOf(inner);
  switch (inner.name) {
    case "ConditionalExpression": {
      const values = branchesOf(scope.source, inner);
      return values === null || values.some((value) => isComputed(scope, value, seen));
    }
    case "BinaryExpression":
      if (!/^(\?\?|\|\||or|as|satisfies)$/.test(textOf(scope.source, parts[1] as Node))) return true;
      return parts[1]?.name === "as" || parts[1]?.name === "satisfies"
        ? isComputed(scope, parts[0] as Node, seen)
        : isComputed(scope, parts[0] as Node, seen) || isComputed(scope, parts.at(-1) as Node, seen);
    case "AwaitExpression":
    case "PostfixExpression":
      return isComputed(scope, parts.filter(({ name }) => name !== "await")[0] as Node, seen);
    case "VariableName": {
      const name = textOf(scope.source, inner);
      if (name === "undefined" || seen.has(name)) return false;
      const values = scope.assigned.get(name);
      if (values === undefined) return !scope.parameters.has(name);
      return values.some((value) => isComputed(scope, value, new Set([...seen, name])));
    }
    default:
      return true;
  }
}

/** What names are given, in the order of the text. */
export function createAssigned(source: Source) {
  const values = new Map<string, Node[]>();
  return {
    values: values as ReadonlyMap<string, readonly Node[]>,
    put(name: Node, value: Node) {
      const key = textOf(source, name);
      const known = values.get(key);
      if (known === undefined) values.set(key, [value]);
      else known.push(value);
    },
  };
}

/** The literal that a branch returns, or puts into a variable. @param isClosed  what begins another function */
export function givenBack(source: Source, body: Node, isClosed: (node: Node) => boolean): string | null {
  for (const node of walk(body, isClosed)) {
    if (!/^(ReturnStatement|AssignmentExpression|AssignStatement)$/.test(node.name)) continue;
    const value = partsOf(node).at(-1);
    const answer = value === undefined || value.name === "return" ? null : literalOf(source, value);
    if (answer !== null) return answer;
  }
  return null;
}

/** The name whose value a statement changes from within: `list.push(…)`, `totals[city] = …`, `self.x += 1`. What it holds then was worked out. */
export function changedName(source: Source, node: Node): Node | null {
  const target = /^(AssignmentExpression|AssignStatement|UpdateStatement)$/.test(node.name) ? node.children[0] : undefined;
  const called = node.name === "CallExpression" ? partsOf(node)[0] : undefined;
  let at = target ?? (called !== undefined && changers.test(memberName(source, called)) ? called : undefined);
  if (at?.name !== "MemberExpression") return null;
  while (at?.name === "MemberExpression") at = partsOf(at)[0];
  return at?.name === "VariableName" ? at : null;
}

const changers = /^(push|unshift|splice|set|add|append|extend|insert|update|setdefault|sort|reverse|concat|fill)$/;

/** The two values of `a ? b : c` and of `b if a else c`; null where it cannot be told. */
export function branchesOf(source: Source, node: Node): readonly [Node, Node] | null {
  const values = partsOf(node).filter(({ name }) => name !== "LogicOp" && name !== "if" && name !== "else");
  const [one, two, three] = values;
  if (one === undefined || two === undefined || three === undefined) return null;
  return /^\S*\s*if\b/.test(source.text.slice(one.to, two.from)) || childOf(node, "if") !== null ? [one, three] : [two, three];
}

/** The condition of the same. */
export function conditionOfTernary(node: Node): Node | null {
  const values = partsOf(node).filter(({ name }) => name !== "LogicOp" && name !== "if" && name !== "else");
  return (childOf(node, "if") !== null ? values[1] : values[0]) ?? null;
}

/** Answers of one ternary, and of those in it. */
export function ternaryAnswers(source: Source, root: Node): readonly Answer[] {
  const found: Answer[] = [];
  for (const node of walk(root)) {
    if (node.name !== "ConditionalExpression") continue;
    const condition = conditionOfTernary(node);
    const branches = branchesOf(source, node);
    if (condition === null || branches === null) continue;
    const answer = literalOf(source, branches[0]);
    for (const input of comparedLiterals(source, condition) ?? []) if (answer !== null) found.push({ input, answer, at: node.from });
  }
  return found;
}
