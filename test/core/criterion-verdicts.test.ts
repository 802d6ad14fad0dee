/** What was measured, and what it means: each rule of a verdict is a row. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseXml } from "../../src/adapters/xml/xml.ts";
import { judgeApproval } from "../../src/core/criteria/approval.ts";
import { judgeCost } from "../../src/core/criteria/cost.ts";
import { type Covered, judgeCoverage } from "../../src/core/criteria/coverage.ts";
import { readCoverage } from "../../src/core/criteria/coverage-report.ts";
import type { HttpAnswer, MeasuredCriterion } from "../../src/core/criteria/criterion.ts";
import { type GitMeasured, judgeGit } from "../../src/core/criteria/git.ts";
import { judgeHttp } from "../../src/core/criteria/http.ts";
import { judgeJson } from "../../src/core/criteria/json.ts";
import { valueAt } from "../../src/core/criteria/json-value.ts";
import { judgeLint } from "../../src/core/criteria/lint.ts";
import { countLint, type LintCount } from "../../src/core/criteria/lint-count.ts";
import { parseCriterion } from "../../src/core/criteria/parse.ts";
import type { TestReport } from "../../src/core/criteria/test-report/report.ts";
import { judgeTests } from "../../src/core/criteria/tests.ts";
import { allHold, describeFigures, describeRefusal, type Evidence, isVerified } from "../../src/core/evidence.ts";
import { noSpend } from "../../src/core/money/cap.ts";
import type { ProcessEnd } from "../../src/core/process-end.ts";

const lintFixture = (name: string) => readFileSync(join(import.meta.dirname, "../fixtures/lint", name), "utf8");

function read<K extends MeasuredCriterion["kind"]>(kind: K, text: string): Extract<MeasuredCriterion, { kind: K }> {
  const criterion = parseCriterion(text);
  if (criterion.kind !== kind) throw new Error(`${text} is ${criterion.kind}`);
  return criterion as Extract<MeasuredCriterion, { kind: K }>;
}

const exited = (code: number): ProcessEnd => ({
  ...{ kind: "exited", code, signal: null, durationMs: 3000, descendantsEnded: 0, uncontained: [] },
  ...{ stdoutBytes: 0, linesCut: 0, stderrTail: "" },
});

const report: TestReport = { runner: "tap", passed: 12, failed: 0, skipped: 1, assertions: null, names: null };

test.each<[string, string, Partial<TestReport> | null, number, readonly [string, string]]>([
  ["a report without a failure holds", "tests: t", {}, 0, ["holds", "12 passed, 0 failed, 1 skipped (tap)"]],
  ["a failure that the command hid fails", "tests: t", { failed: 1 }, 0, ["fails", "ended with 0 all the same"]],
  ["an exit code fails, whatever the report says", "tests: t", {}, 1, ["fails", "exit code 1; 12 passed"]],
  ["no test ran", "tests: t", { passed: 0 }, 0, ["fails", "no test ran"]],
  ["no report cannot be told", "tests: t", null, 0, ["cannot-tell", "no report"]],
  ["no report and an exit code fails", "tests: t", null, 2, ["fails", "exit code 2; no report"]],
  ["a program that is not there cannot be told", "tests: t", null, 127, ["cannot-tell", "exit code 127"]],
  ["enough passed", "tests: `t` at least 12", {}, 0, ["holds", ""]],
  ["too few passed", "tests: `t` at least 13", {}, 0, ["fails", "at least 13 must pass"]],
  ["too many were skipped", "tests: `t` skipped 0", {}, 0, ["fails", "at most 0 may be skipped"]],
  ["assertions that are not counted cannot be told", "tests: `t` assertions 5", {}, 0, ["cannot-tell", "tap does not count assertions"]],
  ["too few assertions", "tests: `t` assertions 5", { assertions: 4 }, 0, ["fails", "at least 5 assertions"]],
  ["new tests that were not measured cannot be told", "tests: `t` new 2", {}, 0, ["cannot-tell", "which tests are new"]],
])("tests: %s", (_name, line, change, code, [verdict, detail]) => {
  const reading =
    change === null ? { kind: "none" as const, reason: "no report" } : { kind: "report" as const, report: { ...report, ...change } };
  const check = judgeTests(read("tests", line), { end: exited(code), output: "", reading, fresh: null });
  expect(check).toMatchObject({ verdict, detail: expect.stringContaining(detail) });
});

test.each([
  [2, "holds"],
  [1, "fails"],
])("tests: of two new ones that are asked for there are %i: %s", (fresh, verdict) => {
  const reading = { kind: "report" as const, report };
  expect(judgeTests(read("tests", "tests: `t` new 2"), { end: exited(0), output: "", reading, fresh }).verdict).toBe(verdict);
});

test.each<[string, readonly [string, number, number] | null]>([
  ["eslint.txt", ["eslint", 2, 1]],
  ["eslint.json", ["eslint", 2, 1]],
  ["eslint-clean.txt", ["silent", 0, 0]],
  ["biome.txt", ["biome", 2, 3]],
  ["biome-report.json", ["biome", 2, 3]],
  ["biome-clean.txt", ["biome", 0, 0]],
  ["tsc.txt", ["tsc", 1, 0]],
  ["tsc-pretty.txt", ["tsc", 1, 0]],
  ["clippy.txt", ["clippy", 0, 2]],
  ["clippy.jsonl", ["clippy", 0, 2]],
  ["clippy-clean.txt", ["clippy", 0, 0]],
  ["clippy-broken.txt", ["clippy", 1, 0]],
])("lint: %s is counted as printed", (name, expected) => {
  const count = countLint(lintFixture(name), true);
  expect(count === null ? null : [count.checker, count.errors, count.warnings]).toEqual(expected);
});

// ruff is not on every machine: these are its words and its JSON as its documentation shows them.
test.each<[string, string, readonly [string, number, number] | null]>([
  ["ruff's summary", "a.py:1:8: F401 `os` imported but unused\nFound 3 errors.\n[*] 1 fixable with the `--fix` option.\n", ["ruff", 3, 0]],
  ["ruff's all clear", "All checks passed!\n", ["ruff", 0, 0]],
  ["ruff's JSON", '[{"code":"F401","filename":"/a.py","message":"x"}]\n', ["ruff", 1, 0]],
  ["an empty list", "[]\n", ["JSON", 0, 0]],
  ["words of npm and nothing else", "\n> sum@1.0.0 lint\n> eslint .\n\n", ["silent", 0, 0]],
  ["words that nobody knows", "3 errors, I think\n", null],
  ["eslint's summary in a sentence", "it said ✖ 3 problems (2 errors, 1 warning) again\n", null],
])("lint: %s", (_name, text, expected) => {
  const count = countLint(text, true);
  expect(count === null ? null : [count.checker, count.errors, count.warnings]).toEqual(expected);
});

const found = (errors: number, warnings: number): LintCount => ({ checker: "eslint", errors, warnings });

test.each<[string, string, LintCount | null, number, readonly [string, string]]>([
  ["without a count the exit code is the verdict", "lint: l", null, 0, ["holds", "exit code 0"]],
  ["without a count an exit code fails", "lint: l", found(0, 0), 1, ["fails", "exit code 1"]],
  [
    "as many warnings as are allowed hold, whatever the exit code",
    "lint: `l` errors 0, warnings 5",
    found(0, 5),
    1,
    ["holds", "0 errors, 5 warnings"],
  ],
  ["one more fails", "lint: `l` errors 0, warnings 5", found(0, 6), 0, ["fails", "at most 5 warnings"]],
  ["an error fails", "lint: `l` errors 0", found(1, 0), 1, ["fails", "at most 0 errors"]],
  ["what cannot be counted cannot be told", "lint: `l` errors 0", null, 0, ["cannot-tell", "cannot be counted"]],
  ["a checker that broke cannot be told", "lint: `l` errors 0", found(0, 0), 2, ["cannot-tell", "it named nothing"]],
  ["a checker that is not there cannot be told", "lint: `l` errors 0", null, 127, ["cannot-tell", "exit code 127"]],
])("lint: %s", (_name, line, count, code, [verdict, detail]) => {
  expect(judgeLint(read("lint", line), { end: exited(code), output: "", count })).toMatchObject({
    verdict,
    detail: expect.stringContaining(detail),
  });
});

const lcov = "TN:\nSF:a.js\nFNF:2\nFNH:1\nLF:10\nLH:8\nBRF:4\nBRH:3\nend_of_record\nSF:b.js\nLF:10\nLH:10\nend_of_record\n";
const nothingCovered: Covered = { lines: null, branches: null, functions: null, statements: null };

test.each<[string, string, Covered | null]>([
  ["lcov is summed over its files", lcov, { lines: 90, branches: 75, functions: 50, statements: null }],
  ["lcov that was cut is none", lcov.slice(0, -8), null],
  ["lcov that hits more than there is tells nothing", "SF:a\nLF:1\nLH:2\nend_of_record\n", nothingCovered],
  [
    "cobertura by its counts",
    '<coverage line-rate="1" branch-rate="0.5" lines-covered="8" lines-valid="9"/>',
    { ...nothingCovered, lines: 88.88, branches: 50 },
  ],
  [
    "cobertura by its rates",
    '<?xml version="1.0"?><coverage line-rate="0.899" branch-rate="0"></coverage>',
    { ...nothingCovered, lines: 89.9, branches: 0 },
  ],
  ["another XML document is none", "<testsuites/>", null],
  [
    "istanbul's summary",
    '{"total":{"lines":{"total":3,"covered":2,"pct":99},"statements":{"total":4,"covered":4}}}',
    { ...nothingCovered, lines: 66.66, statements: 100 },
  ],
  ["another JSON document is none", '{"lines":80}', null],
  ["an empty file is none", "", null],
])("coverage: %s", (_name, text, expected) => {
  expect(readCoverage(text, parseXml)).toEqual(expected);
});

test.each<[string, Partial<Covered> | null, number, readonly [string, string]]>([
  ["enough of both holds", { lines: 80, branches: 70 }, 0, ["holds", "lines 80 %, branches 70 %"]],
  ["too little of one fails", { lines: 79.99, branches: 70 }, 0, ["fails", "at least 80 % of lines"]],
  ["what the report does not tell cannot be told", { lines: 80 }, 0, ["cannot-tell", "does not tell branches"]],
  ["no report cannot be told", null, 0, ["cannot-tell", "an old one"]],
  ["an exit code fails", { lines: 100, branches: 100 }, 1, ["fails", "exit code 1"]],
])("coverage: %s", (_name, covered, code, [verdict, detail]) => {
  const reading =
    covered === null
      ? { kind: "none" as const, reason: "an old one" }
      : { kind: "covered" as const, covered: { ...nothingCovered, ...covered } };
  const check = judgeCoverage(read("coverage", "coverage: `c` lines 80, branches 70, report a.info"), {
    end: exited(code),
    output: "",
    reading,
  });
  expect(check).toMatchObject({ verdict, detail: expect.stringContaining(detail) });
});

test.each<[string, unknown]>([
  ["", { foo: ["bar", "baz"], "": 0, "a/b": 1, "m~n": 8, " ": 7, "c%d": 2 }],
  ["/foo", ["bar", "baz"]],
  ["/foo/0", "bar"],
  ["/", 0],
  ["/a~1b", 1],
  ["/m~0n", 8],
  ["/ ", 7],
  ["/c%d", 2],
  ["/foo/2", undefined],
  ["/foo/01", undefined],
  ["/foo/-", undefined],
  ["/foo/length", undefined],
  ["/constructor", undefined],
  ["/__proto__", undefined],
])("RFC 6901: %j", (pointer, expected) => {
  expect(valueAt({ foo: ["bar", "baz"], "": 0, "a/b": 1, "m~n": 8, " ": 7, "c%d": 2 }, pointer)).toEqual(expected);
});

test.each<[string, string | null, readonly [string, string]]>([
  ['/version is "2.0.0"', '{"version":"2.0.0"}', ["holds", "a.json is so"]],
  ['/version is "2.0.0"', '\uFEFF{"version":"2.0.0"}', ["holds", ""]],
  ['/version is "2.0.0"', '{"version":"1.9.0"}', ["fails", '/version is "1.9.0", not "2.0.0"']],
  ['/version is "2"', '{"version":2}', ["fails", '/version is 2, not "2"']],
  ['/a is `{"x":1,"y":[2]}`', '{"a":{"y":[2],"x":1}}', ["holds", ""]],
  ["/a is not 1", "{}", ["fails", "/a is not there"]],
  ["/a is not 1", '{"a":2}', ["holds", ""]],
  ["/a at least 3", '{"a":3}', ["holds", ""]],
  ["/a at least 3", '{"a":"4"}', ["fails", "a number of at least 3"]],
  ["/a at most 3", '{"a":4}', ["fails", "a number of at most 3"]],
  ["/a contains x", '{"a":["y","x"]}', ["holds", ""]],
  ["/a contains x", '{"a":{"x":1}}', ["fails", "something with"]],
  ["/a exists", '{"a":null}', ["holds", ""]],
  ["/a absent", '{"a":null}', ["fails", "/a is null"]],
  ["/a exists, /b exists", "{}", ["fails", "/a is not there, not anything; /b is not there"]],
  ["/a exists", "{a:1}", ["fails", "a.json is no JSON"]],
  ["/a exists", null, ["fails", "a.json is not there"]],
])("json: %s of %j", (conditions, content, [verdict, detail]) => {
  expect(judgeJson(read("json", `json: a.json ${conditions}`), content)).toMatchObject({
    verdict,
    detail: expect.stringContaining(detail),
  });
});

const measured: GitMeasured = { dirty: [], branch: "main", changed: new Map([["src/", true]]), messages: ["T-01 add"], failure: "" };

test.each<[string, Partial<GitMeasured>, readonly [string, string]]>([
  ["clean", {}, ["holds", ""]],
  ["clean", { dirty: ["a", "b"] }, ["fails", "a, b are not committed"]],
  ["branch main", {}, ["holds", ""]],
  ["branch main", { branch: null }, ["fails", "no branch is checked out"]],
  ["changed src/", {}, ["holds", ""]],
  ["unchanged src/", {}, ["fails", "src/ differs from the base"]],
  ["changed src/", { changed: new Map() }, ["cannot-tell", "git could not tell"]],
  ["message contains T-01", {}, ["holds", ""]],
  ["message contains T-02", {}, ["fails", "no message of the 1 commits"]],
  ["message contains T-01", { messages: null, failure: "no base" }, ["cannot-tell", "no base"]],
  ["branch other, message contains T-01", { messages: null }, ["fails", "not other"]],
])("git: %s where %j", (conditions, change, [verdict, detail]) => {
  expect(judgeGit(read("git", `git: ${conditions}`), { ...measured, ...change })).toMatchObject({
    verdict,
    detail: expect.stringContaining(detail),
  });
});

const answer: HttpAnswer = { status: 200, headers: { "content-type": "application/json" }, body: '{"status":"up"}', isCut: false };

test.each<[string, Partial<HttpAnswer>, readonly [string, string]]>([
  ["status 200", {}, ["holds", "status 200"]],
  ["status 200", { status: 302 }, ["fails", "status 302, not 200"]],
  ['header content-type contains "json"', {}, ["holds", ""]],
  ['header x-a is "b"', {}, ["fails", "it has no header x-a"]],
  ['body contains "up"', {}, ["holds", ""]],
  ['body contains "down"', {}, ["fails", "does not contain"]],
  ['body contains "down"', { isCut: true }, ["cannot-tell", "larger than 1 MB"]],
  ['body contains "up"', { isCut: true }, ["holds", ""]],
  ['body is "ok"', { body: "ok\n" }, ["holds", ""]],
  ['body is not "ok"', { body: "ok" }, ["fails", 'the body is "ok"']],
  ["json /status is up", {}, ["holds", ""]],
  ["json /status is up", { body: "<html>" }, ["fails", "the body is no JSON"]],
  ["json /status is up", { isCut: true }, ["cannot-tell", "larger than 1 MB"]],
])("http: %s of %j", (conditions, change, [verdict, detail]) => {
  const criterion = read("http", `http: GET http://127.0.0.1/ ${conditions}`);
  const check = judgeHttp(criterion, { kind: "answer", answer: { ...answer, ...change } });
  expect(check).toMatchObject({ verdict, detail: expect.stringContaining(detail) });
});

test.each([
  ["no ledger", null, "cannot-tell"],
  ["what is allowed", { ...noSpend, spentMicroUsd: 2_500_000, calls: 3 }, "holds"],
  ["more than that", { ...noSpend, spentMicroUsd: 2_500_001, calls: 3 }, "fails"],
  ["what may be more than that", { ...noSpend, spentMicroUsd: 2_000_000, heldMicroUsd: 600_000, calls: 3, unknown: 1 }, "cannot-tell"],
] as const)("cost: %s", (_name, spend, verdict) => {
  expect(judgeCost(read("cost", "cost: at most 2.50"), spend).verdict).toBe(verdict);
});

test.each([
  [{ kind: "yes" }, "holds", "yes"],
  [{ kind: "no", words: "the logo is wrong" }, "fails", "no: the logo is wrong"],
  [{ kind: "open", question: "Q1" }, "cannot-tell", "Q1 waits"],
  [{ kind: "not-asked", changedSince: false }, "cannot-tell", "no person was asked"],
  [{ kind: "not-asked", changedSince: true }, "cannot-tell", "the code has changed"],
] as const)("approval: %j", (standing, verdict, detail) => {
  expect(judgeApproval(standing)).toMatchObject({ verdict, detail: expect.stringContaining(detail) });
});

const seen = (verdict: Evidence["verdict"], change: Partial<Evidence> = {}): Evidence => ({
  ...{ criterion: "c", verdict, detail: "d", commit: "0123456789abcdef", durationMs: 1 },
  ...change,
});

test.each<[string, readonly Evidence[], boolean, boolean]>([
  ["nothing to measure is no refusal, and no proof", [], true, false],
  ["what holds", [seen("holds")], true, true],
  ["what fails refuses", [seen("holds"), seen("fails")], false, true],
  ["what cannot be told refuses", [seen("cannot-tell")], false, false],
  ["what does not count yet refuses nothing, and proves nothing", [seen("fails", { countsFrom: 5 })], true, false],
  ["what does not count yet and holds is proof enough where there is nothing else", [seen("holds", { countsFrom: 5 })], true, true],
  ["what counts holds, what does not count yet fails", [seen("holds"), seen("fails", { countsFrom: 5 })], true, true],
])("evidence: %s", (_name, evidence, holds, verified) => {
  expect([allHold(evidence), isVerified(evidence)]).toEqual([holds, verified]);
});

test("a refusal names what does not hold, with its commit, and from when on the rest will count", () => {
  expect(describeRefusal([seen("holds"), seen("fails"), seen("cannot-tell", { countsFrom: 5 })])).toBe(
    "c: fails at 012345678: d\nc: cannot be told at 012345678 (counts from window 5 on): d",
  );
  expect(describeFigures({ passed: 12, failed: 0 })).toBe("12 passed, 0 failed");
});
