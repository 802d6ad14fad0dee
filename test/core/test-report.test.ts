/** Reports of test runs: what the real runners printed, and texts that only look like it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseXml } from "../../src/adapters/xml/xml.ts";
import { readPrinted, readReportFile, reportHint } from "../../src/core/criteria/test-report/read.ts";
import type { TestReport } from "../../src/core/criteria/test-report/report.ts";

const fixture = (name: string) => readFileSync(join(import.meta.dirname, "../fixtures/reports", name), "utf8");
const printed = (text: string, whole = true) => readPrinted(text, whole, parseXml);
const shown = (report: TestReport | null) =>
  report === null ? null : [report.runner, report.passed, report.failed, report.skipped, report.names];

const sumNames = ["sum > adds", "sum > 12 passed"];

test.each<[string, readonly unknown[]]>([
  ["vitest.txt", ["vitest", 2, 0, 2, null]],
  ["vitest-failed.txt", ["vitest", 3, 1, 4, null]],
  ["vitest-coloured.txt", ["vitest", 3, 1, 4, null]],
  ["vitest.tap", ["tap", 3, 1, 4, ["t/bad.test.mjs > bad > 12 passed", "t/sum.test.mjs > sum > adds", "t/sum.test.mjs > sum > 12 passed"]]],
  [
    "vitest-flat.tap",
    ["tap", 3, 1, 4, ["t/bad.test.mjs > bad > 12 passed", "t/sum.test.mjs > sum > adds", "t/sum.test.mjs > sum > 12 passed"]],
  ],
  [
    "vitest-junit.xml",
    ["junit", 3, 1, 4, ["t/bad.test.mjs > bad > 12 passed", "t/sum.test.mjs > sum > adds", "t/sum.test.mjs > sum > 12 passed"]],
  ],
  ["jest.txt", ["jest", 2, 0, 2, ["sum > adds", "sum > 12 passed"]]],
  ["jest-failed.txt", ["jest", 3, 1, 4, ["bad > 12 passed", ...sumNames]]],
  ["jest-coloured.txt", ["jest", 3, 1, 4, ["bad > 12 passed", ...sumNames]]],
  ["mocha.txt", ["mocha", 2, 0, 2, ["sum > adds", "sum > 12 passing"]]],
  ["mocha-failed.txt", ["mocha", 2, 1, 2, ["sum > adds", "sum > 12 passing"]]],
  ["mocha.tap", ["tap", 2, 1, 2, ["sum adds", "sum 12 passing"]]],
  ["mocha-xunit.xml", ["junit", 2, 1, 2, ["sum > adds", "sum > 12 passing"]]],
  // node:test counts a test with subtests, and prints it as it prints a suite: its names cannot be told apart.
  ["node-spec.txt", ["node:test", 5, 0, 2, null]],
  ["node-spec-failed.txt", ["node:test", 5, 1, 2, null]],
  ["node-spec-coloured.txt", ["node:test", 5, 1, 2, null]],
  ["node.tap", ["tap", 4, 1, 2, ["sum > adds", "sum > pass 12", "with subtests > one", "with subtests > two"]]],
  ["node-good.tap", ["tap", 4, 0, 2, ["sum > adds", "sum > pass 12", "with subtests > one", "with subtests > two"]]],
  ["node-junit.xml", ["junit", 4, 1, 2, ["sum > adds", "sum > pass 12", "with subtests > one", "with subtests > two"]]],
  ["pytest.txt", ["pytest", 2, 0, 1, null]],
  ["pytest-quiet.txt", ["pytest", 2, 0, 1, null]],
  ["pytest-failed.txt", ["pytest", 2, 1, 2, ["test_sum.py::Sum::test_adds", "test_sum.py::Sum::test_more"]]],
  ["pytest-coloured.txt", ["pytest", 2, 1, 2, null]],
  ["pytest-junit.xml", ["junit", 2, 1, 2, ["test_sum.Sum > test_adds", "test_sum.Sum > test_more"]]],
  ["unittest.txt", ["unittest", 2, 0, 1, null]],
  ["unittest-failed.txt", ["unittest", 2, 1, 2, ["test_adds (test_sum.Sum.test_adds)", "test_more (test_sum.Sum.test_more)"]]],
  [
    "go-verbose.txt",
    ["go test", 3, 0, 1, ["example.org/sum > TestAdds", "example.org/sum > TestMany/one", "example.org/sum > TestMany/two"]],
  ],
  [
    "go-failed.txt",
    ["go test", 3, 1, 1, ["example.org/sum > TestAdds", "example.org/sum > TestMany/one", "example.org/sum > TestMany/two"]],
  ],
  ["go.jsonl", ["go test", 3, 1, 1, ["example.org/sum > TestAdds", "example.org/sum > TestMany/one", "example.org/sum > TestMany/two"]]],
  ["cargo.txt", ["cargo test", 1, 0, 1, ["tests::adds"]]],
  ["cargo-failed.txt", ["cargo test", 0, 1, 1, []]],
])("%s is read as printed", (name, expected) => {
  expect(shown(printed(fixture(name)))).toEqual(expected);
});

test.each(["vitest-junit.xml", "pytest-junit.xml", "node-junit.xml", "mocha-xunit.xml", "node.tap", "vitest.tap"])(
  "%s is read from a file",
  (name) => {
    expect(readReportFile(fixture(name), parseXml)).toEqual(printed(fixture(name)));
  },
);

test.each(["go.txt", "node-dot.txt"])("%s counts nothing, and is no report", (name) => {
  expect(printed(fixture(name))).toBeNull();
});

test("plain go test is told what it needs", () => {
  expect(reportHint(fixture("go.txt"))).toContain("-v or -json");
  expect(reportHint("done")).toBe("");
});

const suite = (inside: string) => `<testsuites><testsuite name="s">${inside}</testsuite></testsuites>`;

test.each<[string, string, readonly unknown[] | null]>([
  [
    "assertions are summed where every test counts them",
    suite('<testcase name="a" assertions="3"/><testcase name="b" assertions="4"/>'),
    [2, 0, 0, 7],
  ],
  [
    "assertions are not told where one test does not count them",
    suite('<testcase name="a" assertions="3"/><testcase name="b"/>'),
    [2, 0, 0, null],
  ],
  ["a suite that broke before its tests has failed", '<testsuite errors="1" tests="0"/>', [0, 1, 0, null]],
  ["a test that was not run is skipped", suite('<testcase name="a" status="notrun"/>'), [0, 0, 1, null]],
  ["a document that is cut is none", suite('<testcase name="a"/>').slice(0, -8), null],
  [
    "entities of the document's own are not expanded",
    `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${suite('<testcase name="&b;"/>')}`,
    null,
  ],
  ["another document is no report", "<html><body>12 passed</body></html>", null],
  ["a test named like a failure passes", suite('<testcase name="&lt;failure/&gt;"/>'), [1, 0, 0, null]],
])("JUnit: %s", (_name, text, expected) => {
  const report = readReportFile(text, parseXml);
  expect(report === null ? null : [report.passed, report.failed, report.skipped, report.assertions]).toEqual(expected);
});

test.each<[string, string, readonly unknown[] | null]>([
  ["no plan, no report", "ok 1\nok 2\n", null],
  ["a plan that does not fit was cut", "1..3\nok 1\nok 2\n", null],
  ["a second result of the same number does not fit the plan", "1..1\nok 1 - a\nok 1 - b\n", null],
  ["a bail out is no whole report", "1..2\nok 1\nBail out! no disk\nok 2\n", null],
  ["nothing but skipped", "TAP version 14\n1..0 # skip all\n", [0, 0, 0]],
  ["a todo that fails has not failed", "1..2\nok 1\nnot ok 2 # TODO later\n", [1, 0, 1]],
  ["an escaped hash is no directive", "1..1\nok 1 - a \\# skip\n", [1, 0, 0]],
  ["what stands in a YAML block is no result", "1..1\nok 1\n  ---\n  ok 2\n  not ok 3\n  ...\n", [1, 0, 0]],
  ["a YAML block that never ends swallows the rest", "ok 1\n  ---\nok 2\n1..2\n", null],
  ["a subtest with fewer results than planned was cut", "# Subtest: a\n    ok 1\n    1..2\nok 1 - a\n1..1\n", null],
  ["a parent that fails by itself has failed", "# Subtest: a\n    ok 1 - b\n    1..1\nnot ok 1 - a\n1..1\n", [1, 1, 0]],
  ["a failed child is counted once", "# Subtest: a\n    not ok 1 - b\n    1..1\nnot ok 1 - a\n1..1\n", [0, 1, 0]],
  ["lines of the tests' own between the results", "1..2\nhello\nok 1\r\nmore\nok 2\n", [2, 0, 0]],
])("TAP: %s", (_name, text, expected) => {
  const report = readReportFile(text, parseXml);
  expect(report === null ? null : [report.passed, report.failed, report.skipped]).toEqual(expected);
});

test.each<[string, string]>([
  ["a test that prints a summary's line", "✓ 12 passed\nTests  12 passed (12)\n"],
  ["jest's line alone", "Tests:       12 passed, 12 total\n"],
  ["mocha's line in the middle of a text", "log\n  12 passing (8ms)\n"],
  ["node's line alone", "ℹ pass 12\n"],
  ["pytest's words in a sentence", "we saw 12 passed in 0.3s of work\n"],
  ["unittest's line alone", "Ran 12 tests in 0.1s\n\nOK\n"],
  ["sums that do not add up", " Test Files  1 passed (1)\n      Tests  3 passed (4)\n   Duration  10ms\n"],
  ["nothing", ""],
  ["words", "everything passed\n"],
])("%s is no report", (_name, text) => {
  expect(printed(text)).toBeNull();
});

test("reports of several runners in one output are one", () => {
  const text = `${fixture("vitest.txt")}\n${fixture("pytest.txt")}\n${fixture("jest.txt")}`;
  expect(shown(printed(text))).toEqual(["vitest and jest and pytest", 6, 0, 5, null]);
});

test("of an output whose beginning was dropped only the summary counts, without names", () => {
  expect(shown(printed(fixture("jest-failed.txt").slice(300), false))).toEqual(["jest", 3, 1, 4, null]);
  expect(printed(fixture("node.tap").slice(300), false)).not.toMatchObject({ runner: "tap" });
});

test.each([
  "vitest.txt",
  "jest.txt",
  "mocha.txt",
  "node-spec.txt",
  "node.tap",
  "node-junit.xml",
  "pytest.txt",
  "unittest.txt",
  "go.jsonl",
  "cargo.txt",
])("%s cut at any place never counts more than it has", (name) => {
  const text = fixture(name);
  const whole = printed(text);
  for (let end = 0; end < text.length; end += 7) {
    const report = printed(text.slice(0, end));
    if (report !== null) expect(report.passed).toBeLessThanOrEqual(whole?.passed ?? 0);
  }
});

test("large and odd texts are read in a moment", { timeout: 30_000 }, () => {
  const startedAt = performance.now();
  for (const text of [
    "ok 1\n".repeat(500_000),
    `1..1\n${"    ".repeat(50_000)}ok 1\n`,
    Array.from({ length: 3000 }, (_one, depth) => `${" ".repeat(depth)}ok 1`).join("\n"),
    "\u001b[".repeat(500_000),
    "\u001b]".repeat(500_000),
    `<testsuite>${"<a>".repeat(100_000)}`,
    `<testsuite>${"<testcase/>".repeat(100_000)}</testsuite>`,
    "1 passed, ".repeat(100_000),
    `${"x".repeat(5_000_000)} passed`,
    "--- PASS: A (0.0s)\n".repeat(100_000),
    '{"Action":"pass","Package":"a","Test":"b"}\n'.repeat(50_000),
    "▶ a\n".repeat(200_000),
  ])
    printed(text);
  expect(performance.now() - startedAt).toBeLessThan(25_000);
});
