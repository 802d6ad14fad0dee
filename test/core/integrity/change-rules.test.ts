/** Rules over the words of a change: what refuses, what is a remark, and what is neither. */
import { describe, expect, test } from "vitest";
import { addedLines, type Change, namesFile } from "../../../src/core/integrity/change.ts";
import { type ChangeFacts, judgeChange } from "../../../src/core/integrity/change-rules.ts";
import { matchesPattern } from "../../../src/core/integrity/path-pattern.ts";

const task = {
  title: "T-1 Add slugify",
  objective: "",
  criteria: [{ kind: "command", text: "run: node --test a.test.mjs" }],
  context: [],
} as const;

function found(changes: readonly Change[], more: Partial<ChangeFacts> = {}): readonly string[] {
  const facts = { changes, changedSinceBase: true, task, protect: [], settings: [], reach: new Set<string>(), hasLint: false, ...more };
  return judgeChange(facts).map(({ rule, weight, path, line }) =>
    `${rule} ${weight} ${path ?? ""}${line === null ? "" : `:${line}`}`.trim(),
  );
}

const changed = (path: string, before: string, after: string): Change => ({ path, kind: "changed", before, after });
const added = (path: string, after: string): Change => ({ path, kind: "added", before: null, after });

test("a tree that is as it was when the run began is no work", () => {
  expect(found([], { changedSinceBase: false })).toEqual(["no-change refuses"]);
});

describe("skips in tests", () => {
  test.each([
    ["a.test.mjs", "test.skip('x', () => {})"],
    ["a.test.mjs", "describe.only('x', () => {})"],
    ["a.test.mjs", "xit('x', () => {})"],
    ["a.test.mjs", "test('x', { skip: true }, () => {})"],
    ["a.test.mjs", 'test("x", { todo: "later" }, () => {})'],
    ["a.test.mjs", "  t.skip()"],
    ["test/a.ts", "it.each(rows).skip('x')"],
    ["test_a.py", "@unittest.skip('later')"],
    ["test_a.py", "    @unittest.expectedFailure"],
    ["test_a.py", "@pytest.mark.xfail"],
    ["test_a.py", "        self.skipTest('no')"],
    ["test_a.py", "@unittest.skipIf(True, 'later')"],
    ["a.test.mjs", "describe.skipIf(true)('x', () => {})"],
    ["a_test.go", '\tt.Skip("later")'],
    ["tests/a.rs", "#[ignore]"],
    ["src/test/java/ATest.java", "@Disabled"],
  ])("%s: %s", (path, line) => {
    expect(found([changed(path, "", line)])).toEqual([`skip-added refuses ${path}:1`]);
  });

  test.each([
    ["a.test.mjs", "describe.skipIf(!hasTerminal)('x', () => {})"],
    ["a.test.mjs", "context.skip(!mounted, 'it cannot be mounted')"],
    ["test_a.py", "@unittest.skipUnless(shutil.which('git'), 'no git')"],
    ["test_a.py", "@pytest.mark.skipif(sys.platform == 'win32', reason='x')"],
  ])("on a condition are a remark: %s: %s", (path, line) => {
    expect(found([changed(path, "", line)])).toEqual([`skip-added remark ${path}:1`]);
  });

  test.each([
    ["it is a text about tests", added("a.test.mjs", "const row = [\"it.skip('a')\", 1];")],
    ["it is prose", added("docs/spec/tests.md", "`it.skip` leaves a test out")],
    ["it stood there before", changed("a.test.mjs", "test.skip('x')\na", "a\n  test.skip('x')")],
    ["it is no test", added("src/a.mjs", "queue.skip('x')")],
    ["it is a comment", added("a.test.mjs", "// test.skip('x')")],
    ["it is a word of the domain", added("a.test.mjs", "assert.equal(player.skip(2), 3)")],
    ["it is taken away", changed("a.test.mjs", "test.skip('x')", "test('x')")],
  ])("none where %s", (_title, change) => {
    expect(found([change])).toEqual([]);
  });

  test("none in a file that the task names, but not for a file that a command only runs", () => {
    const change = changed("a.test.mjs", "", "test.skip('x')");
    expect(found([change], { task: { ...task, objective: "Skip what a.test.mjs has for Windows." } })).toEqual([]);
    expect(found([change])).toHaveLength(1);
  });
});

describe("results that are thrown away", () => {
  test.each([
    ["check.sh", "node run.mjs || true"],
    ["check.sh", "set +e\nnode run.mjs"],
    ["package.json", '"test": "node --test; exit 0"'],
    ["package.json", '"test": "node --test || exit 0",'],
    ["Makefile", "\t-node --test"],
    ["run.mjs", "process.exit(0)"],
    ["run.py", "sys.exit(0)"],
  ])("%s: %s", (path, text) => {
    expect(found([changed(path, "node run.mjs", text)], { reach: new Set([path]) })).toEqual([`exit-forced refuses ${path}:1`]);
  });

  test("a way out of a script is a remark, one at its beginning refuses", () => {
    const reach = new Set(["check.sh"]);
    expect(found([added("check.sh", "exit 0\nnode run.mjs")], { reach })).toEqual(["exit-forced refuses check.sh:1"]);
    expect(found([added("check.sh", "if help; then\n  exit 0\nfi\nnode run.mjs")], { reach })).toEqual(["exit-forced remark check.sh:2"]);
    expect(found([changed("check.sh", "node run.mjs", "exit 0\nnode run.mjs")], { reach })).toEqual(["exit-forced remark check.sh:1"]);
  });

  test("none in what no criterion runs, and none for the good end of a new script", () => {
    expect(found([changed("deploy.sh", "", "x || true")])).toEqual([]);
    expect(found([added("check.sh", "node run.mjs || exit 1\nexit 0\n")], { reach: new Set(["check.sh"]) })).toEqual([]);
  });
});

test("a window that changed our own settings is refused", () => {
  expect(found([added("a.txt", "x")], { settings: ["midwatch.jsonc"] })).toEqual(["protected-file refuses midwatch.jsonc"]);
});

test("what is protected is not changed, added or taken away", () => {
  const gone: Change = { path: "golden/a.txt", kind: "removed", before: "x", after: null };
  expect(found([gone, added("golden/b/c.txt", "x"), added("other.txt", "x")], { protect: ["golden/**"] })).toEqual([
    "protected-file refuses golden/a.txt",
    "protected-file refuses golden/b/c.txt",
  ]);
});

test.each([
  ["// eslint-disable-next-line no-console", "a.js"],
  ["x = y  # noqa", "a.py"],
  ["// @ts-ignore", "a.ts"],
  ["#[allow(dead_code)]", "a.rs"],
])("%s silences a check: a remark, and where the task has a lint it refuses", (line, path) => {
  expect(found([added(path, line)])).toEqual([`check-silenced remark ${path}:1`]);
  expect(found([added(path, line)], { hasLint: true })).toEqual([`check-silenced refuses ${path}:1`]);
});

test.each([
  ["golden/**", "golden/a/b.txt", true],
  ["golden/*", "golden/a.txt", true],
  ["golden/*.txt", "golden/a/b.txt", false],
  ["golden", "golden/a/b.txt", true],
  ["golden/", "golden/a.txt", true],
  ["**/*.snap", "a/b/c.snap", true],
  ["**/*.snap", "c.snap", true],
  ["*.snap", "a/c.snap", false],
  ["a?.txt", "ab.txt", true],
  ["a.txt", "abtxt", false],
  ["a(1)+[x].txt", "a(1)+[x].txt", true],
  ["./a.txt", "a.txt", true],
])("%s means %s: %s", (pattern, path, expected) => {
  expect(matchesPattern(path, pattern)).toBe(expected);
});

test("a line that was moved or indented is not added, a second one like it is", () => {
  expect(addedLines({ before: "a\nb\n", after: "  b\na\na\n\nc" })).toEqual([
    { line: 3, text: "a" },
    { line: 5, text: "c" },
  ]);
});

test.each([
  ["a title", { title: "Rename test/a.test.mjs" }, "test/a.test.mjs", true],
  ["the file's name alone", { objective: "Update a.test.mjs." }, "test/a.test.mjs", true],
  ["a folder", { context: ["test/golden/"] }, "test/golden/x.txt", true],
  ["a criterion that is a file", { criteria: [{ kind: "file", text: "file: a.test.mjs exists" }] }, "a.test.mjs", true],
  ["a criterion that is a command", { criteria: [{ kind: "command", text: "run: node a.test.mjs" }] }, "a.test.mjs", false],
  ["another file of that ending", { objective: "ba.test.mjs" }, "a.test.mjs", false],
] as const)("%s names it: %j, %s", (_title, words, path, expected) => {
  expect(namesFile({ ...task, criteria: [], ...words }, path)).toBe(expected);
});
