/** A test that replaces what it tests, and then calls the replacement. Replacing what the subject needs is what mocks are for. */
import { type Finding, refuse } from "./finding.ts";
import { isInPythonModule, resolveModule, stemOf, withoutEnding } from "./module-paths.ts";
import type { MockFacts } from "./source.ts";
import type { ReadSource } from "./source-change.ts";
import { isTestFile, subjectOf } from "./test-files.ts";

/** @param changed  every path that the change touched */
export function judgeMocks(sources: readonly ReadSource[], changed: readonly string[]): readonly Finding[] {
  const code = changed.filter((path) => !isTestFile(path));
  return [...judgeSubjects(sources, code), ...sources.flatMap(judgeLibrary)];
}

const assertionLibrary =
  /^((node:)?assert(\/strict)?|chai|expect|vitest|@jest\/globals)#(ok|equal|notEqual|deepEqual|strictEqual|deepStrictEqual|notDeepEqual|notStrictEqual|throws|rejects|match|fail|assert|expect)$|^unittest\.(case\.)?(TestCase|\w+)\.(assert(True|False|Equals?|NotEqual|In|Is|Raises|\w+Equal)|fail)$/;

/** Whoever replaces the assertions themselves has tests that cannot fail. */
function judgeLibrary({ path, before, after, added }: ReadSource): readonly Finding[] {
  const old = new Set(before?.mocks.map(({ target }) => target));
  return after.mocks
    .filter(({ target, line }) => assertionLibrary.test(target) && added.has(line) && !old.has(target))
    .map(({ target, line }) => refuse("subject-mocked", path, line, `${target}, which the tests assert with, is replaced`));
}

function judgeSubjects(sources: readonly ReadSource[], code: readonly string[]): readonly Finding[] {
  return sources
    .filter(({ path, after }) => isTestFile(path) || after.tests.length > 0)
    .flatMap((source) => {
      const old = new Set(source.before?.mocks.map(({ target }) => target));
      const subject = subjectOf(source.path);
      const fresh = source.after.mocks.filter(({ line, target }) => source.added.has(line) && !old.has(target));
      return fresh
        .filter(({ isCalled }) => isCalled)
        .filter((mock) => isSubject(source, mock, { subject, code }))
        .map(({ target, line }) =>
          refuse("subject-mocked", source.path, line, `the test replaces ${target}, calls the replacement and so tests itself`),
        );
    });
}

interface Subjects {
  readonly subject: string | null;
  readonly code: readonly string[];
}

/** By the test file's name where it names a module that the file asks for; else by what was changed. */
function isSubject({ path, after }: ReadSource, { target }: MockFacts, { subject, code }: Subjects): boolean {
  const names = [...after.imports.map(({ module }) => module), ...after.mocks.map((mock) => mock.target)].map(moduleName);
  if (subject !== null && names.some((name) => name.includes(subject))) return moduleName(target).includes(subject);
  const [module = ""] = target.split("#");
  const resolved = resolveModule(path, module);
  if (resolved !== null) return code.some((one) => withoutEnding(one) === resolved);
  return path.endsWith(".py") && code.some((one) => one.endsWith(".py") && isInPythonModule(one, target));
}

/** The parts of a name that may be a module's: the last of a path, or all of a dotted name. */
function moduleName(target: string): readonly string[] {
  const [module = ""] = target.split("#");
  return module.includes("/") ? [stemOf(module)] : module.replace(/^\.+/, "").split(".");
}
