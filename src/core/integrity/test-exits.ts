/** A process that a test ends with 0 is green, whatever was still to come. */
import { type Finding, refuse, remark } from "./finding.ts";
import type { ReadSource } from "./source-change.ts";
import { isTestFile } from "./test-files.ts";

/** Runners that report after the file has run: an end of the process is an end of the report. */
const runners = /^(node:test|vitest|@?jest.*|mocha|ava|tap|tape|bun:test|uvu|@playwright\/test|unittest|pytest)(\/|\.|$)/;

export function judgeExits(sources: readonly ReadSource[]): readonly Finding[] {
  return sources
    .filter(({ path, after }) => isTestFile(path) || after.tests.length > 0)
    .flatMap(({ path, before, after, added }) => {
      const fresh = after.exits.filter(({ line }) => added.has(line));
      if (fresh.length === 0 || (before?.exits.length ?? 0) >= after.exits.length) return [];
      const hasRunner = after.imports.some(({ module }) => runners.test(module));
      return fresh.map(({ line, isSettled }) => {
        const isInTest = after.tests.some((test) => line >= test.line && line <= test.endLine);
        const make = isSettled || isInTest || (hasRunner && after.tests.length > 0) ? refuse : remark;
        return make("exit-in-test", path, line, "the test file ends the process with 0, whatever its tests say");
      });
    });
}
