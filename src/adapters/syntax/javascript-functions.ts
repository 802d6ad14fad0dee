/** Functions of a script, and how they come to their results. */
import type { FunctionFacts } from "../../core/integrity/source.ts";
import {
  type Answer,
  changedName,
  comparedLiterals,
  createAssigned,
  givenBack,
  isComputed,
  lookedUp,
  readTable,
  type Scope,
  type Tables,
  ternaryAnswers,
} from "./answers.ts";
import { hasCommentedCode } from "./commented-code.ts";
import { literalOf } from "./constants.ts";
import type { Script } from "./javascript.ts";
import { bodyOf, countStatements, isFunction, nameOf } from "./javascript-statements.ts";
import { childOf, partsOf, textOf, walk } from "./nodes.ts";
import { offConstants, offSwitchOf, withoutLocals } from "./off-switches.ts";
import { stubOf } from "./stubs.ts";
import type { Node } from "./tree.ts";

export function readFunctions(script: Script): readonly FunctionFacts[] {
  const file = { tables: readTables(script, script.nodes), off: readOffConstants(script) };
  return script.nodes.flatMap((node) => {
    const name = isFunction(node) ? nameOf(script, node) : null;
    const body = name === null ? null : bodyOf(node);
    return name === null || body === null ? [] : [readFunction(script, { name, node, body }, file)];
  });
}

interface FileTables {
  readonly tables: Tables;
  readonly off: ReadonlyMap<string, Node>;
}

function readFunction(
  script: Script,
  { name, node, body }: { readonly name: string; readonly node: Node; readonly body: Node },
  { tables, off }: FileTables,
): FunctionFacts {
  const comments = [...walk(body)].filter((inner) => inner.name === "LineComment" || inner.name === "BlockComment");
  const own = [...walk(body, isFunction)].filter((inner) => inner === body || !isFunction(inner));
  const scope: Scope = { source: script.source, parameters: parametersOf(script, node), tables, assigned: readAssigned(script, own) };
  const results =
    body.name === "Block" ? own.filter((inner) => inner.name === "ReturnStatement").flatMap((inner) => partsOf(inner).slice(1)) : [body];
  const hasYield = own.some((inner) => inner.name === "YieldExpression");
  return {
    name,
    line: script.lineOf(node.from),
    endLine: script.lineOf(node.to),
    statements: countStatements(script, body),
    hasCommentedCode: hasCommentedCode(script.parser, script.source, comments),
    answers: readAnswers(scope, own).map(({ input, answer, at }) => ({ input, answer, line: script.lineOf(at) })),
    computes: hasYield || results.some((result) => isComputed(scope, result)),
    stub: stubOf(script.source, node, body),
    offSwitch: offSwitchOf({ source: script.source, lineOf: script.lineOf, isFunction, off: withoutLocals(off, scope) }, body),
  };
}

/** Those of the file itself that no other file sees. */
function readOffConstants({ source, nodes }: Script): ReadonlyMap<string, Node> {
  const constants = nodes.filter(
    (node) => node.name === "VariableDeclaration" && node.parent?.name === "Script" && childOf(node, "const") !== null,
  );
  return offConstants(source, nodes, constants.flatMap(declared));
}

function parametersOf({ source }: Script, node: Node): ReadonlySet<string> {
  const list = childOf(node, "ParamList");
  return new Set(
    list === null ? [] : [...walk(list)].filter(({ name }) => name === "VariableDefinition").map((inner) => textOf(source, inner)),
  );
}

function readTables(script: Script, nodes: readonly Node[]): Tables {
  const found = new Map<string, readonly Answer[]>();
  for (const node of nodes) {
    if (node.name !== "VariableDeclaration") continue;
    for (const [name, value] of declared(node)) {
      const table = readTable(script.source, value);
      if (table !== null) found.set(textOf(script.source, name), table);
    }
  }
  return found;
}

function declared(declaration: Node): readonly (readonly [Node, Node])[] {
  const { children } = declaration;
  return children.flatMap((child, at) => {
    const definition = children.slice(0, at).findLast(({ name }) => name === "VariableDefinition");
    const value = children[at + 1];
    return child.name === "Equals" && definition !== undefined && value !== undefined ? [[definition, value] as const] : [];
  });
}

function readAssigned({ source }: Script, own: readonly Node[]): ReadonlyMap<string, readonly Node[]> {
  const { put, values } = createAssigned(source);
  for (const node of own) {
    if (node.name === "VariableDeclaration") for (const [name, value] of declared(node)) put(name, value);
    const changed = changedName(source, node);
    if (changed !== null) put(changed, node);
    if (node.name !== "AssignmentExpression") continue;
    const [left, operator] = node.children;
    const value = node.children.at(-1);
    // `+=` works something out, and so does what is put into a member.
    if (left?.name === "VariableName" && value !== undefined) put(left, operator?.name === "Equals" ? value : node);
  }
  return values;
}

function readAnswers(scope: Scope, own: readonly Node[]): readonly Answer[] {
  const found: Answer[] = [];
  for (const node of own) {
    if (node.name === "IfStatement") found.push(...ifAnswers(scope, node));
    if (node.name === "SwitchBody") found.push(...caseAnswers(scope, node));
    if (node.name === "ConditionalExpression" && node.parent?.name !== "ConditionalExpression")
      found.push(...ternaryAnswers(scope.source, node));
    if (node.name === "MemberExpression" || node.name === "CallExpression") found.push(...(lookedUp(scope, node) ?? []));
  }
  return found;
}

function ifAnswers({ source }: Scope, node: Node): readonly Answer[] {
  const condition = childOf(node, "ParenthesizedExpression");
  const body = node.children[2];
  const inputs = condition === null ? null : comparedLiterals(source, condition);
  const answer = body === undefined || inputs === null ? null : givenBack(source, body, isFunction);
  return inputs === null || answer === null ? [] : inputs.map((input) => ({ input, answer, at: node.from }));
}

function caseAnswers({ source }: Scope, body: Node): readonly Answer[] {
  const found: Answer[] = [];
  let inputs: string[] = [];
  let isFresh = true;
  for (const child of body.children) {
    if (child.name === "CaseLabel") {
      const value = partsOf(child).find(({ name }) => name !== "case");
      const input = value === undefined ? null : literalOf(source, value);
      if (!isFresh) inputs = [];
      isFresh = true;
      if (input !== null) inputs.push(input);
    } else if (child.name === "DefaultLabel") {
      inputs = [];
    } else if (inputs.length > 0) {
      const answer = givenBack(source, child, isFunction);
      if (answer !== null) found.push(...inputs.map((input) => ({ input, answer, at: child.from })));
      isFresh = false;
    }
  }
  return found;
}
