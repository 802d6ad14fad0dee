/** Which tests of a report are new, by two others. */
import type { TestReport } from "../criteria/test-report/report.ts";

/**
 * @param before  of the last accepted claim's tree; @param without  of HEAD with the change taken out, its tests kept.
 * Null = nothing could be read there: then no test passed.
 */
export function countFresh(own: TestReport, before: TestReport | null, without: TestReport | null): number {
  const others = [before, without].filter((report) => report !== null);
  if (own.names === null || others.some(({ names }) => names === null)) {
    return Math.max(0, own.passed - Math.max(0, ...others.map(({ passed }) => passed)));
  }
  const known = new Set(others.flatMap(({ names }) => names ?? []));
  return own.names.filter((name) => !known.has(name)).length;
}
