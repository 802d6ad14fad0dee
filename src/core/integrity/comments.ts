/** Words that a criterion looks for and that stand in comments alone: docs/spec/criteria.md, "The rules" (A). */
import type { Criterion } from "../criteria/criterion.ts";
import { type Change, type TaskWords, wordsOf } from "./change.ts";
import { type Finding, refuse } from "./finding.ts";

/** A person may well want a comment: a head of a file, a mark for a tool, a word of explanation. */
const aboutComments =
  /comment|docstring|jsdoc|\bdocument|\bdocs?\b|explain|describ|annotat|licen[cs]e|copyright|header|marker|\bTODO\b|spdx|note\b|pragma|coment|licen[çc]a|explic|descrev|cabe[çc]alho|anota/i;
/** The wanted words are a comment themselves, or a mark in one. */
const isComment = /#|\/\/|\/\*|\*\/|<!--|-->|--|@\w|;;|%%|\b(?:TODO|FIXME|SPDX|Copyright|License)\b/i;
/** Words with the shape of code: a call, an assignment, a definition. */
const isCode =
  /[\w\])]\s*\(|[={}]|=>|^\s*(?:export|import|function|def|class|const|let|var|fn|func|async|public|private|static|interface|type|enum|struct)\s/;

const lineComment: readonly (readonly [path: RegExp, comment: RegExp])[] = [
  [/\.(?:py|pyi|sh|bash|zsh|rb|pl|r|toml|ya?ml|ini|cfg|conf|tf|mk)$|(?:^|\/)(?:[Mm]akefile|Dockerfile|[Jj]ustfile)$/, /^\s*#/],
  [/\.(?:[cm]?[jt]sx?|go|rs|java|kt|swift|c|cc|cpp|h|hpp|cs|scala|dart|php|css|scss|less|proto)$/, /^\s*\/\//],
  [/\.(?:sql|lua|hs|elm)$/, /^\s*--/],
];
const blocks: readonly (readonly [path: RegExp, open: string, close: string])[] = [
  [/\.(?:[cm]?[jt]sx?|go|rs|java|kt|swift|c|cc|cpp|h|hpp|cs|scala|dart|php|css|scss|less|proto|sql)$/, "/*", "*/"],
  [/\.(?:md|mdx|markdown|html?|xml|svg|vue|svelte)$/, "<!--", "-->"],
];
/** Marks for tools are one word. */
const isSentence = /\w\s+\w/;
const page = /\.(?:md|mdx|markdown|html?)$/;

export function judgeWords(changes: readonly Change[], task: TaskWords, criteria: readonly Criterion[]): readonly Finding[] {
  if (aboutComments.test(wordsOf(task))) return [];
  return criteria.flatMap((criterion) => {
    if (criterion.kind !== "file" || criterion.expect.kind !== "contains") return [];
    const { needle } = criterion.expect;
    const change = changes.find(({ path }) => path === criterion.path.replace(/^\.\//, ""));
    if (change?.after == null || isComment.test(needle) || !(page.test(change.path) ? isSentence : isCode).test(needle)) return [];
    if (change.before?.includes(needle) === true || withoutComments(change.path, change.after).includes(needle)) return [];
    const line = change.after.slice(0, change.after.indexOf(needle)).split("\n").length;
    return [refuse("text-in-comment", change.path, line, `the words that are asked for stand in a comment alone: ${criterion.text}`)];
  });
}

/**
 * The text without lines that are comments as a whole, and without blocks that begin a line: nothing else is a comment for certain, since `//` and `#` stand in
 * texts too. A language that is not known has none.
 */
function withoutComments(path: string, text: string): string {
  const comment = lineComment.find(([paths]) => paths.test(path))?.[1];
  const block = blocks.find(([paths]) => paths.test(path));
  const kept: string[] = [];
  let isInside = false;
  for (const line of text.split("\n")) {
    const rest = block === undefined ? line : outside(line, block, isInside);
    if (block !== undefined) isInside = staysInside(line, block, isInside);
    if (comment?.test(rest) !== true) kept.push(rest);
  }
  return kept.join("\n");
}

function outside(line: string, [, open, close]: readonly [RegExp, string, string], isInside: boolean): string {
  if (!isInside && !line.trimStart().startsWith(open)) return line;
  const end = line.indexOf(close, isInside ? 0 : line.indexOf(open) + open.length);
  return end === -1 ? "" : line.slice(end + close.length);
}

function staysInside(line: string, [, open, close]: readonly [RegExp, string, string], isInside: boolean): boolean {
  if (!isInside && !line.trimStart().startsWith(open)) return false;
  return line.indexOf(close, isInside ? 0 : line.indexOf(open) + open.length) === -1;
}
