/** What is wrong with code that the change added or changed. */
import { type Finding, refuse, remark } from "./finding.ts";
import type { FunctionFacts } from "./source.ts";
import { isChanged, type ReadSource } from "./source-change.ts";
import { isTestFile } from "./test-files.ts";

export interface CodeChange {
  readonly sources: readonly ReadSource[];
  /** Values that stand in test files. */
  readonly testLiterals: ReadonlySet<string>;
  /** Title, objective, criteria and context of the task. */
  readonly taskText: string;
}

/** Too common to say that a function knows its tests. */
const everyday = /^(|-?[01]|true|false|True|False|null|None|undefined|\[\]|\{\}|\(\))$/;
const settings = /(^|\/)(conftest\.py|[^/]*\.config\.[cm]?[jt]s|[^/]*(setup|jest|vitest|karma|babel)[^/]*\.[cm]?[jt]s)$/i;
/** Lines from the question to the end of what it guards. */
const guarded = 5;

export function judgeCode(change: CodeChange): readonly Finding[] {
  const code = change.sources.filter(({ path, after }) => !isTestFile(path) && after.tests.length === 0);
  return [
    ...code.flatMap((source) => [...judgeFunctions(source, change), ...judgeQuestions(source)]),
    ...change.sources.flatMap(judgeBodies),
  ];
}

function judgeFunctions(source: ReadSource, change: CodeChange): readonly Finding[] {
  const earlier = source.before?.functions ?? [];
  return source.after.functions
    .filter((one) => isChanged(source, one, earlier) && isWrittenDown(one, change.testLiterals))
    .filter((one) => !earlier.some((old) => old.name === one.name && isWrittenDown(old, change.testLiterals)))
    .map((one) => {
      const pairs = told(one);
      const [first] = pairs;
      const text = `${one.name} gives back the answers of the tests (${first?.input} is ${first?.answer}) and has no other way to one`;
      const make = mayBeRight(pairs, change.taskText) ? remark : refuse;
      return make("answer-hard-coded", source.path, first?.line ?? one.line, text);
    });
}

function isWrittenDown(one: FunctionFacts, literals: ReadonlySet<string>): boolean {
  const pairs = told(one);
  const isTelling = pairs.some(({ input, answer }) => !/^(true|false)$/i.test(answer) || /\s|.{12}/.test(input));
  return !one.computes && isTelling && pairs.every((pair) => isAsked(pair, literals));
}

/** A text may hold several values of the tests: `{"width":3}`, `3,4`. Yes and no are not written in a test that asserts them, and prove less. */
function isAsked({ input, answer }: FunctionFacts["answers"][number], literals: ReadonlySet<string>): boolean {
  if (/^(true|false)$/i.test(answer)) return literals.has(input);
  const parts = /^[[{].*[\]}]$/.test(input) ? valuesIn(input) : input.split(/[,|;:]\s*/);
  return literals.has(answer) && (literals.has(input) || (parts.length > 1 && parts.every((part) => literals.has(part))));
}

function valuesIn(text: string): readonly string[] {
  // Keys are read too, so that their quotes are not taken for those of a value.
  const found = [...text.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?|-?\d+(?:\.\d+)?/g)];
  return found.flatMap(([all, quoted, colon]) => (colon === undefined ? [quoted ?? all] : []));
}

function told({ answers }: FunctionFacts): FunctionFacts["answers"] {
  return answers.filter(({ input, answer }) => !everyday.test(input) && !(everyday.test(answer) && everyday.test(input)));
}

/** Names of a closed set, options too, are what such a function is for, and so is a table that the task itself writes down. */
function mayBeRight(pairs: FunctionFacts["answers"], taskText: string): boolean {
  if (pairs.every(({ input }) => /^-{0,2}[A-Za-z][\w-]*$/.test(input))) return true;
  return pairs.length > 2 && pairs.every(({ input, answer }) => taskText.includes(input) && taskText.includes(answer));
}

function judgeQuestions({ path, before, after, added }: ReadSource): readonly Finding[] {
  if (settings.test(path)) return [];
  const questions = after.testQuestions.filter(({ line }) => added.has(line));
  if (questions.length === 0 || (before?.testQuestions.length ?? 0) >= after.testQuestions.length) return [];
  const exits = after.exits.filter(
    ({ line }) => added.has(line) && questions.some((question) => line >= question.line && line <= question.line + guarded),
  );
  return [
    ...questions.map(({ line }) => refuse("asks-for-test", path, line, "the code asks whether it runs under a test")),
    ...exits.map(({ line }) => refuse("exit-in-test", path, line, "the code ends the process with 0 when it runs under a test")),
  ];
}

function judgeBodies(source: ReadSource): readonly Finding[] {
  const earlier = source.before?.functions ?? [];
  return source.after.functions.flatMap((one) => {
    const old = earlier.find(({ name }) => name === one.name);
    if (!one.hasCommentedCode || old === undefined || old.hasCommentedCode || old.statements <= one.statements || old.statements === 0)
      return [];
    const isGone = one.statements === 0 || (old.computes && !one.computes && one.statements <= 1);
    const text = `the statements of ${one.name} became comments`;
    if (isGone) return [refuse("body-commented-out", source.path, one.line, text)];
    return one.statements * 2 <= old.statements ? [remark("body-commented-out", source.path, one.line, text)] : [];
  });
}
