import { expect, test } from "vitest";
import { judgeUnparsed } from "../../../src/core/integrity/unparsed-tests.ts";

function judged(path: string, before: string | null, after: string | null, title = "half(n) must be right") {
  const kind = before === null ? "added" : after === null ? "removed" : "changed";
  const found = judgeUnparsed([{ path, kind, before, after }], { title, objective: "", criteria: [], context: [] });
  return found.map(({ rule, weight, line }) => `${rule} ${weight} ${line ?? "all"}`);
}

const main = (end: string) => `package x\n\nfunc TestMain(m *testing.M) {\n\t${end}\n}\n`;
const rust = (tests: string) => `pub fn half(n: i32) -> i32 { n / 3 }\n\nmod tests {\n${tests}}\n`;
const one = "    #[test]\n    fn ten() { assert_eq!(half(10), 5); }\n";
const two = `${one}    #[test]\n    fn zero() { assert_eq!(half(0), 0); }\n`;

test.each<[string, string, string | null, string, readonly string[]]>([
  ["an end with 0 in Go", "main_test.go", null, main("m.Run()\n\tos.Exit(0)"), ["exit-in-test refuses 5"]],
  ["an end with 0 in Ruby", "spec/a_spec.rb", null, "at_exit { exit! 0 }\n", ["exit-in-test refuses 1"]],
  ["an end with 0 in Java", "ATest.java", null, "  @AfterAll static void end() { System.exit(0); }\n", ["exit-in-test refuses 1"]],
  ["an empty test in Go", "a_test.go", null, "package x\n\nfunc TestA(t *testing.T) {\n\t// later\n}\n", ["empty-test refuses 3"]],
  ["an empty test in Rust", "src/lib.rs", null, "    #[test]\n    fn a() {}\n", ["empty-test refuses 1"]],
  [
    "a test that is left out",
    "src/lib.rs",
    rust(two),
    rust(two.replace("    fn ten", "    #[ignore]\n    fn ten")),
    ["skip-added refuses 5"],
  ],
  [
    "a test that is to panic",
    "src/lib.rs",
    rust(two),
    rust(two.replace("    fn ten", "    #[should_panic]\n    fn ten")),
    ["skip-added refuses 5"],
  ],
  ["a test that went", "src/lib.rs", rust(two), rust(one), ["tests-fewer refuses all"]],
])("refused: %s", (_name, path, before, after, expected) => {
  expect(judged(path, before, after)).toEqual(expected);
});

test.each<[string, string, string | null, string]>([
  ["the end that the tests have", "main_test.go", null, main("os.Exit(m.Run())")],
  ["an end with 0 of a program", "main.go", null, main("os.Exit(0)")],
  ["an end with 0 in a comment", "main_test.go", null, main("check()\n\t// os.Exit(0)")],
  ["a test with a statement", "a_test.go", null, "package x\n\nfunc TestA(t *testing.T) {\n\tcheck(t)\n}\n"],
  ["an empty test that was there", "a_test.go", "func TestA(t *testing.T) {}\n", "func TestA(t *testing.T) {}\n\nfunc half() {}\n"],
  [
    "a new test that is to panic",
    "src/lib.rs",
    rust(one),
    rust(`${one}    #[test]\n    #[should_panic]\n    fn none() { half_of(None); }\n`),
  ],
  ["a skip that went", "src/lib.rs", rust(one.replace("    fn", "    #[ignore]\n    fn")), rust(one)],
  ["as many tests under other names", "src/lib.rs", rust(two), rust(two.replace("ten", "of_ten"))],
])("no finding: %s", (_name, path, before, after) => {
  expect(judged(path, before, after)).toEqual([]);
});

test("a test that the task takes away is a remark", () => {
  expect(judged("src/lib.rs", rust(two), rust(one), "Remove what is unused")).toEqual(["tests-fewer remark all"]);
});
