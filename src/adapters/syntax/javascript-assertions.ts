/** What a test of a script asserts. */
import type { AssertionFacts, TestFacts } from "../../core/integrity/source.ts";
import { type ConstantReader, isConstant, isSameValue, stripped } from "./constants.ts";
import { isInEmptyLoop } from "./empty-lists.ts";
import type { Script } from "./javascript.ts";
import { isFunction, reached } from "./javascript-statements.ts";
import { isSwallowed } from "./javascript-swallowing.ts";
import { around, type Call, childOf, flatText, readCall, textOf, walk } from "./nodes.ts";
import type { Node } from "./tree.ts";

/** What all tests of one file share. */
export interface TestFileNames {
  readonly functions: ReadonlyMap<string, Node>;
  /** Of functions that assert, as they are imported. */
  readonly assertions: ReadonlySet<string>;
  /** Of lists that stay empty. */
  readonly emptyLists: ReadonlySet<string>;
}

export interface TestBody {
  readonly callback: Node;
  readonly body: Node;
  readonly name: string;
  readonly file: TestFileNames;
  /** It runs once for each row of a table. */
  readonly isTable: boolean;
}

const contextMembers =
  /^(is|not|ok|notOk|true|truthy|false|falsy|assert|equals?|notEquals?|deepEquals?|notDeepEquals?|same|notSame|strictEquals?|strictSame|like|matches?|match|notMatch|throws|notThrows|throwsAsync|notThrowsAsync|rejects|resolves|doesNotThrow|regex|notRegex|snapshot|fail|pass|has|hasStrict|ifError|error|emits|type|resolveMatch)$/;
const bare = /^(assert\w*|ok|equal|deepEqual|strictEqual|deepStrictEqual|notEqual|notStrictEqual|rejects|throws|doesNotThrow|match|fail)$/;
const assertionModules = /^(node:)?assert(\/strict)?$|^(chai|power-assert|uvu\/assert|should|@jest\/globals|vitest|expect|tap|tape|ava)$/;
const namesThatCheck = /^(assert|expect|check|verif|should|ensure|must|validate|compare|throws|matches)/i;
const saysTwice =
  /\b(same|twice|again|stable|determin\w*|idempot\w*|pure|singleton|cach\w*|memo\w*|identical|identity|once|repeat\w*|consisten\w*|reflexive|itself)\b/i;
const loops = /^(ForStatement|WhileStatement|DoStatement)$/;
const repeaters = /^(forEach|map|each|every|times|property|asyncProperty|reduce|flatMap|filter|some)$/;

export function readAssertions(script: Script, test: TestBody): Pick<TestFacts, "assertions" | "mayAssertElsewhere"> {
  const { source } = script;
  const assertNames = test.file.assertions;
  const parameter = childOf(childOf(test.callback, "ParamList"), "VariableDefinition");
  const context = parameter === null || test.isTable ? "t" : textOf(source, parameter);
  const reader: ConstantReader = { source, names: constantNames(script, test.body) };
  const assertions: AssertionFacts[] = [];
  let mayAssertElsewhere = false;
  for (const node of reachedNodes(test.body)) {
    if (isInEmptyLoop(source, node, { names: test.file.emptyLists, end: test.callback })) continue;
    const constant = judge(script, reader, node, { context, assertNames, name: test.name });
    if (constant !== null) {
      assertions.push({
        line: script.lineOf(node.from),
        text: flatText(source, node),
        isRepeated: test.isTable || isRepeated(script, node, test.body),
        isConstant: constant,
        isSwallowed: isSwallowed(script, node, test.callback),
      });
      continue;
    }
    mayAssertElsewhere ||= callsAChecker(script, node, test, { context, assertNames });
  }
  return { assertions, mayAssertElsewhere };
}

interface Marks {
  readonly context: string;
  readonly assertNames: ReadonlySet<string>;
  readonly name: string;
}

function* reachedNodes(body: Node): Generator<Node> {
  if (body.name !== "Block") yield* walk(body);
  else for (const statement of reached(body)) yield* walk(statement);
}

/** Whether the assertion that begins at this node is a constant one; null = no assertion begins here. */
function judge(script: Script, reader: ConstantReader, node: Node, marks: Marks): boolean | null {
  if (node.name === "ThrowStatement") {
    const condition = conditionOf(node);
    return condition === null ? null : isConstant(reader, condition);
  }
  if (node.name === "AssignmentExpression" && /^process\.exitCode\s*=\s*[^=]/.test(textOf(script.source, node))) {
    const condition = conditionOf(node);
    return /=\s*0$/.test(textOf(script.source, node)) ? null : condition !== null && isConstant(reader, condition);
  }
  // `expect(a).to.be.true` is no call.
  if (node.name === "MemberExpression" && node.parent?.name === "ExpressionStatement") return judgeProperty(script, reader, node);
  const call = readCall(script.source, node);
  if (call === null || node.name === "NewExpression") return null;
  if (isExit(call)) {
    const condition = conditionOf(node);
    return condition === null ? null : isConstant(reader, condition);
  }
  if (isExpectation(call)) return isOutermost(node) ? isConstantExpectation(reader, call, marks.name) : null;
  return isAssertion(call, marks) ? isConstantCall(reader, call, marks.name) : null;
}

function judgeProperty(script: Script, reader: ConstantReader, node: Node): boolean | null {
  const inner = [...walk(node)]
    .map((one) => readCall(script.source, one))
    .find((call) => call !== null && call.chain.length === 1 && /^(expect|should)$/.test(call.chain[0] ?? ""));
  if (inner) return inner.args[0] !== undefined && isConstant(reader, inner.args[0].value);
  return /\.should\b/.test(textOf(script.source, node)) ? false : null;
}

/** The condition that a throw depends on: the nearest `if` around it, or none. */
function conditionOf(node: Node): Node | null {
  for (const outer of around(node)) {
    if (isFunction(outer)) return null;
    if (outer.name === "IfStatement") return childOf(outer, "ParenthesizedExpression");
  }
  return null;
}

function isExit(call: Call): boolean {
  return call.chain.join(".") === "process.exit" && call.args[0] !== undefined && call.args[0].value.name === "Number";
}

function isExpectation(call: Call): boolean {
  const [root = "", next = ""] = call.chain;
  if (!/^(expect|expectTypeOf|assertType|should)$/.test(root))
    return call.chain.slice(1).some((word) => word === "should" || word === "expect");
  if (/^(fail|unreachable)$/.test(next)) return true;
  return call.first !== null && call.chain.length > 1 && !/^(assertions|hasAssertions|extend|addSnapshotSerializer)$/.test(next);
}

/** Not the calls inside a longer chain of the same expectation. */
function isOutermost(node: Node): boolean {
  return !(
    node.parent?.name === "MemberExpression" &&
    node.parent.parent?.name === "CallExpression" &&
    node.parent.parent.children[0] === node.parent
  );
}

function isAssertion({ chain, first }: Call, marks: Pick<Marks, "context" | "assertNames">): boolean {
  const [root = "", next = ""] = chain;
  if (root === "console") return false;
  if (chain.includes("assert") || (chain.length === 1 && marks.assertNames.has(root))) return first === null;
  if (root === "fail" && chain.length === 1) return true;
  if (chain.length > 1 && marks.assertNames.has(root) && root !== "vi") return contextMembers.test(next) || bare.test(next);
  return (root === marks.context || root === "t" || root === "tap") && chain.length === 2 && contextMembers.test(next) && next !== "pass";
}

function isConstantCall(reader: ConstantReader, { chain, args }: Call, name: string): boolean {
  const word = chain.at(-1) ?? "";
  if (/^(fail|pass|unreachable|plan)$/.test(word)) return false;
  const [left, right] = args.map(({ value }) => stripped(value));
  if (left === undefined) return false;
  if (/^(assert|ok|notOk|true|truthy|false|falsy|isTrue|isFalse|ifError|error|is[A-Z]\w*|exists|isOk|doesNotThrow|throws)$/.test(word)) {
    return isConstant(reader, left);
  }
  return right !== undefined && ((isConstant(reader, left) && isConstant(reader, right)) || isSame(reader, left, right, word, name));
}

/** A value with itself. Where it is computed twice, the test's name may say that this is what it is about. */
function isSame({ source }: ConstantReader, left: Node, right: Node, word: string, name: string): boolean {
  if (isSameValue(source, left, right)) return true;
  return (
    /^(?!not)/.test(word) && !saysTwice.test(name) && left.name === "CallExpression" && flatText(source, left) === flatText(source, right)
  );
}

function isConstantExpectation(reader: ConstantReader, { chain, args, first }: Call, name: string): boolean {
  const [value] = first?.args.map((one) => stripped(one.value)) ?? [];
  if (value === undefined || /^(fail|unreachable)$/.test(chain[1] ?? "") || !/^(expect|should)$/.test(chain[0] ?? "")) return false;
  const isEveryConstant = args.every((one) => isConstant(reader, one.value));
  if (isConstant(reader, value) && isEveryConstant) return true;
  const [other] = args.map((one) => stripped(one.value));
  const word = chain.includes("not") ? "not" : (chain.at(-1) ?? "");
  return (
    other !== undefined &&
    /^(toBe|toEqual|toStrictEqual|toMatchObject|equal|eql|eq|is)$/.test(word) &&
    isSame(reader, value, other, word, name)
  );
}

/** Names that a module of assertions gave the file. */
export function importedAssertions({ source, nodes }: Script): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of nodes) {
    if (node.name !== "ImportDeclaration" && node.name !== "VariableDeclaration") continue;
    const module = [...walk(node)].find(({ name }) => name === "String");
    const text = textOf(source, node);
    if (module === undefined || !assertionModules.test(textOf(source, module).slice(1, -1))) continue;
    if (node.name === "VariableDeclaration" && !/\brequire\(/.test(text)) continue;
    for (const { name, from, to } of walk(node)) {
      const word = source.text.slice(from, to);
      if (
        name === "VariableDefinition" &&
        (bare.test(word) || node.children.some((child) => child.name === "VariableDefinition" && child.from === from))
      )
        names.add(word);
    }
  }
  for (const word of ["test", "it", "describe", "vi", "jest", "expect", "tap", "t"]) names.delete(word);
  return names;
}

/** `const right = true`: values that can change are not taken. */
function constantNames({ source }: Script, body: Node): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of walk(body)) {
    if (node.name !== "VariableDeclaration" || node.children[0]?.name !== "const") continue;
    node.children.forEach((child, at) => {
      const [equals, value] = [node.children[at + 1], node.children[at + 2]];
      if (child.name !== "VariableDefinition" || equals?.name !== "Equals" || value === undefined) return;
      if (/^(Number|String|BooleanLiteral|null|UnaryExpression)$/.test(value.name) && isConstant({ source, names }, value))
        names.add(textOf(source, child));
    });
  }
  return names;
}

function isRepeated(script: Script, node: Node, body: Node): boolean {
  for (const outer of around(node, body.parent)) {
    if (loops.test(outer.name)) return true;
    const call = outer.name === "CallExpression" ? readCall(script.source, outer) : null;
    if (call !== null && repeaters.test(call.chain.at(-1) ?? "") && call.args.some(({ value }) => isFunction(value))) return true;
  }
  return false;
}

/** A call of something that says by its name that it checks, of a function of this file that asserts, or of one that is given the test's context. */
function callsAChecker(script: Script, node: Node, test: TestBody, marks: Pick<Marks, "context" | "assertNames">): boolean {
  const call = node.name === "CallExpression" ? readCall(script.source, node) : null;
  if (call === null || call.chain[0] === "console") return false;
  if (call.chain.length === 1 && /^(expect|should)$/.test(call.chain[0] ?? "")) return false;
  const word = call.chain.at(-1) ?? "";
  if (
    namesThatCheck.test(word) ||
    call.args.some(({ value }) => value.name === "VariableName" && textOf(script.source, value) === marks.context && marks.context !== "")
  )
    return true;
  const local = call.chain.length === 1 ? test.file.functions.get(word) : undefined;
  if (local === undefined || local === test.callback) return false;
  return [...walk(local)].some((inner) => {
    const nested = readCall(script.source, inner);
    return (
      inner.name === "ThrowStatement" ||
      (nested !== null && (isExpectation(nested) || isAssertion(nested, marks) || namesThatCheck.test(nested.chain.at(-1) ?? "")))
    );
  });
}
