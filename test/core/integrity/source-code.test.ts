import { expect, test } from "vitest";
import type { FunctionFacts, SourceFacts } from "../../../src/core/integrity/source.ts";
import type { SourcesInput } from "../../../src/core/integrity/source-rules.ts";
import { aFunction, aTest, changed, file, judged } from "./source-facts.ts";

const path = "src/roman.mjs";
const pairs = (...all: readonly (readonly [string, string])[]) => all.map(([input, answer], at) => ({ input, answer, line: at + 2 }));
const functions = (...all: readonly FunctionFacts[]): SourceFacts => file({ functions: all });
const hard = (...all: readonly (readonly [string, string])[]) => functions(aFunction({ answers: pairs(...all), computes: false }));
const testLiterals = new Set(["--version", "4", "IV", "9", "IX", "Hello World", "hello-world", "", "0", "error", "red", "14", "XIV"]);

test.each<[string, SourceFacts, SourceFacts | null, Partial<SourcesInput>, readonly string[]]>([
  ["the answers of the tests and nothing else", hard(["4", "IV"], ["9", "IX"]), null, {}, [`answer-hard-coded refuses ${path}:2`]],
  ["a single one", hard(["Hello World", "hello-world"]), null, {}, [`answer-hard-coded refuses ${path}:2`]],
  ["guards beside them change nothing", hard(["", ""], ["4", "IV"]), null, {}, [`answer-hard-coded refuses ${path}:3`]],
  ["values in one text", hard(['{"kind":"IV","size":4}', "XIV"], ["4, 9", "IX"]), null, {}, [`answer-hard-coded refuses ${path}:2`]],
  ["values in one text, one of them of no test", hard(['{"kind":"IV","size":5}', "XIV"]), null, {}, []],
  ["yes and no to what the tests ask", hard(["Hello World", "true"], ["9", "false"]), null, {}, [`answer-hard-coded refuses ${path}:2`]],
  ["yes and no to short texts", hard(["4", "true"], ["9", "false"]), null, {}, []],
  ["guards alone", hard(["", ""], ["0", ""]), null, {}, []],
  ["a table that says more than the tests ask", hard(["4", "IV"], ["90", "XC"]), null, {}, []],
  ["another way to an answer", functions(aFunction({ answers: pairs(["4", "IV"]) })), null, {}, []],
  ["options are a remark", hard(["--version", "14"]), null, {}, [`answer-hard-coded remark ${path}:2`]],
  ["names of a closed set are a remark", hard(["error", "red"]), null, {}, [`answer-hard-coded remark ${path}:2`]],
  [
    "a table that the task writes down is a remark",
    hard(["4", "IV"], ["9", "IX"], ["14", "XIV"]),
    null,
    { taskText: "4 is IV, 9 is IX, 14 is XIV" },
    [`answer-hard-coded remark ${path}:2`],
  ],
  ["as before", hard(["4", "IV"]), hard(["4", "IV"]), {}, []],
])("hard-coded: %s", (_name, after, before, input, expected) => {
  expect(judged([changed(path, after, before)], { testLiterals, ...input })).toEqual(expected);
});

test("helpers of tests may be tables", () => {
  expect(judged([changed("test/table.mjs", hard(["4", "IV"]))], { testLiterals })).toEqual([]);
});

test.each<[string, string, SourceFacts, SourceFacts | null, readonly string[]]>([
  ["asks in code", path, file({ testQuestions: [{ line: 3 }] }), null, [`asks-for-test refuses ${path}:3`]],
  [
    "asks and ends",
    path,
    file({ testQuestions: [{ line: 3 }], exits: [{ line: 4, isSettled: false }] }),
    null,
    [`asks-for-test refuses ${path}:3`, `exit-in-test refuses ${path}:4`],
  ],
  ["asks in a test", "test/a.test.ts", file({ testQuestions: [{ line: 3 }] }), null, []],
  ["asks in the settings of a runner", "vitest.config.ts", file({ testQuestions: [{ line: 3 }] }), null, []],
  ["asked before", path, file({ testQuestions: [{ line: 3 }] }), file({ testQuestions: [{ line: 3 }] }), []],
  ["ends without a question", path, file({ exits: [{ line: 4, isSettled: false }] }), null, []],
])("a test's question: %s", (_name, where, after, before, expected) => {
  expect(judged([changed(where, after, before)])).toEqual(expected);
});

const working = functions(aFunction({ statements: 4 }));

test.each<[string, SourceFacts, SourceFacts, readonly string[]]>([
  [
    "all of it",
    functions(aFunction({ statements: 0, hasCommentedCode: true, computes: false })),
    working,
    [`body-commented-out refuses ${path}:1`],
  ],
  [
    "all but a literal",
    functions(aFunction({ statements: 1, hasCommentedCode: true, computes: false })),
    working,
    [`body-commented-out refuses ${path}:1`],
  ],
  ["half of it", functions(aFunction({ statements: 2, hasCommentedCode: true })), working, [`body-commented-out remark ${path}:1`]],
  ["a line", functions(aFunction({ statements: 3, hasCommentedCode: true })), working, []],
  ["an empty function that is new", functions(aFunction({ name: "other", statements: 0, hasCommentedCode: true })), working, []],
])("became comments: %s", (_name, after, before, expected) => {
  expect(judged([changed(path, after, before)])).toEqual(expected);
});

const pragma = (text: string, where = path) => ({ ...changed(where, file()), addedLines: [{ line: 7, text }] });

test.each([
  ["/* c8 ignore next */", path, true, [`coverage-pragma refuses ${path}:7`]],
  ["/* istanbul ignore else */", path, false, [`coverage-pragma remark ${path}:7`]],
  ["x = 1  # pragma: no cover", "src/a.py", true, ["coverage-pragma refuses src/a.py:7"]],
  ["We ignore `/* c8 ignore */`.", "README.md", true, []],
  ["const words = 'c8 ignore';", path, true, []],
])("coverage: %s in %s", (text, where, asksForCoverage, expected) => {
  expect(judged([pragma(text, where)], { asksForCoverage })).toEqual(expected);
});

test("a file that does not parse is a remark, and read by no rule", () => {
  expect(judged([{ ...changed(path, file()), after: { kind: "broken", line: 4 } }])).toEqual([`unparsed remark ${path}:4`]);
  expect(judged([{ ...changed("a.go", null), kind: "removed" }])).toEqual([]);
});

const uses = (modules: readonly string[], texts: readonly string[] = []) => ({
  uses: { imports: new Map([["src/app.mjs", modules]]), texts },
});

test.each<[string, string, SourceFacts, Partial<SourcesInput>, boolean]>([
  ["nobody asks for it", path, file(), uses(["./other.mjs"]), true],
  ["somebody asks for it", path, file(), uses(["./roman.mjs"]), false],
  ["Python asks for it", "pkg/roman.py", file(), uses(["pkg.roman.to_roman"]), false],
  ["a script runs it", path, file(), uses([], ["node src/roman.mjs"]), false],
  ["a test", "test/a.test.mjs", file({ tests: [aTest()] }), uses([]), false],
  ["an entry", "src/index.ts", file(), uses([]), false],
  ["nobody looked", path, file(), { uses: null }, false],
])("a new file: %s", (_name, where, facts, input, found) => {
  expect(judged([changed(where, facts)], input)).toEqual(found ? [`unreferenced-file remark ${where}:all`] : []);
});
