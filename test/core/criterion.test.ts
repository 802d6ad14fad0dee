import fc from "fast-check";
import { expect, test } from "vitest";
import type { CriterionParse, FileExpectation } from "../../src/core/criteria/criterion.ts";
import { parseCriterion } from "../../src/core/criteria/parse.ts";
import { codeSpan, foldWords, looksLikeCommand, unwrapBold } from "../../src/core/criteria/words.ts";

const command = (text: string, value: string): CriterionParse => ({ kind: "command", text, command: value });
const file = (text: string, path: string, expect: FileExpectation): CriterionParse => ({ kind: "file", text, path, expect });
const exists: FileExpectation = { kind: "exists" };
const absent: FileExpectation = { kind: "absent" };
const contains = (needle: string): FileExpectation => ({ kind: "contains", needle });

test.each([
  ["command: npm test", "npm test"],
  ["run: npm test", "npm test"],
  ["comando: npm test", "npm test"],
  ["RUN:npm test", "npm test"],
  ["$ npm test", "npm test"],
  ["`npm test`", "npm test"],
  ["`$ npm test`", "npm test"],
  ["run: `npm test`", "npm test"],
  ["run: $ npm test", "npm test"],
  ["`run: npm test`", "npm test"],
  ["**run:** npm test", "npm test"],
  ["**Run**: npm test", "npm test"],
  ["**run: npm test**", "npm test"],
  ["`` echo `date` ``", "echo `date`"],
  ['run: grep -q "a: b" x && echo `date`', 'grep -q "a: b" x && echo `date`'],
  ["  run: npm test  ", "npm test"],
])("%j is the command %j", (text, value) => {
  expect(parseCriterion(text)).toEqual(command(text.trim(), value));
});

test.each<[string, string, FileExpectation]>([
  ["file: src/a.ts exists", "src/a.ts", exists],
  ["file: src/a.ts", "src/a.ts", exists],
  ["arquivo: src/a.ts existe", "src/a.ts", exists],
  ["File: `src/a.ts` Exists.", "src/a.ts", exists],
  ["file: a.log absent", "a.log", absent],
  ["arquivo: a.log ausente", "a.log", absent],
  ["file: a.log does not exist", "a.log", absent],
  ["arquivo: a.log não existe", "a.log", absent],
  ["arquivo: a.log nao existe", "a.log", absent],
  ['file: README.md contains "Usage"', "README.md", contains("Usage")],
  ['arquivo: README.md contém "Uso"', "README.md", contains("Uso")],
  ['arquivo: README.md contém "Uso"'.normalize("NFD"), "README.md", contains("Uso")],
  ['arquivo: README.md contem "Uso"', "README.md", contains("Uso")],
  ["file: 'my notes.md' contains 'two words'", "my notes.md", contains("two words")],
  ["file: `my notes.md` contains `two words`", "my notes.md", contains("two words")],
  ["file: a.ts contains export function slugify(", "a.ts", contains("export function slugify(")],
  ["file: a.ts contains “Usage”", "a.ts", contains("Usage")],
  [String.raw`file: a.ts contains "say \"hi\" \\ \d"`, "a.ts", contains(String.raw`say "hi" \ \d`)],
  ["`file: src/a.ts absent`", "src/a.ts", absent],
  ["file: a/../b.ts exists", "a/../b.ts", exists],
  ["file: contains exists", "contains", exists],
  ["file: app/[id].tsx exists", "app/[id].tsx", exists],
])("%j asks for the file %j", (text, path, expectation) => {
  expect(parseCriterion(text)).toEqual(file(text.trim(), path, expectation));
});

test.each([
  "Names are in English",
  "npm test",
  "`npm test` and `npm run lint` pass",
  "The command: npm test passes",
  "runs: often",
  "profile: a.ts exists",
  "$5 a month",
  "see file: a.ts exists",
  "constructor: none",
  "",
])("%j is prose", (text) => {
  expect(parseCriterion(text)).toEqual({ kind: "prose", text });
});

test.each([
  ["run:", "no command"],
  ["command: ``", "no command"],
  ["$ $", "no command"],
  ["run: a\0b", "NUL"],
  ["file:", "names no file"],
  ["file: a.ts contains", "PATH"],
  ['file: a.ts contains ""', "PATH"],
  ['file: a.ts contains "open', "PATH"],
  ['file: a.ts contains "a" and "b"', "PATH"],
  [String.raw`file: a.ts contains "C:\temp\"`, "PATH"],
  ["file: a.ts is there", "PATH"],
  ["file: my notes.md exists", "PATH"],
  ["file: 'a.ts exists", "names no file"],
  ["file: /etc/passwd exists", "absolute"],
  ["file: ~/x exists", "absolute"],
  [String.raw`file: C:\x exists`, "absolute"],
  [String.raw`file: \\host\x exists`, "absolute"],
  ["file: ../x exists", "leaves the repository"],
  ["file: a/../../x exists", "leaves the repository"],
  [String.raw`file: a\..\..\x exists`, "leaves the repository"],
  ["file: . exists", "repository itself"],
  ["file: dist/*.js exists", "pattern"],
  ["file: 'a\tb' exists", "control character"],
])("%j is malformed: %s", (text, reason) => {
  expect(parseCriterion(text)).toEqual({ kind: "malformed", text, reason: expect.stringContaining(reason) });
});

test.each([
  ["npm test", true],
  ["./check.sh --all", true],
  ["npm", false],
  ["make sure that it works", false],
  ["Tests pass", false],
])("%j looks like a command: %s", (text, expected) => {
  expect(looksLikeCommand(text)).toBe(expected);
});

test("key words are compared without case, accents and extra spaces", () => {
  expect(foldWords("  CRITÉRIOS  de Conclusão ")).toBe("criterios de conclusao");
});

test("bold marks are taken off only when they hold the whole text", () => {
  expect(["**a b**", "__a__", "**a** and **b**", "****", "**a"].map(unwrapBold)).toEqual(["a b", "a", "**a** and **b**", "****", "**a"]);
});

test("a code span is one only when its backticks close at the end", () => {
  expect(["`a`", "`` a`b ``", "`a` `b`", "``", "`", "`a``", "` `"].map(codeSpan)).toEqual(["a", "a`b", null, null, null, null, null]);
});

test("every text is a criterion or malformed, and keeps the person's own words", () => {
  const piece = fc.constantFrom(
    "run:",
    "file:",
    "arquivo:",
    " ",
    "`",
    '"',
    "a.ts",
    "contains",
    "não existe",
    "\\",
    "..",
    "/",
    "$",
    "*",
    "\n",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.array(piece).map((parts) => parts.join("")),
      ),
      (text) => {
        expect(parseCriterion(text).text).toBe(text.trim());
      },
    ),
  );
});

test("long texts are read in a moment", () => {
  const startedAt = performance.now();
  for (const text of [
    " ".repeat(1e6),
    "`".repeat(1e6),
    "*".repeat(1e6),
    `file: ${'"'.repeat(1e6)}`,
    `file: a contains "${'\\"'.repeat(5e5)}`,
    "a ".repeat(5e5),
  ])
    parseCriterion(text);
  expect(performance.now() - startedAt).toBeLessThan(1000);
});
