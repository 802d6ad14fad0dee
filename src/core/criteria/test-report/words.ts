/**
 * The words of runners that print for people: each is known by its whole summary, line for line, never by a single line, which a test may print too.
 * A command that runs several prints several; they are added up.
 */
import { countsIn } from "./lines.ts";
import { joinReports, type TestReport, wholeNames } from "./report.ts";
import { namesInTree } from "./titles.ts";

type Counts = Pick<TestReport, "passed" | "failed" | "skipped">;
type ReadWords = (lines: readonly string[]) => TestReport | null;

function toReport(
  runner: string,
  summaries: readonly Counts[],
  names: (passed: number) => readonly string[] | null = () => null,
): TestReport | null {
  const joined = joinReports(summaries.map((counts) => ({ runner, ...counts, assertions: null, names: null })));
  return joined === null ? null : { ...joined, names: names(joined.passed) };
}

/** Each place where the lines of a summary stand one below the other, with others between where `gap` says so. */
function blocks(lines: readonly string[], first: RegExp, last: RegExp, most: number): readonly (readonly string[])[] {
  return lines.flatMap((line, at) => {
    if (line.length > 500 || !first.test(line)) return [];
    const end = lines.slice(at, at + most).findIndex((other) => last.test(other));
    return end < 0 ? [] : [lines.slice(at, at + end + 1)];
  });
}

const readVitest: ReadWords = (lines) =>
  toReport(
    "vitest",
    blocks(lines, /^ *Test Files {2}\S/, /^ *Duration {2}\d/, 10).flatMap((block) => {
      const words = block.map((line) => /^ *Tests {2}(.+)$/.exec(line)?.[1]).find((found) => found !== undefined) ?? "";
      if (words.trim() === "no tests") return [{ passed: 0, failed: 0, skipped: 0 }];
      const { passed = 0, failed = 0, skipped = 0, todo = 0 } = countsIn(words);
      const total = Number(/\((\d{1,9})\)$/.exec(words.trim())?.[1] ?? Number.NaN);
      return passed + failed + skipped + todo === total ? [{ passed, failed, skipped: skipped + todo }] : [];
    }),
    (passed) =>
      wholeNames(
        lines.flatMap((line) => /^ +✓ (\S+ > .+?)(?: \d+ms)?$/.exec(line.slice(0, 2000))?.[1]?.trim() ?? []),
        passed,
      ),
  );

const readJest: ReadWords = (lines) =>
  toReport(
    "jest",
    blocks(lines, /^Test Suites: +\d/, /^Time: +\d/, 6).flatMap((block) => {
      const words = block.map((line) => /^Tests: +(.+)$/.exec(line)?.[1]).find((found) => found !== undefined) ?? "";
      const { passed = 0, failed = 0, skipped = 0, todo = 0, total } = countsIn(words);
      return passed + failed + skipped + todo === total ? [{ passed, failed, skipped: skipped + todo }] : [];
    }),
    (passed) => namesInTree(lines, { passed: /^ +✓ (.+?)(?: \(\d+(?:\.\d+)? m?s\))?$/, group: /^ {2,}([^\s✓✕○✎●>|].*)$/ }, passed),
  );

const readMocha: ReadWords = (lines) =>
  toReport(
    "mocha",
    lines.flatMap((line, at) => {
      const passed = /^ {2}(\d{1,9}) passing \(\d+m?[sh]?\)$/.exec(line)?.[1];
      if (passed === undefined || lines[at - 1]?.trim() !== "") return [];
      const after = lines.slice(at + 1, at + 3);
      const of = (word: string) =>
        Number(after.map((other) => new RegExp(`^ {2}(\\d{1,9}) ${word}$`).exec(other)?.[1]).find((found) => found !== undefined) ?? 0);
      return [{ passed: Number(passed), skipped: of("pending"), failed: of("failing") }];
    }),
    (passed) => namesInTree(lines, { passed: /^ +[✔✓] (.+?)(?: \(\d+ms\))?$/, group: /^ {2,}([^\s✔✓\-\d].*)$/ }, passed),
  );

const nodeNames = ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo"] as const;

/** The spec reporter writes `ℹ`, the older ones `#`. */
const readNodeTest: ReadWords = (lines) =>
  toReport(
    "node:test",
    lines.flatMap((line, at) => {
      if (!/^(ℹ|#) tests \d/.test(line)) return [];
      const counts = nodeNames.map((name, index) =>
        Number(new RegExp(`^(?:ℹ|#) ${name} (\\d{1,9})$`).exec(lines[at + index] ?? "")?.[1] ?? Number.NaN),
      );
      const [tests = 0, , pass = 0, fail = 0, cancelled = 0, skipped = 0, todo = 0] = counts;
      const isWhole = counts.every((count) => !Number.isNaN(count)) && pass + fail + cancelled + skipped + todo === tests;
      return isWhole ? [{ passed: pass, failed: fail + cancelled, skipped: skipped + todo }] : [];
    }),
    (passed) => namesInTree(lines, { passed: /^ *✔ (.+) \(\d+(?:\.\d+)?ms\)$/, group: /^ *▶ (.+)$/ }, passed),
  );

const pytestWords =
  /^(?:=+ )?((?:\d+ (?:passed|failed|skipped|errors?|xfailed|xpassed|warnings?|deselected|rerun|subtests passed)(?:, )?)+|no tests ran) in \d+\.\d+s(?: \([\d:]+\))?(?: =+)?$/;

const readPytest: ReadWords = (lines) =>
  toReport(
    "pytest",
    lines.flatMap((line) => {
      const words = line.length > 500 ? undefined : pytestWords.exec(line)?.[1];
      if (words === undefined) return [];
      const { passed = 0, failed = 0, skipped = 0, error = 0, errors = 0, xfailed = 0, xpassed = 0 } = countsIn(words);
      return [{ passed: passed + xpassed, failed: failed + error + errors, skipped: skipped + xfailed }];
    }),
    (passed) =>
      wholeNames(
        lines.flatMap((line) => /^(\S+::.+?) (?:PASSED|XPASS) +\[ *\d+%\]$/.exec(line.slice(0, 2000))?.[1] ?? []),
        passed,
      ),
  );

const readUnittest: ReadWords = (lines) =>
  toReport(
    "unittest",
    lines.flatMap((line, at) => {
      const ran = /^Ran (\d{1,9}) tests? in \d+\.\d+s$/.exec(line)?.[1];
      // The last line of an output that was cut may be half a line.
      const end = lines
        .slice(at + 1, Math.min(at + 4, lines.length - 1))
        .find((other) => /^(OK|FAILED|NO TESTS RAN)( \(.+\))?$/.test(other));
      if (ran === undefined || end === undefined || !/^-{70}$/.test(lines[at - 1] ?? "")) return [];
      const of = (word: string) => Number(new RegExp(`[( ]${word}=(\\d{1,9})[,)]`).exec(end)?.[1] ?? 0);
      const failed = of("failures") + of("errors") + of("unexpected successes");
      const skipped = of("skipped") + Number(/expected failures=(\d{1,9})/.exec(end)?.[1] ?? 0);
      const passed = Number(ran) - failed - skipped;
      return passed < 0 ? [] : [{ passed, failed, skipped }];
    }),
    (passed) =>
      wholeNames(
        lines.flatMap((line) => /^(\w+ \([\w.]+\)) \.\.\. ok$/.exec(line.slice(0, 2000))?.[1] ?? []),
        passed,
      ),
  );

const readCargo: ReadWords = (lines) =>
  toReport(
    "cargo test",
    lines.flatMap((line) => {
      const counts =
        /^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored; \d+ measured; \d+ filtered out/.exec(
          line.slice(0, 500),
        );
      return counts === null ? [] : [{ passed: Number(counts[1]), failed: Number(counts[2]), skipped: Number(counts[3]) }];
    }),
    (passed) =>
      wholeNames(
        lines.flatMap((line) => /^test (\S.*?) \.\.\. ok$/.exec(line.slice(0, 2000))?.[1] ?? []),
        passed,
      ),
  );

const readers: readonly ReadWords[] = [readVitest, readJest, readMocha, readNodeTest, readPytest, readUnittest, readCargo];

export function readWords(lines: readonly string[]): TestReport | null {
  return joinReports(readers.flatMap((read) => read(lines) ?? []));
}
