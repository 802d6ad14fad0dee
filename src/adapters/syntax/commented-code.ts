/** Tells code that was made a comment from words: it parses, and does something that prose does not. */
import type { Parser } from "@lezer/common";
import { childOf, partsOf, walk } from "./nodes.ts";
import { type Node, parseText, type Source } from "./tree.ts";

/** Files may hold thousands of comments; the first ones of a body tell. */
const most = { comments: 200, characters: 20_000 };
const telling =
  /^(CallExpression|AssignmentExpression|AssignStatement|UpdateStatement|ReturnStatement|IfStatement|AssertStatement|ThrowStatement|RaiseStatement|VariableDeclaration|ForStatement|WithStatement)$/;

/** Whether code that was made a comment stands below the nodes. */
export function hasCommentedCode(parser: Parser, source: Source, comments: readonly Node[]): boolean {
  const groups = groupLines(source, comments.slice(0, most.comments));
  return groups.some((lines) => looksLikeCode(parser, lines.join("\n")) || lines.some((line) => looksLikeCode(parser, line)));
}

/** Comments of single lines that follow each other are one text. */
function groupLines(source: Source, comments: readonly Node[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let end = -1;
  for (const comment of comments) {
    const text = source.text.slice(comment.from, comment.to);
    const isNext = end !== -1 && /^\r?\n?[ \t]*$/.test(source.text.slice(end, comment.from));
    if (text.startsWith("/**")) continue;
    const lines = text.startsWith("/*")
      ? text
          .slice(2, -2)
          .replace(/^[ \t]*\*/gm, "")
          .split("\n")
      : [text.replace(/^(\/\/+|#+)/, "")];
    const last = groups.at(-1);
    if (isNext && last !== undefined) last.push(...lines);
    else groups.push([...lines]);
    end = comment.to;
  }
  return groups.map(dedent);
}

function dedent(lines: readonly string[]): readonly string[] {
  const filled = lines.filter((line) => line.trim() !== "");
  const depth = Math.min(...filled.map((line) => line.length - line.trimStart().length));
  return filled.map((line) => line.slice(depth).trimEnd());
}

function looksLikeCode(parser: Parser, text: string): boolean {
  if (text.trim().length < 4 || text.length > most.characters || !/[(=.;]/.test(text)) return false;
  const parsed = parseText(parser, `${text}\n`);
  if (parsed.kind === "broken" || childOf(parsed.source.root, "LabeledStatement") !== null) return false;
  for (const node of walk(parsed.source.root)) if (telling.test(node.name) && isNoProse(node)) return true;
  return false;
}

/** `return early` and `assert nothing` parse too. */
function isNoProse(node: Node): boolean {
  if (!/^(ReturnStatement|AssertStatement|ThrowStatement|RaiseStatement|AssignStatement)$/.test(node.name)) return true;
  const parts = partsOf(node).slice(1);
  return parts.some(({ name }) => name !== "VariableName" && name !== "TypeDef");
}
