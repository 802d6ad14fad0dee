/** Which tests are the same one, as the readers see it. */
import { expect, test } from "vitest";
import { facts } from "./syntax-kit.ts";

const bodies = (path: string, text: string) => facts(path, text).tests.map(({ body }) => body);

test.each([
  [
    "a.test.mjs",
    'test("a", () => equal(f(1), 2));\ntest("b", () => {\n  equal(f(1), 2);\n});\ntest("c", () =>\n  // the same\n  equal(f(1), 2));',
  ],
  [
    "test_a.py",
    "def test_a():\n    assert f(1) == 2\n\ndef test_b():\n    assert f(1) == 3\n\ndef test_c():\n    # the same\n    assert f(1) == 2\n",
  ],
  [
    "test_a.py",
    "def test_a(db):\n    assert f(1) == 2\n\ndef test_b(file):\n    assert f(1) == 2\n\ndef test_c(db):\n    assert f(1) == 2\n",
  ],
])("the first and the third of %s are the same, the second is not", (path, text) => {
  const [one, two, three] = bodies(path, text);
  expect(one).not.toBe("");
  expect(three).toBe(one);
  expect(two).not.toBe(one);
});

test.each([
  ["a.test.mjs", 'test("a", (t) => check(t.name));'],
  ["a.test.mjs", 'test("a", () => expect(f()).toMatchSnapshot());'],
  ["a.test.mjs", 'const run = () => equal(f(1), 2);\ntest("a", run);'],
  ["test_a.py", "def test_a(request):\n    assert load(request.node) == 2\n"],
  ["test_a.py", "@pytest.mark.parametrize('n', [1, 2])\ndef test_a(n):\n    assert f(n)\n"],
])("nothing is compared in %s %j", (path, text) => {
  expect(bodies(path, text)).toEqual([""]);
});

test.each([
  ['for (const n of ["a", "b", "c"]) test(n, () => equal(f(1), 2));', 3],
  ["for (let i = 0; i < 5; i++) test(name(i), () => equal(f(1), 2));", 5],
  ['test.each(["a", "b"])("%s", () => equal(f(1), 2));', 2],
  ['for (const n of ["a", "b"]) test(n, () => equal(f(n), 2));', 1],
  ["for (const n of rows) test(n, () => equal(f(1), 2));", 1],
  ['test.each([1, 2])("%s", (n) => equal(f(n), 2));', 1],
  ['test("a", () => equal(f(1), 2));', 1],
])("%s runs the same %i times", (text, times) => {
  expect(facts("a.test.mjs", text).tests.map((one) => one.times)).toEqual([times]);
});
