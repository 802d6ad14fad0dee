import { expect, test } from "vitest";
import type { SourceFacts, TestFacts } from "../../../src/core/integrity/source.ts";
import type { ChangedSource } from "../../../src/core/integrity/source-change.ts";
import { aFunction, assertion, aTest, changed, file, judged } from "./source-facts.ts";

const path = "test/slug.test.mjs";
const tests = (...all: readonly TestFacts[]): SourceFacts => file({ tests: all });
const added = (change: Partial<TestFacts>): readonly ChangedSource[] => [changed(path, tests(aTest(change)))];
const constant = assertion("equal(1, 1)", { isConstant: true });
const swallowed = assertion("equal(f(1), 2)", { isSwallowed: true });

test.each<[string, readonly ChangedSource[], readonly string[]]>([
  ["a test that asserts something is no finding", added({}), []],
  ["a test without a statement", added({ statements: 0, assertions: [] }), [`empty-test refuses ${path}:1`]],
  [
    "a test whose statements are comments",
    added({ statements: 0, assertions: [], hasCommentedCode: true }),
    [`empty-test refuses ${path}:1`],
  ],
  ["an empty test that is skipped is another rule's", added({ statements: 0, assertions: [], isSkipped: true }), []],
  ["a test that asserts nothing is a remark", added({ assertions: [] }), [`no-assertion remark ${path}:1`]],
  ["a test that asserts elsewhere", added({ assertions: [], mayAssertElsewhere: true }), []],
  ["a test of constants only", added({ assertions: [constant, constant] }), [`constant-assertion refuses ${path}:2`]],
  ["a constant beside something real", added({ assertions: [constant, assertion("equal(f(1), 2)")] }), []],
  ["a constant beside a helper that may assert", added({ assertions: [constant], mayAssertElsewhere: true }), []],
  ["a failure that is forgotten", added({ assertions: [swallowed] }), [`error-swallowed refuses ${path}:2`]],
  [
    "a constant whose failure is forgotten too",
    added({ assertions: [{ ...constant, isSwallowed: true }] }),
    [`constant-assertion refuses ${path}:2`, `error-swallowed refuses ${path}:2`],
  ],
])("%s", (_name, files, expected) => {
  expect(judged(files)).toEqual(expected);
});

test.each<[string, TestFacts]>([
  ["empty", aTest({ statements: 0, assertions: [] })],
  ["constant", aTest({ assertions: [constant] })],
  ["swallowed", aTest({ assertions: [swallowed] })],
])("a test that was %s before is no finding, even where its lines were moved", (_name, old) => {
  expect(judged([changed(path, tests(old), tests(old), [])])).toEqual([]);
  expect(judged([changed(path, tests(old), tests(old))])).toEqual([]);
  expect(judged([changed("test/other.test.mjs", tests(old)), changed(path, file(), tests(old))])).toEqual([]);
});

test("a test that was emptied by removed lines alone is found", () => {
  const files = [changed(path, tests(aTest({ statements: 0, assertions: [] })), tests(aTest()), [])];
  expect(judged(files)).toEqual([`empty-test refuses ${path}:1`]);
});

const one = assertion("equal(f(1), 2)");
const two = assertion("equal(f(2), 3)");
const three = assertion("equal(f(3), 4)");
const whole = assertion("deepEqual([f(1), f(2), f(3)], [2, 3, 4])");
const had = (...assertions: TestFacts["assertions"]) => aTest({ assertions });

test.each<[string, TestFacts, Partial<TestFacts>, readonly string[]]>([
  ["an assertion fewer", had(one, two), { assertions: [one] }, [`assertion-removed refuses ${path}:1`]],
  ["an assertion that became a constant", had(one, two), { assertions: [one, constant] }, [`assertion-removed refuses ${path}:1`]],
  ["all of them gone", had(one, two), { assertions: [] }, [`no-assertion remark ${path}:1`, `assertion-removed refuses ${path}:1`]],
  ["weaker and fewer", had(one, two, three), { assertions: [assertion("ok(f)")] }, [`assertion-removed refuses ${path}:1`]],
  ["as many, others", had(one, two), { assertions: [one, three] }, []],
  ["one value that says as much", had(one, two, three), { assertions: [whole] }, [`assertion-removed remark ${path}:1`]],
  ["a table instead", had(one, two), { assertions: [assertion("equal(f(n), m)", { isRepeated: true })] }, []],
  ["a helper instead", had(one, two), { assertions: [], mayAssertElsewhere: true }, []],
  [
    "a helper beside, as before",
    { ...had(one, two), mayAssertElsewhere: true },
    { assertions: [one], mayAssertElsewhere: true },
    [`assertion-removed refuses ${path}:1`],
  ],
  ["a test that is skipped now is another rule's", had(one, two), { assertions: [one], isSkipped: true }, []],
  ["another name", had(one, two), { assertions: [one], name: "makes one dash" }, []],
])("assertions removed: %s", (_name, before, after, expected) => {
  expect(judged([changed(path, tests(aTest(after)), tests(before))])).toEqual(expected);
});

test("an assertion that moved to another test is not missed", () => {
  const after = tests(had(one), aTest({ name: "the edge", line: 6, endLine: 9, assertions: [two] }));
  expect(judged([changed(path, after, tests(had(one, two)))])).toEqual([]);
});

test("an assertion about a function that the change removed is not missed", () => {
  const code = (...names: readonly string[]) => file({ functions: names.map((name) => aFunction({ name })) });
  const files = (after: SourceFacts) => [
    changed(path, tests(had(one)), tests(had(one, assertion("equal(old.unslug(2), 3)")))),
    changed("src/slug.mjs", after, code("slugify", "unslug")),
  ];
  expect(judged(files(code("slugify")))).toEqual([]);
  expect(judged(files(code("slugify", "unslug")))).toEqual([`assertion-removed refuses ${path}:1`]);
});

test("a guard that throws is no loss beside assertions, and is one alone", () => {
  const guard = assertion('throw new Error("not found")');
  expect(judged([changed(path, tests(had(one)), tests(had(one, guard)))])).toEqual([]);
  expect(judged([changed(path, tests(had(guard)), tests(had(guard, assertion('throw new Error("no")'))))])).toEqual([
    `assertion-removed refuses ${path}:1`,
  ]);
});

test("assertions may have moved into a helper that is asked for now", () => {
  const helped = { ...tests(had(one)), imports: [{ module: "./slug-kit.mjs", line: 1 }] };
  expect(judged([changed(path, helped, tests(had(one, two)))])).toEqual([`assertion-removed remark ${path}:1`]);
});

test("what a task names may lose an assertion", () => {
  const files = [changed(path, tests(had(one)), tests(had(one, two)))];
  expect(judged(files, { named: new Set([path]) })).toEqual([`assertion-removed remark ${path}:1`]);
});

const mocking = (target: string, isCalled: boolean, imports: readonly string[] = [target.split("#")[0] as string]) =>
  file({ tests: [aTest()], mocks: [{ target, line: 1, isCalled }], imports: imports.map((module) => ({ module, line: 1 })) });

test.each<[string, string, SourceFacts, readonly string[], boolean]>([
  ["the module that its name names", path, mocking("../src/slug.mjs", true), [], true],
  ["a member of it", path, mocking("../src/slug.mjs#slugify", true), [], true],
  [
    "what the subject needs",
    path,
    mocking("../src/clock.mjs", true, ["../src/clock.mjs", "../src/slug.mjs"]),
    ["src/clock.mjs", "src/slug.mjs"],
    false,
  ],
  ["the subject, without a call of it", path, mocking("../src/slug.mjs", false), ["src/slug.mjs"], false],
  ["the changed module, in a test of another name", "test/all.test.mjs", mocking("../src/slug.mjs", true), ["src/slug.mjs"], true],
  ["an unchanged module, in a test of another name", "test/all.test.mjs", mocking("../src/slug.mjs", true), ["src/other.mjs"], false],
  ["a package", path, mocking("axios", true, ["axios", "../src/slug.mjs"]), ["src/slug.mjs"], false],
  ["a function of the subject, in Python", "tests/test_slug.py", mocking("pkg.slug.slugify", true, ["pkg.slug"]), ["pkg/slug.py"], true],
  [
    "a function of something else, in Python",
    "tests/test_slug.py",
    mocking("pkg.clock.now", true, ["pkg.slug", "pkg.clock"]),
    ["pkg/slug.py"],
    false,
  ],
  ["the changed module, in Python", "tests/test_all.py", mocking("pkg.slug.slugify", true, ["pkg.slug"]), ["src/pkg/slug.py"], true],
])("mocks: %s", (_name, where, facts, others, refused) => {
  const files = [changed(where, facts), ...others.map((other) => changed(other, file()))];
  expect(judged(files)).toEqual(refused ? [`subject-mocked refuses ${where}:1`] : []);
});

test.each([
  ["node:assert#equal", true],
  ["unittest.TestCase.assertEqual", true],
  ["node:assert#money", false],
  ["unittest.mock.patch", false],
])("a replacement of %s", (target, refused) => {
  const facts = file({ mocks: [{ target, line: 1, isCalled: false }] });
  expect(judged([changed("test/setup.mjs", facts)])).toEqual(refused ? ["subject-mocked refuses test/setup.mjs:1"] : []);
});

test("a mock that stood there before is no finding", () => {
  const facts = mocking("../src/slug.mjs", true);
  expect(judged([changed(path, facts, facts)])).toEqual([]);
});

const exiting = (line: number, module: string) =>
  file({ tests: [aTest()], exits: [{ line, isSettled: false }], imports: [{ module, line: 1 }] });

test.each<[string, SourceFacts, SourceFacts | null, readonly string[]]>([
  ["in a test", exiting(3, "./run.mjs"), null, [`exit-in-test refuses ${path}:3`]],
  ["behind tests that have not run yet", exiting(8, "node:test"), null, [`exit-in-test refuses ${path}:8`]],
  ["at the end of a runner of the project's own", exiting(8, "./run.mjs"), null, [`exit-in-test remark ${path}:8`]],
  ["in front of what it cuts off", file({ exits: [{ line: 3, isSettled: true }] }), null, [`exit-in-test refuses ${path}:3`]],
  ["as before", exiting(3, "node:test"), exiting(3, "node:test"), []],
])("an end with 0: %s", (_name, after, before, expected) => {
  expect(judged([changed(path, after, before)])).toEqual(expected);
});
