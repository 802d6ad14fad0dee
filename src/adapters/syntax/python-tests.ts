/** Tests of unittest and pytest. */
import type { TestFacts } from "../../core/integrity/source.ts";
import { looksLikeTestFile } from "../../core/integrity/test-files.ts";
import { emptyLists } from "./empty-lists.ts";
import { around, childOf, partsOf, readCall, textOf, walk } from "./nodes.ts";
import type { Module } from "./python.ts";
import { readAssertions, type TestBody } from "./python-assertions.ts";
import { bodyHasCommentedCode, countStatements, decoratorsOf, nameOfDefinition, reached } from "./python-statements.ts";
import { bodyText } from "./test-twins.ts";
import type { Node } from "./tree.ts";

const skips = /^@(unittest\.)?(skip|expectedFailure)|^@pytest\.mark\.(skip|xfail)|^@mark\.(skip|xfail)/;

/** Whether a definition is a test: by its name and by where it stands. */
export function isTest(module: Module, node: Node): boolean {
  if (node.name !== "FunctionDefinition" || !nameOfDefinition(module, node).startsWith("test")) return false;
  const outer = [...around(node)].find(({ name }) => name === "ClassDefinition" || name === "FunctionDefinition");
  if (outer === undefined) return looksLikeTestFile(module.path) && !decoratorsOf(module, node).some((one) => /fixture/.test(one));
  if (outer.name !== "ClassDefinition") return false;
  const bases = childOf(outer, "ArgList");
  const isCase = bases !== null && /Test/.test(textOf(module.source, bases));
  return isCase || (looksLikeTestFile(module.path) && /Test|Spec/.test(nameOfDefinition(module, outer)));
}

export function readTests(module: Module): readonly TestFacts[] {
  const functions = new Map(
    module.nodes.filter(({ name }) => name === "FunctionDefinition").map((node) => [nameOfDefinition(module, node), node]),
  );
  const file = { functions, emptyLists: emptyLists(module.source, module.nodes) };
  return module.nodes.filter((node) => isTest(module, node)).flatMap((node) => readTest(module, node, file));
}

function readTest(module: Module, node: Node, file: Pick<TestBody, "functions" | "emptyLists">): readonly TestFacts[] {
  const body = childOf(node, "Body");
  if (body === null) return [];
  const classes = [...around(node)].filter(({ name }) => name === "ClassDefinition").reverse();
  const name = [...classes, node].map((one) => nameOfDefinition(module, one)).join(" > ");
  const marks = [node, ...classes].flatMap((one) => decoratorsOf(module, one));
  const text = bodyText(module.source, partsOf(node).slice(-2));
  const isTable = marks.some((one) => /parametrize|given\b|expand\b|data\b/.test(one));
  return [
    {
      name,
      line: module.lineOf(node.from),
      endLine: lastLine(module, node),
      isSkipped: marks.some((one) => skips.test(one)) || skipsItself(module, body),
      statements: countStatements(body),
      hasCommentedCode: bodyHasCommentedCode(module, node, body),
      body: isTable || text === "" ? "" : [...marks, text].join(" "),
      times: 1,
      ...readAssertions(module, { ...file, node, body, isTable }),
    },
  ];
}

/** The node of a body reaches to the line break behind it. */
export function lastLine(module: Module, node: Node): number {
  const text = textOf(module.source, node);
  return module.lineOf(node.from + Math.max(0, text.trimEnd().length - 1));
}

function skipsItself(module: Module, body: Node): boolean {
  return reached(body).some((statement) => {
    const first = statement.name === "ExpressionStatement" ? statement.children[0] : undefined;
    const raised = statement.name === "RaiseStatement" ? [...walk(statement)].find(({ name }) => name === "CallExpression") : undefined;
    const call = first === undefined ? null : readCall(module.source, first);
    return (
      /^(self\.skipTest|pytest\.(skip|xfail))$/.test(call?.chain.join(".") ?? "") ||
      (raised !== undefined && /SkipTest/.test(textOf(module.source, raised)))
    );
  });
}
