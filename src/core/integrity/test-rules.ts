/** What is wrong with a test that the change added or changed. What was so before, by the same name, is no finding. */
import { type Finding, refuse, remark } from "./finding.ts";
import type { AssertionFacts, SourceFacts, TestFacts } from "./source.ts";
import { isChanged, type ReadSource } from "./source-change.ts";

export interface TestChange {
  readonly sources: readonly ReadSource[];
  /** Paths that the task names. */
  readonly named: ReadonlySet<string>;
}

export function judgeTests({ sources, named }: TestChange): readonly Finding[] {
  const earlier = sources.flatMap(({ before }) => before?.tests ?? []);
  const remaining = new Set(sources.flatMap(({ after }) => after.tests.flatMap(({ assertions }) => assertions.map(({ text }) => text))));
  const kept = namesIn(sources.map(({ after }) => after));
  const gone = [...namesIn(sources.flatMap(({ before }) => before ?? []))].filter((name) => !kept.has(name));
  return sources.flatMap((source) =>
    source.after.tests
      .filter((test) => !test.isSkipped && isChanged(source, test, earlier))
      .flatMap((test) => {
        const sameName = earlier.filter(({ name }) => name === test.name && name !== "");
        const found = judgeTest(source.path, test);
        const isOld = found !== null && sameName.some((one) => judgeTest(source.path, one)?.rule === found.rule);
        const findings = [...(found === null || isOld ? [] : [found]), ...judgeSwallowing(source.path, test, sameName)];
        // One sentence for one test: an empty one has lost its assertions too.
        const isJudged = findings.some(({ weight }) => weight === "refuses");
        return isJudged ? findings : [...findings, ...judgeRemoval(source, test, { remaining, gone, isNamed: named.has(source.path) })];
      }),
  );
}

function judgeTest(path: string, test: TestFacts): Finding | null {
  const title = titleOf(test);
  if (test.statements === 0) {
    return refuse(
      "empty-test",
      path,
      test.line,
      test.hasCommentedCode ? `the statements of ${title} are comments` : `${title} has no statement`,
    );
  }
  if (test.mayAssertElsewhere) return null;
  if (test.assertions.length === 0) return remark("no-assertion", path, test.line, `${title} asserts nothing`);
  if (!test.assertions.every(({ isConstant }) => isConstant)) return null;
  return refuse(
    "constant-assertion",
    path,
    test.assertions[0]?.line ?? test.line,
    `${title} compares only constants, or a value with itself`,
  );
}

function judgeSwallowing(path: string, test: TestFacts, earlier: readonly TestFacts[]): readonly Finding[] {
  const swallowed = test.assertions.filter(({ isSwallowed }) => isSwallowed);
  const [first] = swallowed;
  const before = Math.max(0, ...earlier.map(({ assertions }) => assertions.filter(({ isSwallowed }) => isSwallowed).length));
  if (first === undefined || swallowed.length <= before) return [];
  return [refuse("error-swallowed", path, first.line, `in ${titleOf(test)} the failure of an assertion is caught and forgotten`)];
}

interface Rest {
  /** Every assertion that stands in a changed file now. */
  readonly remaining: ReadonlySet<string>;
  /** Functions that the change removed: what asserted about them has nothing to assert. */
  readonly gone: readonly string[];
  readonly isNamed: boolean;
}

function namesIn(files: readonly SourceFacts[]): ReadonlySet<string> {
  return new Set(files.flatMap(({ functions }) => functions.map(({ name }) => name)));
}

function judgeRemoval({ path, before, after }: ReadSource, test: TestFacts, { remaining, gone, isNamed }: Rest): readonly Finding[] {
  const [old, second] = before?.tests.filter(({ name }) => name === test.name && name !== "") ?? [];
  if (old === undefined || second !== undefined || old.isSkipped || !hasFewer(old, test)) return [];
  const now = new Set(test.assertions.map(({ text }) => text));
  const then = new Set(old.assertions.map(({ text }) => text));
  const lost = real(old.assertions).filter(
    ({ text }) => !remaining.has(text) && !text.split(/[^\w$]+/).some((word) => gone.includes(word)),
  );
  if (lost.length === 0) return [];
  const text = `${titleOf(test)} has ${real(test.assertions).length} assertions, and had ${real(old.assertions).length}`;
  // Several assertions may have become one that says as much: a whole value, a table.
  const added = real(test.assertions).filter((one) => !then.has(one.text));
  const isRewritten = added.length > 0 && lengthOf(added) * 2 >= lengthOf(lost.filter((one) => !now.has(one.text)));
  // Or they stand in a helper now, of another file.
  const known = new Set(before?.imports.map(({ module }) => module));
  const hasNewHelper = after.imports.some(({ module }) => module.startsWith(".") && !known.has(module));
  const make = isNamed || isRewritten || hasNewHelper ? remark : refuse;
  return [make("assertion-removed", path, test.line, text)];
}

function hasFewer(old: TestFacts, test: TestFacts): boolean {
  if (test.mayAssertElsewhere && !old.mayAssertElsewhere) return false;
  const isTable = test.assertions.some(({ isRepeated }) => isRepeated) && !old.assertions.some(({ isRepeated }) => isRepeated);
  return !isTable && real(test.assertions).length < real(old.assertions).length;
}

/** A constant was never an assertion, before or after; a throw beside others is a guard that narrows a type or finds a fixture. */
function real(assertions: readonly AssertionFacts[]): readonly AssertionFacts[] {
  const varying = assertions.filter(({ isConstant }) => !isConstant);
  const said = varying.filter(({ text }) => !/^(throw|raise)\b/.test(text));
  return said.length > 0 ? said : varying;
}

function lengthOf(assertions: readonly AssertionFacts[]): number {
  return assertions.reduce((sum, { text }) => sum + text.length, 0);
}

function titleOf({ name }: TestFacts): string {
  return name === "" ? "a test" : `the test "${name.length > 80 ? `${name.slice(0, 79)}…` : name}"`;
}
