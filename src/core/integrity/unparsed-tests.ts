/** Tests in languages that are not parsed, by their words: docs/spec/criteria.md, "The rules" (A). Rust keeps its tests beside the code. */
import { addedLines, type Change, shown, type TaskWords, uncommented, wordsOf } from "./change.ts";
import { type Finding, refuse, remark } from "./finding.ts";
import { isTestFile } from "./test-files.ts";

export function judgeUnparsed(changes: readonly Change[], task: TaskWords): readonly Finding[] {
  return [
    ...changes.flatMap((change) => [
      ...(isTestFile(change.path) ? exitsOfTests(change) : []),
      ...emptyTests(change),
      ...turnedTests(change),
    ]),
    ...fewerTests(changes, wordsOf(task)),
  ];
}

/** In languages that are not parsed: a process that ends with 0 is green, whatever its tests say. */
const goodEnds: readonly (readonly [path: RegExp, end: RegExp])[] = [
  [/\.go$/, /\bos\.Exit\s*\(\s*0\s*\)/],
  [/\.rs$/, /\bprocess::exit\s*\(\s*0\s*\)/],
  [/\.(?:java|kt|scala)$/, /\b(?:System\.exit|exitProcess)\s*\(\s*0\s*\)/],
  [/\.rb$/, /\bexit!?\s*\(?\s*(?:0|true)\b/],
  [/\.php$/, /\b(?:exit|die)\s*\(\s*0\s*\)/],
];

function exitsOfTests(change: Change): readonly Finding[] {
  const end = goodEnds.find(([path]) => path.test(change.path))?.[1];
  if (end === undefined) return [];
  return uncommented(addedLines(change), change.path)
    .filter(({ text }) => end.test(text))
    .map(({ line, text }) =>
      refuse("exit-in-test", change.path, line, `the test file ends the process with 0, whatever its tests say: ${shown(text)}`),
    );
}

/** A test of Go or Rust with nothing in it but blanks and comments. */
const bareTest =
  /^(?:func\s+(?:Test|Fuzz)\w*\s*\(\s*\w+\s+\*testing\.\w+\s*\)|[ \t]*#\[(?:tokio::)?test\]\s+(?:pub\s+)?(?:async\s+)?fn\s+\w+\s*\(\s*\))\s*\{(?:\s|\/\/[^\n]*\n)*\}/gm;

function emptyTests({ path, before, after }: Change): readonly Finding[] {
  if (after === null || !/\.(?:go|rs)$/.test(path)) return [];
  return [...after.matchAll(bareTest)]
    .filter(([text]) => before?.includes(text) !== true)
    .map(({ index }) => refuse("empty-test", path, lineAt(after, index), "the test has no statement"));
}

const rustTest = /^[ \t]*#\[(?:\w+::)?test\b[^\n]*\]/gm;
const takesAway = /remov|delet|drop|take out|unused|dead|clean|merg|replac|\btests?\b|apag|elimin|junt|testes/i;

/** Of Rust, tests that stand in a file of code: which were there is in its text alone. One that fails on the base is in no count of what passed. */
function fewerTests(changes: readonly Change[], words: string): readonly Finding[] {
  const rust = changes.filter(({ path }) => path.endsWith(".rs"));
  const count = (text: string | null) => [...(text ?? "").matchAll(rustTest)].length;
  const [before, after] = [rust.map((one) => count(one.before)), rust.map((one) => count(one.after))].map((counts) =>
    counts.reduce((sum, one) => sum + one, 0),
  );
  if (before === undefined || after === undefined || after >= before) return [];
  const place = rust.find((one) => count(one.after) < count(one.before));
  const make = takesAway.test(words) || rust.some(({ kind }) => kind === "removed") ? remark : refuse;
  return [make("tests-fewer", place?.path ?? null, null, `the changed files had ${before} tests, and now have ${after}`)];
}

/** A test of Rust that was there is left out now, or is to panic. */
function turnedTests({ path, before, after }: Change): readonly Finding[] {
  if (!path.endsWith(".rs") || before === null || after === null) return [];
  const old = new Set(markedTests(before).map(({ mark, name }) => `${mark} ${name}`));
  return markedTests(after)
    .filter(({ mark, name }) => !old.has(`${mark} ${name}`) && new RegExp(`\\bfn\\s+${name}\\b`).test(before))
    .map(({ mark, name, at }) => refuse("skip-added", path, lineAt(after, at), `the test ${name} was there without #[${mark}]`));
}

function markedTests(text: string): readonly { readonly mark: string; readonly name: string; readonly at: number }[] {
  return [...text.matchAll(/#\[(ignore|should_panic)\b[^\n]*\](?:\s*#\[[^\n]*\])*\s*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)/g)].map(
    ({ 1: mark = "", 2: name = "", index }) => ({ mark, name, at: index }),
  );
}

/** From 1. */
function lineAt(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}
