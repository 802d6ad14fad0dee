import { expect, test } from "vitest";
import { brief, facts } from "./syntax-kit.ts";

const inCase = (body: string) =>
  `import unittest\n\nclass T(unittest.TestCase):\n    def test_a(self):\n${body.replace(/^/gm, "        ")}\n`;

test.each([
  ["def test_a():\n    assert f(1) == 2\n", "test_a: 1s 1a"],
  ["async def test_a():\n    assert await f(1) == 2\n", "test_a: 1s 1a"],
  ["def test_a():\n    pass\n", "test_a: 0s 0a"],
  ['def test_a():\n    """Later."""\n', "test_a: 0s 0a"],
  ["def test_a():\n    ...\n", "test_a: 0s 0a"],
  ["def test_a():\n    return\n    assert f(1) == 2\n", "test_a: 0s 0a"],
  ["def test_a():\n    # assert f(1) == 2\n    pass\n", "test_a: 0s 0a, commented"],
  ["def test_a():\n    pass\n    # x = f(1)\n    # assert x == 2\n\ndef test_b():\n    assert f()\n", "test_a: 0s 0a, commented"],
  ["def test_a():\n    pass\n\n# assert f(1) == 2\n", "test_a: 0s 0a"],
  ["def test_a():\n    # nothing here, see f(1)\n    pass\n", "test_a: 0s 0a"],
  ["@pytest.mark.skip(reason='x')\ndef test_a():\n    assert f()\n", "test_a: 1s 1a, skipped"],
  ["@pytest.mark.xfail\ndef test_a():\n    assert f()\n", "test_a: 1s 1a, skipped"],
  ["@pytest.mark.parametrize('n', [1, 2])\ndef test_a(n):\n    assert f(n)\n", "test_a: 1s 1a, repeated"],
  ["def test_a():\n    with pytest.raises(ValueError):\n        f(1)\n", "test_a: 2s 1a"],
  ["def test_a():\n    for n in range(3):\n        assert f(n)\n", "test_a: 2s 1a, repeated"],
  ["def test_a():\n    check_all(f)\n", "test_a: 1s 0a, elsewhere"],
  ["def same(x):\n    assert x == 1\n\ndef test_a():\n    same(f())\n", "test_a: 1s 0a, elsewhere"],
  ["def test_a():\n    if f(1) != 2:\n        raise AssertionError('no')\n", "test_a: 2s 1a"],
  ["CASES = []\n\ndef test_a():\n    for n in CASES:\n        assert f(n)\n", "test_a: 2s 0a"],
  ["CASES = []\nCASES.append(1)\n\ndef test_a():\n    for n in CASES:\n        assert f(n)\n", "test_a: 2s 1a, repeated"],
  [inCase("self.assertEqual(f(1), 2)"), "T > test_a: 1s 1a"],
  [inCase("with self.assertRaises(ValueError):\n    f(1)"), "T > test_a: 2s 1a"],
  [inCase("for n in (1, 2):\n    with self.subTest(n=n):\n        self.assertTrue(f(n))"), "T > test_a: 3s 1a, repeated"],
  [inCase("self.skipTest('x')\nself.assertTrue(f(1))"), "T > test_a: 2s 1a, skipped"],
  [inCase("self.assertTrue(f(1)); self.assertTrue(f(2))"), "T > test_a: 2s 2a"],
  [
    "import unittest\n\n@unittest.skip('x')\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertTrue(f())\n",
    "T > test_a: 1s 1a, skipped",
  ],
])("a test: %j", (text, expected) => {
  expect(brief(facts("tests/test_a.py", text).tests[0])).toBe(expected);
});

test.each([
  ["def test_a():\n    assert f()\n", "src/a.py"],
  ["@pytest.fixture\ndef test_data():\n    return 1\n", "tests/test_a.py"],
  ["class Maker:\n    def test_a(self):\n        pass\n", "src/a.py"],
])("no test: %j in %s", (text, path) => {
  expect(facts(path, text).tests).toEqual([]);
});

test.each([
  ["assert True", true],
  ["assert 1 == 1", true],
  ["assert x == x", true],
  ["assert f(1) == f(1)", true],
  ["assert f(1) == pytest.approx(f(1))", true],
  ["assert f(1) == approx(3.14)", false],
  ["assert f(1) == 1", false],
  ["assert (f(1) == 2, 'no')", true],
  ["assert (f(1) == 2)", false],
  ["assert 'text'", true],
  ["assert f(1) or True", true],
  ["assert len(x) >= 0", true],
  ["assert x is not None", false],
  ["right = True\n    assert right", true],
  ["right = True\n    right = f()\n    assert right", false],
  ["self.assertTrue(True)", true],
  ["self.assertEqual(2, 1 + 1)", true],
  ["self.assertEqual(x, x)", true],
  ["self.assertEqual(f(1), f(1), 'the same')", true],
  ["self.assertNotEqual(f(), f())", false],
  ["self.assertEqual(f(1), 1)", false],
  ["self.fail('no')", false],
])("constant: %j", (body, constant) => {
  const [only] = facts("test_a.py", `def test_a(self):\n    ${body}\n`).tests;
  expect(only?.assertions.map(({ isConstant }) => isConstant)).toEqual([constant]);
});

test.each([
  ["try:\n        assert f() == 1\n    except Exception:\n        pass", true],
  ["try:\n        assert f() == 1\n    except:\n        print('oh')", true],
  ["try:\n        assert f() == 1\n    except AssertionError as error:\n        logging.warning('no %s', error)", true],
  ["try:\n        assert f() == 1\n    except KeyError:\n        pass", false],
  ["try:\n        assert f() == 1\n    except Exception:\n        raise", false],
  ["try:\n        assert f() == 1\n    except Exception as error:\n        errors.append(error)", false],
  ["try:\n        assert f() == 1\n    except Exception:\n        self.fail('no')", false],
  ["try:\n        assert f() == 1\n    except Exception:\n        failed = True", false],
  ["try:\n        f()\n    except Exception as error:\n        assert str(error) == 'x'", false],
  ["with contextlib.suppress(AssertionError):\n        assert f() == 1", true],
  ["with suppress(KeyError):\n        assert f() == 1", false],
  ["with open('x') as file:\n        assert f() == 1", false],
])("swallowed: %j", (body, swallowed) => {
  const [only] = facts("test_a.py", `def test_a(self):\n    ${body}\n`).tests;
  expect(only?.assertions[0]?.isSwallowed).toBe(swallowed);
});

test("modules, wherever they are asked for", () => {
  const text =
    "import os, pkg.a as b\nfrom .slug import slugify as s, other\nfrom . import near\nfrom pkg import (\n    one,\n    two,\n)\n";
  expect(facts("a.py", text).imports.map(({ module, line }) => `${module}:${line}`)).toEqual([
    "os:1",
    "pkg.a:1",
    ".slug:2",
    ".slug.slugify:2",
    ".slug.other:2",
    ".:3",
    ".near:3",
    "pkg:4",
    "pkg.one:4",
    "pkg.two:4",
  ]);
});

test.each([
  ["with mock.patch('pkg.slug.slugify', return_value=1):\n    slugify('a')\n", ["pkg.slug.slugify called"]],
  ["@patch('pkg.slug.get')\ndef test_a(get):\n    pass\n", ["pkg.slug.get"]],
  ["import pkg.slug\n\nmock.patch.object(pkg.slug, 'slugify')\n", ["pkg.slug.slugify"]],
  ["from pkg import slug\n\nslug.slugify = lambda text: 'a-b'\nslug.slugify('x')\n", ["pkg.slug.slugify called"]],
  ["import slug as s\n\ndef test_a(monkeypatch):\n    monkeypatch.setattr(s, 'slugify', fake)\n", ["slug.slugify"]],
  ["import unittest\n\nunittest.TestCase.assertEqual = lambda *all: None\n", ["unittest.TestCase.assertEqual"]],
  ["import time\n\nthing.value = 3\n", []],
])("mocks: %j", (text, expected) => {
  expect(facts("test_a.py", text).mocks.map(({ target, isCalled }) => (isCalled ? `${target} called` : target))).toEqual(expected);
});

test.each([
  ["sys.exit(0)\n", 1],
  ["os._exit(0)\n", 1],
  ["atexit.register(lambda: os._exit(0))\n", 1],
  ["sys.exit()\n", 1],
  ["raise SystemExit(0)\n", 1],
  ["sys.exit(main())\n", 0],
  ["sys.exit(1)\n", 0],
])("ends with 0: %j", (text, count) => {
  expect(facts("test_a.py", text).exits).toHaveLength(count);
});

test.each([
  ["if 'unittest' in sys.modules:\n    x = 1\n", 1],
  ["if 'PYTEST_CURRENT_TEST' in os.environ:\n    x = 1\n", 1],
  ["x = os.environ.get('PYTEST_CURRENT_TEST')\n", 1],
  ["x = os.getenv('HOME')\n", 0],
  ["x = 'pytest'\n", 0],
  ["x = sys.modules.get('json')\n", 0],
])("asks for a test: %j", (text, count) => {
  expect(facts("a.py", text).testQuestions).toHaveLength(count);
});

test.each([
  ["def f(n):\n    if n == 4:\n        return 'IV'\n    elif n in (9, 10):\n        return 'X'\n    return ''\n", "4=IV 9=X 10=X", false],
  ["def f(n):\n    return 'IV' if n == 4 else None\n", "4=IV", false],
  ["def f(n):\n    match n:\n        case 4:\n            return 'IV'\n        case _:\n            raise ValueError(n)\n", "4=IV", false],
  ["TABLE = {'A b': 'a-b'}\n\ndef f(s):\n    return TABLE.get(s, s)\n", "A b=a-b", false],
  ["TABLE = {4: 'IV'}\n\ndef f(n):\n    return TABLE[n]\n", "4=IV", false],
  ["def f(n):\n    out = []\n    if n == 4:\n        return 'IV'\n    out.append(n)\n    return out\n", "4=IV", true],
  ["def f(n):\n    if n == 4:\n        return 'IV'\n    return 'I' * n\n", "4=IV", true],
  ["def f(n):\n    out = ''\n    while n:\n        out += 'I'\n        n -= 1\n    return out\n", "", true],
])("answers: %j", (text, answers, computes) => {
  const [found] = facts("a.py", text).functions;
  expect({ answers: found?.answers.map(({ input, answer }) => `${input}=${answer}`).join(" "), computes: found?.computes }).toEqual({
    answers,
    computes,
  });
});

test("functions have a name and a place, and say what was made a comment", () => {
  const text =
    "class C:\n    def a(self):\n        return self.b\n\n    def d(self):\n        # x = 1\n        # return x + 1\n        return None\n\n\ndef e():\n    yield 1\n";
  expect(
    facts("a.py", text).functions.map((one) => [one.name, one.line, one.endLine, one.statements, one.hasCommentedCode, one.computes]),
  ).toEqual([
    ["a", 2, 3, 1, false, true],
    ["d", 5, 8, 0, true, false],
    ["e", 11, 12, 1, false, true],
  ]);
});
