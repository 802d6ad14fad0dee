/** One test under several names counts once: docs/spec/criteria.md, "The rules" (B). */
import { type Finding, refuse, remark } from "./finding.ts";
import type { TestFacts } from "./source.ts";
import { type ReadSource, touches } from "./source-change.ts";

/** What a `tests:` line counted, and how many it asks for. */
export interface CountedTests {
  readonly criterion: string;
  readonly passed: number | null;
  readonly passedAtLeast: number | null;
  /** Of those that passed; null = not measured. */
  readonly fresh: number | null;
  readonly newAtLeast: number | null;
}

export function judgeTwins(sources: readonly ReadSource[], counted: readonly CountedTests[]): readonly Finding[] {
  const twins = sources.flatMap(({ path, added, after }) =>
    copiesIn(after.tests.filter((test) => !test.isSkipped))
      .filter(({ test }) => touches(added, test))
      .map((copy) => ({ path, ...copy })),
  );
  const [first] = twins;
  if (first === undefined) return [];
  const copies = twins.reduce((sum, { count }) => sum + count, 0);
  const short = counted.filter((one) => isShort(one.passed, one.passedAtLeast, copies) || isShort(one.fresh, one.newAtLeast, copies));
  const text = `${copies + 1 > 2 ? `${copies} tests are` : "a test is"} another one word for word under another name`;
  const [asked] = short;
  return [
    asked === undefined
      ? remark("twin-tests", first.path, first.test.line, text)
      : refuse("twin-tests", first.path, first.test.line, `${text}, and without them there are too few: ${asked.criterion}`),
  ];
}

function isShort(count: number | null, atLeast: number | null, copies: number): boolean {
  return count !== null && atLeast !== null && count >= atLeast && count - copies < atLeast;
}

/** Tests of one group that have the body of an earlier one there: what runs before them is the same. */
function copiesIn(tests: readonly TestFacts[]): readonly { readonly test: TestFacts; readonly count: number }[] {
  const seen = new Set<string>();
  return tests.flatMap((test) => {
    if (test.body === "") return [];
    const key = `${test.name.split(" > ").slice(0, -1).join(" > ")}\0${test.body}`;
    const count = test.times - 1 + (seen.has(key) ? 1 : 0);
    seen.add(key);
    return count > 0 ? [{ test, count }] : [];
  });
}
