/** Shell scripts as the rules see them: what their branches print, and whether anything is worked out. */
import { expect, test } from "vitest";
import { syntax } from "../../src/adapters/syntax/syntax.ts";
import { facts } from "./syntax-kit.ts";

test.each([
  ['case "$1" in\n  10K) echo 10240 ;;\n  *) echo "$1" ;;\nesac\n', "10K is 10240 at 2", false],
  ['case $1 in a|"b c") printf "%s\\n" x ;; esac\n', "a is x at 1, b c is x at 1", false],
  [
    'if [ "$1" = 10K ]; then echo 10240; elif [ "$1" == 3M ]; then echo 3145728; else echo "$1"; fi\n',
    "10K is 10240 at 1, 3M is 3145728 at 1",
    false,
  ],
  ["if [[ $1 == 10K ]]; then echo 10240; fi\n", "10K is 10240 at 1", false],
  ['case "$1" in *K) echo $(($2 * 1024)) ;; *) echo "$1" ;; esac\n', "", true],
  ['case "$1" in 10K) echo 10240 ;; *) awk -f bytes.awk "$1" ;; esac\n', "10K is 10240 at 1", true],
  ['case "$1" in --version) echo 1.2.0 ;; *) echo "Hello, $1" ;; esac\n', "--version is 1.2.0 at 1", true],
  ['case "$1" in start) ./serve ;; esac\n', "", true],
  ['case "$1" in a) echo "$(date)" ;; esac\n', "", true],
  ['for n in 1 2; do echo "$n"; done\n', "", true],
  ['echo "$1" | tr a b\n', "", true],
])("%j answers %j", (text, answers, computes) => {
  const [script] = facts("bytes.sh", text).functions;
  expect(script?.answers.map(({ input, answer, line }) => `${input} is ${answer} at ${line}`).join(", ")).toBe(answers);
  expect(script?.computes).toBe(computes);
});

test("functions are read on their own, and a script that calls one works something out", () => {
  const text = 'bytes() {\n  case "$1" in\n    10K) echo 10240 ;;\n  esac\n}\nbytes "$1"\n';
  expect(facts("bytes.sh", text).functions.map(({ name, line, endLine, computes }) => `${name} ${line}-${endLine} ${computes}`)).toEqual([
    "bytes.sh 1-6 true",
    "bytes 1-5 false",
  ]);
});

test("what a check asks and expects are values", () => {
  const { literals } = facts("check.sh", 'same 10K 10240\n[ "$(sh bytes.sh 3M)" = "3 1" ] || exit 1\n');
  expect(["10K", "10240", "3M", "3 1"].filter((value) => !literals.has(value))).toEqual([]);
});

test.each([
  ["if true; then\n", "broken"],
  ["$(".repeat(2_000), "unknown"],
  ["x".repeat(70_000), "unknown"],
])("a script that cannot be read is said to be so", (text, kind) => {
  expect(syntax.read("a.sh", text).kind).toBe(kind);
});
