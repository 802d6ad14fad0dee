/** Modules that a script asks for, where it ends the process, and where it asks whether it is being tested. */
import type { SourceFacts } from "../../core/integrity/source.ts";
import type { Script } from "./javascript.ts";
import { isFunction } from "./javascript-statements.ts";
import { around, childOf, readCall, textOf, walk } from "./nodes.ts";
import type { Node } from "./tree.ts";

const variables = /^(NODE_TEST_CONTEXT|VITEST|VITEST_\w+|JEST_WORKER_ID|MOCHA\w*|AVA_\w+|TAP|TAP_CHILD_ID)$/;
/** What a program may leave out while it is tested, without answering otherwise. */
const beginnings = /^(listen|start|serve|main|run|log|info|warn|debug|error)$/;

export function readImports(script: Script): SourceFacts["imports"] {
  const found: { module: string; line: number }[] = [];
  for (const node of script.nodes) {
    const name = moduleOf(script, node);
    if (name !== null) found.push({ module: textOf(script.source, name).slice(1, -1), line: script.lineOf(node.from) });
  }
  return found;
}

function moduleOf({ source }: Script, node: Node): Node | null {
  if (node.name === "ImportDeclaration" || node.name === "ExportDeclaration" || node.name === "DynamicImport")
    return node.children.findLast(({ name }) => name === "String") ?? null;
  const call = readCall(source, node);
  const [first] = call?.args ?? [];
  if (call === null || first === undefined || first.value.name !== "String") return null;
  const name = call.chain.join(".");
  const isModule = /^(require|require\.resolve|vi\.importActual|jest\.requireActual|import\.meta\.resolve|URL|Worker|fork)$/.test(name);
  return isModule && (name !== "URL" || call.args.length > 1) ? first.value : null;
}

export function readExits(script: Script): SourceFacts["exits"] {
  const found: { line: number; isSettled: boolean }[] = [];
  for (const node of script.nodes) {
    const call = node.name === "CallExpression" ? readCall(script.source, node) : null;
    const isCall =
      call !== null &&
      /^(process\.exit|process\.reallyExit|Deno\.exit|exit)$/.test(call.chain.join(".")) &&
      isZero(script, call.args[0]?.value);
    const isCode = node.name === "AssignmentExpression" && /^process\.exitCode\s*=\s*(0|undefined)$/.test(textOf(script.source, node));
    if ((isCall && (call.chain.length > 1 || importsExit(script))) || isCode)
      found.push({ line: script.lineOf(node.from), isSettled: isSettled(script, node) });
  }
  return found;
}

/** Statements stand behind it that it cuts off, or it is for the end of the process. */
function isSettled({ source }: Script, node: Node): boolean {
  const statement = node.parent;
  const rest = statement?.parent?.children.slice(statement.parent.children.indexOf(statement) + 1) ?? [];
  if (
    /^(Script|Block)$/.test(statement?.parent?.name ?? "") &&
    rest.some(({ name }) => /^(Expression|If|Try|For|Throw)Statement$/.test(name))
  )
    return true;
  return [...around(node)].some((outer) => {
    const call = readCall(source, outer);
    const event = call?.args[0]?.value;
    return (
      call !== null &&
      event !== undefined &&
      /^process\.(on|once|prependListener)$/.test(call.chain.join(".")) &&
      /^["'](exit|beforeExit)["']$/.test(textOf(source, event))
    );
  });
}

function isZero({ source }: Script, node: Node | undefined): boolean {
  return node === undefined || textOf(source, node) === "0";
}

function importsExit({ source }: Script): boolean {
  return /\{[^}]*\bexit\b[^}]*\}\s*(=|from)[^;\n]*process/.test(source.text);
}

export function readTestQuestions(script: Script): SourceFacts["testQuestions"] {
  const lines = new Set<number>();
  for (const node of script.nodes) {
    if (asksForTest(script, node) && !startsTheProgram(script, node)) lines.add(script.lineOf(node.from));
  }
  return [...lines].map((line) => ({ line }));
}

function asksForTest({ source }: Script, node: Node): boolean {
  const text = () => textOf(source, node);
  switch (node.name) {
    case "MemberExpression":
      return isEnvironment(source.text, node) && variables.test(/\w+(?=["'`]?\]?$)/.exec(text())?.[0] ?? "");
    case "PropertyDefinition":
    case "PatternProperty":
      return variables.test(text().split(/\W/)[0] ?? "") && /=\s*process\.env\b/.test(textAfter(source.text, node));
    case "BinaryExpression":
      return (
        isComparison(text()) ||
        (/^["'][A-Z_]+["']\s+in\s+process\.env$/.test(text()) && variables.test(text().slice(1).split(/["']/)[0] ?? ""))
      );
    case "UnaryExpression":
      return false;
    case "CallExpression":
      return isSearch(text());
    default:
      return false;
  }
}

function isEnvironment(text: string, node: Node): boolean {
  return /^(globalThis\.)?(process\.env|import\.meta\.env|env|Bun\.env)\b/.test(text.slice(node.from, node.to));
}

function textAfter(text: string, node: Node): string {
  return text.slice(node.to, node.to + 80).split("\n")[0] ?? "";
}

function isComparison(text: string): boolean {
  if (text.length > 300) return false;
  if (/^process\.env\.?\[?["']?(NODE_ENV|npm_lifecycle_event|npm_command)["']?\]?\s*[!=]==?\s*["']tests?["']$/.test(text)) return true;
  if (/^["']tests?["']\s*[!=]==?\s*process\.env\.(NODE_ENV|npm_lifecycle_event|npm_command)$/.test(text)) return true;
  return /^typeof (globalThis\.)?(describe|it|test|jest|vi|vitest|mocha|beforeEach|afterEach)\s*[!=]==?\s*["'](undefined|function|object)["']$/.test(
    text,
  );
}

/** Looks for a runner in the arguments, or in a stack. */
function isSearch(text: string): boolean {
  if (text.length > 300) return false;
  return (
    (/^process\.(argv|execArgv|argv\d?\S*)/.test(text) &&
      /["'/`](--test|node:test|vitest|jest|mocha|\.?(test|spec)\.?\w*)["'/`)]/.test(text)) ||
    (/\bstack\b/.test(text) &&
      /\.(includes|match|test|search|indexOf)\(/.test(text) &&
      /(node:test|vitest|jest|mocha|\btests?\b|\bspec\b|__tests__)/.test(text))
  );
}

/** `if (NODE_ENV !== "test") app.listen(…)`: the program is not started for its tests, and says nothing else because of them. */
function startsTheProgram({ source }: Script, node: Node): boolean {
  const statement = [...around(node)].find((outer) => outer.name === "IfStatement" || isFunction(outer));
  if (statement?.name !== "IfStatement" || childOf(statement, "else") !== null) return false;
  const body = statement.children.at(-1);
  if (body === undefined || node.from >= body.from) return false;
  const calls = [...walk(body)].filter(({ name }) => name === "CallExpression").map((call) => readCall(source, call)?.chain.at(-1) ?? "");
  const isOther = [...walk(body)].some(({ name }) => /^(ReturnStatement|ThrowStatement|AssignmentExpression)$/.test(name));
  return calls.some((name) => beginnings.test(name)) && !isOther;
}
