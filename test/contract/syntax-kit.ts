/** Short forms of what the syntax adapter tells, so that a row of a table is one line. */
import { expect } from "vitest";
import { syntax } from "../../src/adapters/syntax/syntax.ts";
import type { SourceFacts, TestFacts } from "../../src/core/integrity/source.ts";

export function facts(path: string, text: string): SourceFacts {
  const reading = syntax.read(path, text);
  expect(reading).toMatchObject({ kind: "facts" });
  return (reading as { facts: SourceFacts }).facts;
}

/** `name: 2 statements, 1 assertion (1 constant, 1 swallowed), skipped, commented, elsewhere` */
export function brief(test: TestFacts | undefined): string {
  if (test === undefined) return "no test";
  const constant = test.assertions.filter((one) => one.isConstant).length;
  const swallowed = test.assertions.filter((one) => one.isSwallowed).length;
  const notes = [
    `${test.name}: ${test.statements}s ${test.assertions.length}a`,
    ...(constant > 0 ? [`${constant} constant`] : []),
    ...(swallowed > 0 ? [`${swallowed} swallowed`] : []),
    ...(test.assertions.some((one) => one.isRepeated) ? ["repeated"] : []),
    ...(test.isSkipped ? ["skipped"] : []),
    ...(test.hasCommentedCode ? ["commented"] : []),
    ...(test.mayAssertElsewhere ? ["elsewhere"] : []),
  ];
  return notes.join(", ");
}
