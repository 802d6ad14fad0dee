/** Facts of a file with nothing in it, and small changes of them. */
import type { AssertionFacts, FunctionFacts, SourceFacts, TestFacts } from "../../../src/core/integrity/source.ts";
import type { ChangedSource } from "../../../src/core/integrity/source-change.ts";
import { judgeSources, type SourcesInput } from "../../../src/core/integrity/source-rules.ts";

export const file = (change: Partial<SourceFacts> = {}): SourceFacts => ({
  tests: [],
  functions: [],
  imports: [],
  mocks: [],
  exits: [],
  testQuestions: [],
  literals: new Set(),
  names: new Set(),
  yesToAll: [],
  isEmpty: false,
  ...change,
});

export const assertion = (text: string, change: Partial<AssertionFacts> = {}): AssertionFacts => ({
  line: 2,
  text,
  isRepeated: false,
  isConstant: false,
  isSwallowed: false,
  ...change,
});

export const aTest = (change: Partial<TestFacts> = {}): TestFacts => ({
  name: "makes dashes",
  line: 1,
  endLine: 5,
  isSkipped: false,
  statements: 1,
  hasCommentedCode: false,
  assertions: [assertion("equal(f(1), 2)")],
  mayAssertElsewhere: false,
  body: "",
  times: 1,
  ...change,
});

export const aFunction = (change: Partial<FunctionFacts> = {}): FunctionFacts => ({
  name: "roman",
  line: 1,
  endLine: 5,
  statements: 2,
  hasCommentedCode: false,
  answers: [],
  computes: true,
  stub: null,
  offSwitch: null,
  ...change,
});

/** One file of a change; every line from 1 to 9 is added, unless lines are given. */
export const changed = (
  path: string,
  after: SourceFacts | null,
  before: SourceFacts | null = null,
  lines: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9],
): ChangedSource => ({
  path,
  kind: before === null ? "added" : "changed",
  before,
  after: after === null ? { kind: "unknown" } : { kind: "facts", facts: after },
  addedLines: lines.map((line) => ({ line, text: "" })),
});

const plain: Omit<SourcesInput, "files"> = {
  named: new Set(),
  taskText: "",
  words: "",
  counted: [],
  asksForCoverage: false,
  testLiterals: new Set(),
  uses: null,
  product: null,
};

/** The findings of a change as `rule weight path:line`. */
export function judged(files: readonly ChangedSource[], input: Partial<SourcesInput> = {}): readonly string[] {
  return judgeSources({ ...plain, ...input, files }).map(({ rule, weight, path, line }) => `${rule} ${weight} ${path}:${line ?? "all"}`);
}
