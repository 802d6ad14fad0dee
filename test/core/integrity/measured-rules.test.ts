/** Rules over what was measured in scratch checkouts. */
import { describe, expect, test } from "vitest";
import {
  judgeBent,
  judgeCounts,
  judgeHollow,
  judgeWorth,
  oldTests,
  steadyWords,
  type Trial,
  unmeasured,
} from "../../../src/core/integrity/measured-rules.ts";
import { isTestFile } from "../../../src/core/integrity/test-files.ts";

const trial = (change: Partial<Trial> = {}): Trial => ({ criterion: "run: npm test", holds: true, said: "3 ok", counts: null, ...change });
const weights = (findings: readonly { readonly rule: string; readonly weight: string }[]) =>
  findings.map(({ rule, weight }) => `${rule} ${weight}`);

test("what failed with the old files refuses, unless the copy fails as it is", () => {
  const [good, bad] = [trial(), trial({ holds: false })];
  expect(weights(judgeBent([good], [bad], ["check.sh"], "criterion-weakened"))).toEqual(["criterion-weakened refuses"]);
  expect(judgeBent([good], [good], ["check.sh"], "criterion-weakened")).toEqual([]);
  expect(judgeBent([bad], [bad], ["a.test.js"], "old-tests-fail")).toEqual([]);
  expect(weights(unmeasured([bad]))).toEqual(["unmeasured remark"]);
  expect(unmeasured([good])).toEqual([]);
});

describe("counts", () => {
  const counts = (passed: number, skipped = 0) => [trial({ counts: { passed, skipped } })];
  test.each([
    ["fewer pass", counts(2), counts(3), false, ["tests-fewer refuses"]],
    ["more are skipped", counts(3, 1), counts(3), false, ["tests-fewer refuses"]],
    ["both", counts(2, 1), counts(3), false, ["tests-fewer refuses", "tests-fewer refuses"]],
    ["fewer pass, and what they tested went", counts(2), counts(3), true, ["tests-fewer remark"]],
    ["more pass", counts(4), counts(3), false, []],
    ["nobody counted", [trial()], counts(3), false, []],
    ["nobody counted before", counts(1), [trial()], false, []],
  ])("%s", (_title, own, last, excused, expected) => {
    expect(weights(judgeCounts(own, last, excused))).toEqual(expected);
  });
});

describe("over hollow functions", () => {
  const tests = [{ path: "a.test.js", kind: "added", before: null, after: "x" }] as const;
  const [same, other, fails] = [trial(), trial({ said: "2 ok" }), trial({ holds: false })];
  test.each([
    ["the same is said", same, other, same, ["tests-notice-nothing refuses"]],
    ["they fail", same, other, fails, []],
    ["other words are said", same, other, trial({ said: "3 ok, and a warning" }), []],
    ["the criterion does not run them", same, same, same, []],
    ["it does not hold in a copy", fails, other, fails, []],
  ])("%s", (_title, own, without, hollow, expected) => {
    expect(weights(judgeHollow([own], [without], [hollow], tests))).toEqual(expected);
  });

  test("one criterion that notices is enough", () => {
    const second = { criterion: "run: e2e" };
    const own = [same, trial(second)];
    const without = [other, trial({ ...second, said: "0" })];
    expect(judgeHollow(own, without, [same, trial({ ...second, holds: false })], tests)).toEqual([]);
  });
});

test("a criterion that held before any work is worth a remark", () => {
  expect(
    weights(
      judgeWorth([
        { criterion: "a", holds: true },
        { criterion: "b", holds: false },
      ]),
    ),
  ).toEqual(["worthless remark"]);
});

test("old tests are those that were changed or went, but for what the task names and what went with its subject", () => {
  const change = (path: string, kind: "added" | "changed" | "removed", before = "") => ({ path, kind, before, after: null });
  const changes = [
    ...[change("a.test.js", "changed"), change("b.test.js", "removed"), change("c.test.js", "added"), change("named.test.js", "changed")],
    ...[change("legacy.js", "removed"), change("d.test.js", "removed", 'import { old } from "./legacy.js"'), change("src.js", "changed")],
  ];
  expect(oldTests(changes, isTestFile, (path) => path.startsWith("named")).map(({ path }) => path)).toEqual(["a.test.js", "b.test.js"]);
});

test("times, colours and folders are left out of what was said, and counts stay", () => {
  const said = (ms: string, folder: string) =>
    steadyWords(`\u001b[32mok\u001b[0m 3 tests in ${folder}/a.test.js (${ms})\n# duration_ms ${ms.replace("ms", "")}\n`, folder);
  expect(said("12.5ms", "/tmp/x1")).toBe(said("9ms", "/state/scratch/2"));
  expect(steadyWords("3 passed", "/x")).not.toBe(steadyWords("4 passed", "/x"));
});

test.each([
  ["a.test.ts", true],
  ["src/a.spec.jsx", true],
  ["test_a.py", true],
  ["a_test.go", true],
  ["tests/data/x.json", true],
  ["__snapshots__/a.snap", true],
  ["src/__tests__/a.js", true],
  ["check.sh", true],
  ["ATest.java", true],
  ["conftest.py", true],
  ["src/latest.ts", false],
  ["contest.py", false],
  ["src/testing-tips.md", false],
  ["attest/a.ts", false],
  ["package.json", false],
])("%s is a test: %s", (path, expected) => {
  expect(isTestFile(path)).toBe(expected);
});
