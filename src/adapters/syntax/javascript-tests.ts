/** Tests of node:test, vitest, jest, mocha and their kin, and of small runners of a project's own. */
import type { TestFacts } from "../../core/integrity/source.ts";
import { looksLikeTestFile } from "../../core/integrity/test-files.ts";
import { hasCommentedCode } from "./commented-code.ts";
import { emptyLists } from "./empty-lists.ts";
import type { Script } from "./javascript.ts";
import { importedAssertions, readAssertions, type TestFileNames } from "./javascript-assertions.ts";
import { bodyOf, countStatements, isFunction, namedFunctions } from "./javascript-statements.ts";
import { around, type Call, isInside, readCall, textOf, walk } from "./nodes.ts";
import { bodyText, timesOf } from "./test-twins.ts";
import type { Node } from "./tree.ts";

const testWords = /^[xf]?(test|it|specify)$/;
const groupWords = /^[xf]?(describe|suite|context)$/;
const skipWords = /^(skip|todo|fixme|skipIf|runIf)$|^x(test|it|specify|describe|suite|context)$/;
/** Functions that take a text and a function and are no test. */
const others =
  /^(before|after|beforeEach|afterEach|beforeAll|afterAll|setTimeout|setInterval|expect|assert|require|on|once|addEventListener|describe.*|suite|context|group|section)$/;

interface Found {
  readonly call: Call;
  readonly kind: "test" | "group";
}

export function readTests(script: Script): readonly TestFacts[] {
  const found = script.nodes.flatMap((node) => classify(script, node));
  const groups = found.filter(({ kind }) => kind === "group");
  const file = {
    functions: namedFunctions(script),
    assertions: importedAssertions(script),
    emptyLists: emptyLists(script.source, script.nodes),
  };
  return withoutOwnGroups(found).map(({ call }) => readTest(script, call, groups, file));
}

function classify(script: Script, node: Node): readonly Found[] {
  if (node.name !== "CallExpression") return [];
  const call = readCall(script.source, node);
  if (call === null || call.chain.length === 0) return [];
  const [root = ""] = call.chain;
  const last = call.chain.at(-1) ?? "";
  const hasFunction = call.args.some(({ value }) => isFunction(value) || value.name === "VariableName");
  const isTitled = call.args[0] !== undefined && isTitle(call.args[0].value);
  const isEachTable = call.first === null && node.children[0]?.name !== "TaggedTemplateExpression" && /^(each|for)$/.test(last);
  if (isEachTable) return [];
  const isKnown = testWords.test(root) || groupWords.test(root);
  if (
    isKnown &&
    (hasFunction || (isTitled && call.chain.some((word) => /^(skip|todo|only)$/.test(word))) || (isTitled && call.args.length === 1))
  ) {
    if (call.chain.some((word) => groupWords.test(word))) return [{ call, kind: "group" }];
    return isTitled || call.args.some(({ value }) => isFunction(value)) ? [{ call, kind: "test" }] : [];
  }
  const ownFunction = call.args.some(({ value }) => isFunction(value));
  if (call.chain.length > 1 && testWords.test(last) && isTitled && ownFunction) return [{ call, kind: "test" }];
  return isOwnRunner(script, call, ownFunction && isTitled) ? [{ call, kind: "test" }] : [];
}

function isTitle(node: Node): boolean {
  return node.name === "String" || node.name === "TemplateString" || node.name === "BinaryExpression";
}

function isOwnRunner(script: Script, call: Call, isShaped: boolean): boolean {
  const [name = ""] = call.chain;
  if (
    !isShaped ||
    call.chain.length !== 1 ||
    call.first !== null ||
    name === "" ||
    others.test(name) ||
    call.args.length !== 2 ||
    !looksLikeTestFile(script.path)
  )
    return false;
  const statement = call.node.parent;
  return statement?.name === "ExpressionStatement" || statement?.name === "AwaitExpression";
}

/** A call that holds tests of a runner of the project's own is a group; what stands in a test is a part of it, unless it is a subtest. */
function withoutOwnGroups(found: readonly Found[]): readonly Found[] {
  const tests = found.filter(({ kind }) => kind === "test");
  const isKnown = ({ call }: Found) => call.chain.some((word) => testWords.test(word));
  return tests.filter((one) => {
    if (isKnown(one)) return true;
    return !tests.some(
      (other) =>
        other !== one && (isInside(other.call.node, one.call.node) || (isKnown(other) && isInside(one.call.node, other.call.node))),
    );
  });
}

function readTest(script: Script, call: Call, groups: readonly Found[], file: TestFileNames): TestFacts {
  const { source, lineOf } = script;
  const groupsAround = groups.filter((group) => group.call.node !== call.node && isInside(call.node, group.call.node));
  const name = [...groupsAround.map((group) => titleOf(script, group.call)), titleOf(script, call)]
    .filter((part) => part !== "")
    .join(" > ");
  const given = call.args
    .map(({ value }) => value)
    .filter((value) => isFunction(value) || value.name === "VariableName")
    .at(-1);
  const callback = given?.name === "VariableName" ? file.functions.get(textOf(source, given)) : given;
  const body = callback === undefined ? null : bodyOf(callback);
  const isSkipped = [call, ...groupsAround.map((group) => group.call)].some((one) => isSkippedCall(script, one)) || given === undefined;
  const facts = {
    name,
    line: lineOf(call.node.from),
    endLine: lineOf(call.node.to),
    isSkipped: isSkipped || (body !== null && skipsItself(script, body)),
  };
  if (body === null || callback === undefined)
    return {
      ...{ ...facts, statements: given === undefined ? 0 : 1, hasCommentedCode: false, assertions: [], mayAssertElsewhere: true },
      ...{ body: "", times: 1 },
    };
  // A function that has a name is used by several tests on purpose.
  const text = given === callback ? bodyText(source, [callback]) : "";
  const comments = [...walk(body)].filter((node) => node.name === "LineComment" || node.name === "BlockComment");
  return {
    ...facts,
    statements: countStatements(script, body),
    hasCommentedCode: hasCommentedCode(script.parser, source, comments),
    body: text,
    times: text === "" ? 1 : timesOf(source, call, text),
    ...readAssertions(script, { callback, body, name, file, isTable: call.chain.some((word) => /^(each|for|prop)$/.test(word)) }),
  };
}

/** What stands around it holds names too: the title of a test in a loop is its text. */
function titleOf(script: Script, call: Call): string {
  const title = call.args[0]?.value;
  if (title === undefined || !isTitle(title)) return "";
  const text = textOf(script.source, title);
  return title.name === "BinaryExpression" ? text : text.slice(1, -1);
}

function isSkippedCall({ source }: Script, call: Call): boolean {
  if (call.chain.some((word) => skipWords.test(word))) return true;
  const options = call.args.find(({ value }) => value.name === "ObjectExpression");
  return options !== undefined && /\b(skip|todo)\s*:(?!\s*false\b)/.test(textOf(source, options.value));
}

/** `t.skip()` as a statement of the test's own. */
function skipsItself({ source }: Script, body: Node): boolean {
  return body.children.some((statement) => {
    const call =
      statement.name === "ExpressionStatement" && statement.children[0] !== undefined ? readCall(source, statement.children[0]) : null;
    return (
      call !== null &&
      /^(skip|todo|pending)$/.test(call.chain.at(-1) ?? "") &&
      ![...around(call.node, body)].some(({ name }) => name === "IfStatement")
    );
  });
}
