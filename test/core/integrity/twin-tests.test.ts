import { expect, test } from "vitest";
import type { TestFacts } from "../../../src/core/integrity/source.ts";
import type { CountedTests } from "../../../src/core/integrity/twin-tests.ts";
import { aTest, changed, file, judged } from "./source-facts.ts";

const path = "test/luhn.test.mjs";
const one = (name: string, line: number, body = "() => equal(isCard(1), true)", change: Partial<TestFacts> = {}) =>
  aTest({ name, line, endLine: line, body, ...change });
const asks = (change: Partial<CountedTests>): CountedTests => ({
  ...{ criterion: "tests: `npm test` new 3", passed: null, passedAtLeast: null, fresh: null, newAtLeast: null },
  ...change,
});
const three = [one("a", 1), one("b", 2), one("c", 3)];
const different = [one("a", 1), one("b", 2, "() => equal(isCard(2), false)"), one("c", 3, "() => equal(isCard(3), false)")];
const refused = [`twin-tests refuses ${path}:2`];
const remarked = [`twin-tests remark ${path}:2`];

test.each<[string, readonly TestFacts[], CountedTests, readonly string[]]>([
  ["under three names, where three new ones are asked for", three, asks({ fresh: 3, newAtLeast: 3 }), refused],
  ["under three names, where so many must pass", three, asks({ passed: 12, passedAtLeast: 12 }), refused],
  ["where there are enough without them", three, asks({ fresh: 9, newAtLeast: 3, passed: 20, passedAtLeast: 12 }), remarked],
  ["where no count is asked for", three, asks({ passed: 12 }), remarked],
  ["where the count was too low anyway", three, asks({ fresh: 2, newAtLeast: 3 }), remarked],
  ["where nobody counted", three, asks({ newAtLeast: 3 }), remarked],
  ["and different ones", different, asks({ fresh: 3, newAtLeast: 3 }), []],
  ["in different groups", [one("empty > adds", 1), one("full > adds", 2)], asks({ fresh: 2, newAtLeast: 2 }), []],
  ["that ask for their names", [one("a", 1, ""), one("b", 2, "")], asks({ fresh: 2, newAtLeast: 2 }), []],
  ["one of which is skipped", [one("a", 1), one("b", 2, undefined, { isSkipped: true })], asks({ fresh: 1, newAtLeast: 1 }), []],
  ["in a loop that changes nothing", [one("is a card", 2, undefined, { times: 5 })], asks({ fresh: 5, newAtLeast: 5 }), refused],
  ["in a loop, and there are enough others", [one("is a card", 2, undefined, { times: 5 })], asks({ fresh: 9, newAtLeast: 5 }), remarked],
])("the same test: %s", (_name, tests, counted, expected) => {
  expect(judged([changed(path, file({ tests }))], { counted: [counted] })).toEqual(expected);
});

test("twins that were there before are no matter of this claim", () => {
  const tests = file({ tests: three });
  expect(judged([changed(path, tests, tests, [])], { counted: [asks({ fresh: 3, newAtLeast: 3 })] })).toEqual([]);
});

test("two files may have the same test", () => {
  const files = ["test/a.test.mjs", "test/b.test.mjs"].map((where) => changed(where, file({ tests: [one("a", 1)] })));
  expect(judged(files, { counted: [asks({ fresh: 2, newAtLeast: 2 })] })).toEqual([]);
});
