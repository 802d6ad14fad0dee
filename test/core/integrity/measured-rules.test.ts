/** Rules over what was measured in copies of the tree. */
import { describe, expect, test } from "vitest";
import { isBentCheck } from "../../../src/core/integrity/checks.ts";
import {
  judgeBent,
  judgeCounts,
  judgeFailures,
  judgeHidden,
  judgeHollow,
  judgeWorth,
  steadyWords,
  type Trial,
  unmeasured,
} from "../../../src/core/integrity/measured-rules.ts";
import { oldTests } from "../../../src/core/integrity/old-tests.ts";

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

test("failures that a report tells of are failures, whatever the command ended with", () => {
  const evidence = { criterion: "run: sh test.sh", verdict: "holds", detail: "exit code 0", durationMs: 1, commit: "a" } as const;
  expect(judgeFailures([evidence, { ...evidence, figures: { passed: 3, failed: 0, skipped: 1 } }])).toEqual([]);
  expect(weights(judgeFailures([{ ...evidence, figures: { passed: 3, failed: 1, skipped: 0 } }]))).toEqual(["exit-forced refuses"]);
});

test("what git does not see refuses where what is committed does not hold", () => {
  expect(weights(judgeHidden([trial({ holds: false })], ["a.js"]))).toEqual(["hidden-change refuses"]);
  expect(judgeHidden([trial()], ["a.js"])).toEqual([]);
  expect(judgeHidden([trial({ holds: false })], [])).toEqual([]);
});

describe("counts", () => {
  const counts = (passed: number, skipped = 0) => [trial({ counts: { passed, failed: 0, skipped, names: null } })];
  test.each([
    ["fewer pass", counts(2), counts(3), false, ["tests-fewer refuses"]],
    ["more are skipped", counts(3, 1), counts(3), false, ["tests-fewer remark"]],
    ["both", counts(2, 1), counts(3), false, ["tests-fewer refuses", "tests-fewer remark"]],
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
  const named = (...names: readonly string[]) =>
    trial({ said: names.join(), counts: { passed: names.length, failed: 0, skipped: 0, names } });
  test.each([
    ["the same is said", same, other, same, ["tests-notice-nothing refuses"]],
    ["they fail", same, other, fails, []],
    ["other words are said", same, other, trial({ said: "3 ok, and a warning" }), []],
    ["the criterion does not run them", same, same, same, []],
    ["it does not hold in a copy", fails, other, fails, []],
    [
      "each new test passes, while old ones fail",
      named("a", "new"),
      named("a"),
      { ...named("new"), holds: false },
      ["tests-notice-nothing refuses"],
    ],
    ["one new test fails", named("a", "new", "newer"), named("a"), named("a", "newer"), []],
  ])("%s", (_title, own, without, over, expected) => {
    expect(weights(judgeHollow({ own: [own], before: [], without: [without], over: [over] }, tests))).toEqual(expected);
  });

  test("one criterion that notices is enough", () => {
    const second = { criterion: "run: e2e" };
    const own = [same, trial(second)];
    const without = [other, trial({ ...second, said: "0" })];
    expect(judgeHollow({ own, before: [], without, over: [same, trial({ ...second, holds: false })] }, tests)).toEqual([]);
  });

  test("a test that may expect nothing is only remarked on", () => {
    const expecting = [{ ...tests[0], after: "assert.equal(find('x'), undefined)" }];
    const found = judgeHollow({ own: [same], before: [], without: [other], over: [same] }, expecting);
    expect(weights(found)).toEqual(["tests-notice-nothing remark"]);
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

describe("old tests that are put back", () => {
  const task = { title: "T-1 New prices: a letter costs 400", objective: "", criteria: [], context: ["test/named.test.js"] } as const;
  const change = (path: string, kind: "added" | "changed" | "removed", before: string | null = "", after: string | null = null) => ({
    path,
    kind,
    before,
    after,
  });
  const paths = (...changes: readonly ReturnType<typeof change>[]) => oldTests(changes, task).map(({ path }) => path);

  test("are those that were changed or went, but for what the task names and what went with its subject", () => {
    const changes = [change("a.test.js", "changed", "x", "y"), change("b.test.js", "removed"), change("c.test.js", "added")];
    const gone = [change("legacy.js", "removed"), change("d.test.js", "removed", 'import { old } from "./legacy.js"')];
    expect(paths(...changes, ...gone, change("test/named.test.js", "changed", "x", "y"), change("src.js", "changed"))).toEqual([
      "a.test.js",
      "b.test.js",
    ]);
  });

  test.each([
    ["only lost a skip", "@unittest.expectedFailure\ndef test_a(self): pass", "def test_a(self): pass", false],
    ["lost an assertion", "assert.equal(f(1), 350)\nx", "x", true],
    ["has a new value that is the task's own", "assert.equal(price(500), 350)", "assert.equal(price(500), 400)", false],
    ["has a new value of its own", "assert.equal(price(500), 350)", "assert.equal(price(500), 351)", true],
    ["has no value any more", "assert.equal(price(500), 350)", "assert.ok(price(500))", true],
  ])("one that %s: %s", (_title, before, after, isOld) => {
    expect(paths(change("a.test.js", "changed", before, after))).toEqual(isOld ? ["a.test.js"] : []);
  });
});

describe("a check that was bent", () => {
  const scripts = (script: string, more: object = {}) => JSON.stringify({ scripts: { test: script, other: "x" }, ...more });
  test.each([
    ["a script of checks", "scripts/check.sh", "x", "y", true],
    ["a runner's settings", "vitest.config.ts", "x", "y", true],
    ["a Makefile", "Makefile", "x", "y", true],
    ["the program itself", "src/cli.mjs", "x", "y", false],
    ["a script that is the work", "bytes.sh", "x", "y", false],
    ["a called script of package.json", "package.json", scripts("node --test"), scripts("true"), true],
    ["a new script of package.json", "package.json", "{}", scripts("node --test"), false],
    ["another part of package.json", "package.json", scripts("a"), scripts("a", { version: "2.0.0" }), false],
    ["a runner's part of package.json", "package.json", scripts("jest"), scripts("jest", { jest: { bail: 0 } }), true],
  ])("%s: %s", (_title, path, before, after, isBent) => {
    expect(isBentCheck({ path, kind: "changed", before, after }, ["npm test"])).toBe(isBent);
  });
});

test("times, colours and folders are left out of what was said, and counts stay", () => {
  const said = (ms: string, folder: string) =>
    steadyWords(`\u001b[32mok\u001b[0m 3 tests in ${folder}/a.test.js (${ms})\n# duration_ms ${ms.replace("ms", "")}\n`, folder);
  expect(said("12.5ms", "/tmp/x1")).toBe(said("9ms", "/state/scratch/2"));
  expect(steadyWords("3 passed", "/x")).not.toBe(steadyWords("4 passed", "/x"));
});
