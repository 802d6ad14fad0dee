/** What a Python test asserts. */
import type { AssertionFacts, TestFacts } from "../../core/integrity/source.ts";
import { type ConstantReader, isConstant, isSameValue, stripped } from "./constants.ts";
import { isInEmptyLoop } from "./empty-lists.ts";
import { around, type Call, childOf, flatText, partsOf, readCall, textOf, walk } from "./nodes.ts";
import type { Module } from "./python.ts";
import { isDefinition, nameOfDefinition, reached } from "./python-statements.ts";
import { isSwallowed } from "./python-swallowing.ts";
import type { Node, Source } from "./tree.ts";

export interface TestBody {
  readonly node: Node;
  readonly body: Node;
  readonly functions: ReadonlyMap<string, Node>;
  /** Names of lists of the file that stay empty. */
  readonly emptyLists: ReadonlySet<string>;
  /** It runs once for each row of a table. */
  readonly isTable: boolean;
}

const namesThatCheck = /^_*(assert|expect|check|verif|should|ensure|must|validate|compare|raises|matches)/i;
const saysTwice =
  /same|twice|again|stable|determin|idempot|pure|singleton|cach|memo|identical|identity|once|repeat|consisten|reflexive|itself/i;

export function readAssertions(module: Module, test: TestBody): Pick<TestFacts, "assertions" | "mayAssertElsewhere"> {
  const { source } = module;
  const reader: ConstantReader = { source, names: constantNames(module, test.body) };
  const name = nameOfDefinition(module, test.node);
  const assertions: AssertionFacts[] = [];
  let mayAssertElsewhere = false;
  for (const statement of reached(test.body)) {
    for (const node of walk(statement)) {
      if (isInEmptyLoop(source, node, { names: test.emptyLists, end: test.node })) continue;
      const constant = judge(reader, node, name);
      if (constant === null) {
        mayAssertElsewhere ||= callsAChecker(module, node, test);
        continue;
      }
      const isRepeated =
        test.isTable || [...around(node, test.node)].some((outer) => /^(ForStatement|WhileStatement)$|Comprehension/.test(outer.name));
      const isLost = isSwallowed(module, node, test.node);
      assertions.push({
        line: module.lineOf(node.from),
        text: flatText(source, node),
        isRepeated,
        isConstant: constant,
        isSwallowed: isLost,
      });
    }
  }
  return { assertions, mayAssertElsewhere };
}

/** Whether the assertion that begins at this node is a constant one; null = no assertion begins here. */
function judge(reader: ConstantReader, node: Node, name: string): boolean | null {
  if (node.name === "AssertStatement") {
    const value = partsOf(node)[1];
    return value !== undefined && isConstantTruth(reader, value, name);
  }
  if (node.name === "RaiseStatement") {
    const condition = conditionOf(node);
    return condition === null ? null : isConstant(reader, condition);
  }
  const call = node.name === "CallExpression" ? readCall(reader.source, node) : null;
  return call === null || !isAssertion(call) ? null : isConstantCall(reader, call, name);
}

/** `assert (a == b, "text")` is a tuple, and always true. */
function isConstantTruth(reader: ConstantReader, value: Node, name: string): boolean {
  const inner = stripped(value);
  if (inner.name === "TupleExpression" || isConstant(reader, inner)) return true;
  const parts = partsOf(inner);
  if (inner.name !== "BinaryExpression" || parts.length !== 3) return false;
  const [left, operator, right] = parts as [Node, Node, Node];
  return /^(==|is)$/.test(textOf(reader.source, operator)) && isSame(reader, left, right, name);
}

/** A value with itself. Where it is computed twice, the test's name may say that this is what it is about. */
function isSame({ source }: ConstantReader, left: Node, right: Node, name: string): boolean {
  const [one, other] = [left, right].map((side) => nearly(source, side)) as [Node, Node];
  if (one !== left || other !== right) return isSame({ source, names: new Set() }, one, other, name);
  if (isSameValue(source, left, right)) return true;
  return left.name === "CallExpression" && !saysTwice.test(name) && flatText(source, left) === flatText(source, right);
}

/** What `approx(x)` is about. */
function nearly(source: Source, node: Node): Node {
  const call = readCall(source, node);
  return (/^(pytest\.)?approx$/.test(call?.chain.join(".") ?? "") ? call?.args[0]?.value : undefined) ?? node;
}

function conditionOf(node: Node): Node | null {
  const outer = [...around(node)].find(({ name }) => name === "IfStatement" || name === "FunctionDefinition");
  return outer?.name === "IfStatement" ? (partsOf(outer)[1] ?? null) : null;
}

function isAssertion({ chain }: Call): boolean {
  const [root = "", word = ""] = [chain[0], chain.at(-1)];
  if (/^(pytest\.(raises|warns|fail|deprecated_call)|raises|assert_that|assertThat|expect)$/.test(chain.join("."))) return true;
  if (
    /^assert_(called|not_called|any_call|has_calls|awaited)/.test(word) ||
    /^assert_(allclose|array_equal|almost_equal|equal|frame_equal|series_equal)$/.test(word)
  )
    return true;
  return (
    (root === "self" || root === "cls" || root === "case" || root === "tc") && /^(assert[A-Z_]\w*|assert_|fail|fail[A-Z]\w*)$/.test(word)
  );
}

function isConstantCall(reader: ConstantReader, { chain, args }: Call, name: string): boolean {
  const word = chain.at(-1) ?? "";
  const [left, right] = args.filter(({ keyword }) => keyword !== "msg").map(({ value }) => stripped(value));
  if (left === undefined || /^(fail|raises|warns)/.test(word) || /Raises|Warns|Logs/.test(word)) return false;
  if (/^assert(True|False|_|IsNone|IsNotNone)$/.test(word)) return isConstant(reader, left);
  if (!/^assert[A-Z]\w*$/.test(word) || right === undefined) return false;
  return (
    (isConstant(reader, left) && isConstant(reader, right)) ||
    (/^assert(Equals?|Is|\w+Equal|GreaterEqual|LessEqual)$/.test(word) && !/Not/.test(word) && isSame(reader, left, right, name))
  );
}

/** Names that are given one constant and nothing else. */
function constantNames({ source }: Module, body: Node): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const constant = new Set<string>();
  for (const node of walk(body)) {
    if (/^(UpdateStatement|ForStatement|WithStatement|ScopeStatement|NamedExpression)$/.test(node.name)) {
      for (const child of node.children) if (child.name === "VariableName") counts.set(textOf(source, child), 2);
    }
    if (node.name !== "AssignStatement") continue;
    const parts = partsOf(node);
    const value = parts.at(-1);
    for (const part of parts.slice(0, -1)) {
      if (part.name !== "VariableName") continue;
      const name = textOf(source, part);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (
        parts.length === 3 &&
        value !== undefined &&
        /^(Number|String|Boolean|None|UnaryExpression)$/.test(value.name) &&
        isConstant({ source, names: constant }, value)
      )
        constant.add(name);
    }
  }
  return new Set([...constant].filter((name) => counts.get(name) === 1));
}

/** A call of something that says by its name that it checks, or of a function of this file that asserts. */
function callsAChecker(module: Module, node: Node, test: TestBody): boolean {
  const call = node.name === "CallExpression" ? readCall(module.source, node) : null;
  if (call === null) return false;
  const word = call.chain.at(-1) ?? "";
  if (namesThatCheck.test(word)) return !/(Error|Exception)$/.test(word);
  const local = test.functions.get(word);
  if (local === undefined || local === test.node || !isDefinition(local)) return false;
  return [...walk(childOf(local, "Body") ?? local)].some((inner) => {
    if (inner.name === "AssertStatement" || inner.name === "RaiseStatement") return true;
    const nested = inner.name === "CallExpression" ? readCall(module.source, inner) : null;
    return nested !== null && (isAssertion(nested) || namesThatCheck.test(nested.chain.at(-1) ?? ""));
  });
}
