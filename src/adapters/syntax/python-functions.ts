/** Python functions, and how they come to their results. */
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
import { literalOf } from "./constants.ts";
import { childOf, partsOf, textOf, walk } from "./nodes.ts";
import { offConstants, offSwitchOf, withoutLocals } from "./off-switches.ts";
import type { Module } from "./python.ts";
import { bodyHasCommentedCode, countStatements, decoratorsOf, isDefinition, isYield, nameOfDefinition } from "./python-statements.ts";
import { isTest, lastLine } from "./python-tests.ts";
import { stubOf } from "./stubs.ts";
import type { Node } from "./tree.ts";

export function readFunctions(module: Module): readonly FunctionFacts[] {
  const file = { tables: readTables(module), off: readOffConstants(module) };
  return module.nodes.flatMap((node) => {
    const body = node.name === "FunctionDefinition" && !isTest(module, node) ? childOf(node, "Body") : null;
    return body === null ? [] : [readFunction(module, { node, body }, file)];
  });
}

interface FileTables {
  readonly tables: Tables;
  readonly off: ReadonlyMap<string, Node>;
}

function readFunction(
  module: Module,
  { node, body }: { readonly node: Node; readonly body: Node },
  { tables, off }: FileTables,
): FunctionFacts {
  const { source } = module;
  const own = [...walk(body, isDefinition)].filter((inner) => !isDefinition(inner));
  const list = childOf(node, "ParamList");
  const parameters = new Set(
    partsOf(list)
      .filter(({ name }) => name === "VariableName")
      .map((inner) => textOf(source, inner)),
  );
  const scope: Scope = { source, parameters, tables, assigned: readAssigned(module, own) };
  const results = own.filter(({ name }) => name === "ReturnStatement").flatMap((inner) => partsOf(inner).slice(1));
  const hasYield = own.some((inner) => isYield(source, inner));
  return {
    name: nameOfDefinition(module, node),
    line: module.lineOf(node.from),
    endLine: lastLine(module, node),
    statements: countStatements(body),
    hasCommentedCode: bodyHasCommentedCode(module, node, body),
    answers: own.flatMap((inner) => answersAt(scope, inner)).map(({ input, answer, at }) => ({ input, answer, line: module.lineOf(at) })),
    computes: hasYield || results.some((result) => isComputed(scope, result)),
    stub: decoratorsOf(module, node).length > 0 ? null : stubOf(source, node, body),
    offSwitch: offSwitchOf({ source, lineOf: module.lineOf, isFunction: isDefinition, off: withoutLocals(off, scope) }, body),
  };
}

function readOffConstants({ source, nodes }: Module): ReadonlyMap<string, Node> {
  const constants = nodes.filter((node) => node.name === "AssignStatement" && node.parent?.name === "Script");
  return offConstants(
    source,
    nodes,
    constants.flatMap((node) => {
      const [name, value] = [node.children[0], node.children.at(-1)];
      return name?.name === "VariableName" && value !== undefined ? [[name, value] as const] : [];
    }),
  );
}

function readTables({ source, nodes }: Module): Tables {
  const found = new Map<string, readonly Answer[]>();
  for (const node of nodes) {
    if (node.name !== "AssignStatement") continue;
    const [name, value] = [node.children[0], node.children.at(-1)];
    const table = name?.name === "VariableName" && value !== undefined ? readTable(source, value) : null;
    if (name !== undefined && table !== null) found.set(textOf(source, name), table);
  }
  return found;
}

function readAssigned({ source }: Module, own: readonly Node[]): ReadonlyMap<string, readonly Node[]> {
  const { put, values } = createAssigned(source);
  for (const node of own) {
    const changed = changedName(source, node);
    if (changed !== null) put(changed, node);
    if (node.name !== "AssignStatement" && node.name !== "UpdateStatement") continue;
    const [name, value] = [node.children[0], node.children.at(-1)];
    if (name?.name !== "VariableName" || value === undefined) continue;
    const isPlain =
      node.name === "AssignStatement" &&
      node.children.filter((child) => child.name === "AssignOp").length === 1 &&
      childOf(node, ",") === null;
    put(name, isPlain ? value : node);
  }
  return values;
}

function answersAt(scope: Scope, node: Node): readonly Answer[] {
  switch (node.name) {
    case "IfStatement":
      return ifAnswers(scope, node);
    case "MatchClause":
      return caseAnswers(scope, node);
    case "ConditionalExpression":
      return node.parent?.name === "ConditionalExpression" ? [] : ternaryAnswers(scope.source, node);
    case "MemberExpression":
    case "CallExpression":
      return lookedUp(scope, node) ?? [];
    default:
      return [];
  }
}

function ifAnswers({ source }: Scope, node: Node): readonly Answer[] {
  const found: Answer[] = [];
  node.children.forEach((child, at) => {
    if (child.name !== "if" && child.name !== "elif") return;
    const [condition, body] = [node.children[at + 1], node.children[at + 2]];
    const inputs = condition === undefined ? null : comparedLiterals(source, condition);
    const answer = body === undefined ? null : givenBack(source, body, isDefinition);
    if (inputs !== null && answer !== null) found.push(...inputs.map((input) => ({ input, answer, at: child.from })));
  });
  return found;
}

function caseAnswers({ source }: Scope, node: Node): readonly Answer[] {
  const body = childOf(node, "Body");
  const answer = body === null ? null : givenBack(source, body, isDefinition);
  const patterns = [...walk(node)].filter(({ name }) => name === "LiteralPattern");
  const inputs = patterns.map((pattern) => (pattern.children[0] === undefined ? null : literalOf(source, pattern.children[0])));
  return answer === null ? [] : inputs.flatMap((input) => (input === null ? [] : [{ input, answer, at: node.from }]));
}
