/** Modules that Python code asks for, where it ends the process, and where it asks whether it is being tested. */
import type { SourceFacts } from "../../core/integrity/source.ts";
import { around, readCall, textOf } from "./nodes.ts";
import type { Module } from "./python.ts";
import type { Node } from "./tree.ts";

export function readImports(module: Module): SourceFacts["imports"] {
  const found: { module: string; line: number }[] = [];
  for (const node of module.nodes) {
    for (const name of modulesOf(module, node)) found.push({ module: name, line: module.lineOf(node.from) });
  }
  return found;
}

/** `from a import b` asks for a, and perhaps for a.b. */
export function modulesOf({ source }: Module, node: Node): readonly string[] {
  if (node.name === "ImportStatement") {
    const text = textOf(source, node).replace(/\\\r?\n/g, " ");
    const from = /^from\s+([.\w\s]+?)\s+import\s+([\s\S]*)$/.exec(text);
    if (from === null) return namesIn(text.replace(/^import\s+/, ""));
    const base = (from[1] ?? "").replace(/\s/g, "");
    const members = namesIn(from[2] ?? "").filter((name) => name !== "*");
    return [base, ...members.map((name) => (base.endsWith(".") ? `${base}${name}` : `${base}.${name}`))];
  }
  const call = node.name === "CallExpression" ? readCall(source, node) : null;
  const [first] = call?.args ?? [];
  if (
    call === null ||
    first?.value.name !== "String" ||
    !/^(importlib\.import_module|import_module|__import__|runpy\.run_module)$/.test(call.chain.join("."))
  )
    return [];
  return [textOf(source, first.value).replace(/^["']|["']$/g, "")];
}

function namesIn(list: string): readonly string[] {
  return list
    .replace(/[()]|#[^\n]*/g, " ")
    .split(",")
    .map(
      (part) =>
        part
          .trim()
          .split(/\s+as\s+/)[0]
          ?.trim() ?? "",
    )
    .filter((name) => name !== "");
}

export function readExits(module: Module): SourceFacts["exits"] {
  return module.nodes
    .filter((node) => isExit(module, node))
    .map((node) => ({ line: module.lineOf(node.from), isSettled: isSettled(module, node) }));
}

/** Statements stand behind it that it cuts off, or it is for the end of the process. */
function isSettled({ source }: Module, node: Node): boolean {
  const statement = node.parent;
  const rest = statement?.parent?.children.slice(statement.parent.children.indexOf(statement) + 1) ?? [];
  if (
    /^(Script|Body)$/.test(statement?.parent?.name ?? "") &&
    rest.some(({ name }) => /^(Expression|Assert|If|For|With|Try)Statement$/.test(name))
  )
    return true;
  return [...around(node)].some((outer) => readCall(source, outer)?.chain.join(".") === "atexit.register");
}

function isExit({ source }: Module, node: Node): boolean {
  const call = node.name === "CallExpression" ? readCall(source, node) : null;
  if (call === null) return false;
  const [first] = call.args;
  const isZero = first === undefined || /^(0|None|os\.EX_OK)$/.test(textOf(source, first.value));
  return isZero && /^(sys\.exit|os\._exit|exit|quit|_exit|SystemExit)$/.test(call.chain.join("."));
}

const searched = /["'](unittest|pytest|_pytest|nose2?|PYTEST_CURRENT_TEST|PYTEST_VERSION)\b/;

export function readTestQuestions(module: Module): SourceFacts["testQuestions"] {
  const lines = new Set<number>();
  for (const node of module.nodes) if (asksForTest(module, node)) lines.add(module.lineOf(node.from));
  return [...lines].map((line) => ({ line }));
}

function asksForTest({ source }: Module, node: Node): boolean {
  if (!/^(BinaryExpression|CallExpression|MemberExpression)$/.test(node.name)) return false;
  const text = textOf(source, node);
  if (text.length > 300) return false;
  if (node.name === "BinaryExpression") {
    return (
      searched.test(text) &&
      /\bin\s+(sys\.(modules|argv)|os\.environ|environ)|sys\.argv\s*\[|sys\._getframe|\.f_code|\bstack\(\)|__name__/.test(text)
    );
  }
  if (node.name === "CallExpression") {
    if (/^(os\.(environ\.get|getenv)|environ\.get|getenv)\(\s*["']PYTEST_/.test(text)) return true;
    return searched.test(text) && /^sys\.(modules\.get|argv\S*\.(endswith|startswith|count|index))\(/.test(text);
  }
  return /^(os\.)?environ\[\s*["']PYTEST_/.test(text) || /^sys\.modules\[\s*["'](pytest|unittest)/.test(text);
}
