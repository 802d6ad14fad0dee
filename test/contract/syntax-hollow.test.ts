/** Hollow files, and texts that nobody wrote for us. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { syntax } from "../../src/adapters/syntax/syntax.ts";

test.each([
  ["a.js", "function f(a) { return a; }", "function f(a) {}"],
  ["a.ts", "function f(a: number): number { return a; }", "function f(a: number): number { return undefined as any; }"],
  ["a.js", "export async function* f() {\n  yield 1;\n}\n", "export async function* f() {\n\n}\n"],
  ["a.ts", "const f = async (a: number) => a + 1;", "const f = async (a: number) => (undefined as any);"],
  ["a.js", "const f = (a) =>\n  a +\n  1;\nf();", "const f = (a) =>\n  undefined\n;\nf();"],
  [
    "a.js",
    "class A extends B { #x = 1; constructor() { super(); this.y = 2; } get z() { return 1; } set z(v) { this.y = v; } static m() { return 2; } }",
    "class A extends B { #x = 1; constructor() { super(); this.y = 2; } get z() {} set z(v) {} static m() {} }",
  ],
  ["a.js", "const o = { f() { return 1; }, g: () => 2, h: 3 };", "const o = { f() {}, g: () => undefined, h: 3 };"],
  [
    "a.js",
    "const all = [1, 2].map((n) => n * 2); (() => { go(); })(); app.get('/', (q, a) => { a.end(); });",
    "const all = [1, 2].map((n) => n * 2); (() => { go(); })(); app.get('/', (q, a) => {});",
  ],
  ["a.js", "const f = memoize((n) => n * 2); let x = 1; x += 1;", "const f = memoize((n) => undefined); let x = 1; x += 1;"],
  ["a.ts", "const isA = (x: unknown): x is A => typeof x === 'string';", "const isA = (x: unknown): x is A => (undefined as any);"],
  [
    "a.ts",
    "function f(a: string): void;\nfunction f(a: any) { go(a); }",
    "function f(a: string): void;\nfunction f(a: any) { return undefined as any; }",
  ],
  ["a.js", "\uFEFFfunction f() { return 1; }\r\n", "\uFEFFfunction f() {}\r\n"],
  ["a.py", "def f(a):\n    b = a\n    return b\n\nx = f(1)\n", "def f(a): return None\n\n\n\nx = f(1)\n"],
  ["a.py", "@cache\nasync def f(a) -> int:\n    return a\n", "@cache\nasync def f(a) -> int: return None\n\n"],
  ["a.py", "def f():\n    yield 1\n", "def f(): return; yield None\n\n"],
  ["a.py", "def f():\n    go()\n    yield\n", "def f(): return; yield None\n\n\n"],
  ["a.ts", "export default class {\n  f() { return 1; }\n}", "export default class {\n  f() { return undefined as any; }\n}"],
  [
    "a.py",
    "class A:\n    x = 1\n\n    def __init__(self):\n        self.y = 2\n\n    def z(self):\n        return self.y\n",
    "class A:\n    x = 1\n\n    def __init__(self):\n        self.y = 2\n\n    def z(self): return None\n\n",
  ],
  ["a.py", "def f(): return 1\n", "def f(): return None\n"],
  ["a.py", "f = lambda x: x + 1\n", "f = lambda x: None\n"],
])("%s: %j becomes hollow", (path, text, expected) => {
  expect(syntax.hollow(path, text)).toBe(expected);
});

test.each([
  ["a.js", "const x = 1;"],
  ["a.js", "function f( { return 1; }"],
  ["a.go", "func f() int { return 1 }"],
  ["a.py", "x = 1\n"],
])("%s: %j cannot be made hollow", (path, text) => {
  expect(syntax.hollow(path, text)).toBeNull();
});

const root = join(import.meta.dirname, "../..");
const sources = ["src", "scripts", "test/contract"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|mjs)$/.test(name))
    .map((name) => join(folder, name)),
);

test("every source of this repository parses, and is hollow with as many lines", () => {
  const strange: string[] = [];
  for (const path of sources) {
    const text = readFileSync(join(root, path), "utf8");
    const reading = syntax.read(path, text);
    const hollow = syntax.hollow(path, text);
    if (reading.kind !== "facts") strange.push(`${path} is ${reading.kind}`);
    else if (hollow === null && reading.facts.functions.length > 0) strange.push(`${path} has functions and no hollow form`);
    if (hollow !== null && hollow.split("\n").length !== text.split("\n").length) strange.push(`${path} has other lines`);
    if (hollow !== null && syntax.hollow(path, hollow) !== hollow) strange.push(`${path} is not hollow at once`);
  }
  expect(strange).toEqual([]);
});

test.each([
  ["line 3 of a script", "a.ts", "const a = 1;\n\nconst = 2;\n", { kind: "broken", line: 3 }],
  ["line 2 of a Python file", "a.py", "x = 1\ndef f(:\n    pass\n", { kind: "broken", line: 2 }],
  ["a NUL", "a.js", "const a = 1;\0", { kind: "broken", line: 1 }],
  ["another language", "a.go", "package a", { kind: "unknown" }],
  ["no ending", "Makefile", "all:", { kind: "unknown" }],
  ["more than we read", "a.js", " ".repeat(1_000_001), { kind: "unknown" }],
])("%s", (_name, path, text, expected) => {
  expect(syntax.read(path, text)).toEqual(expected);
});

test.each(["a.js", "a.py"])("%s: nothing, a mark and other line breaks are read", (path) => {
  for (const text of ["", "\uFEFF", "\r\n\r\n", "x = 1\r\n", "\uFEFFx = 1\r\n"]) expect(syntax.read(path, text).kind).toBe("facts");
});

const most = 1_000_000;
const hostile = [
  "(",
  ")",
  "{",
  "{}",
  "[",
  "`${",
  "'",
  '"""',
  "<a>",
  "({",
  "(]",
  "if ( else ",
  "=>",
  "a=>",
  "a?b:",
  "class a{",
  "/*",
  "a+",
  "a<",
  "!",
  "\0",
  "@a\n",
  "not ",
  "lambda: ",
  "if x: ",
];

test.each(hostile)(
  "a megabyte of %j has an answer, and soon",
  (part) => {
    const text = part.repeat(Math.floor(most / part.length));
    for (const path of ["a.tsx", "a.py"]) {
      const startedAt = performance.now();
      syntax.read(path, text);
      expect(performance.now() - startedAt).toBeLessThan(45_000);
    }
  },
  120_000,
);

/** A file that says the same thing often, by what it says. */
const often: Readonly<Record<string, readonly [path: string, before: string, part: (number: number) => string]>> = {
  "tests of a runner": ["a.test.mjs", "", (n) => `test("case ${n}", () => { assert.equal(f(${n}), ${n + 7}); });\n`],
  "tests of its own runner": ["a.test.mjs", "", (n) => `check("case ${n}", () => { assert.equal(f(${n}), ${n + 7}); });\n`],
  "groups of tests": [
    "a.test.mjs",
    "",
    (n) => `describe("g", () => { test("case ${n}", () => { try { assert(f(${n})); } catch {} }); });\n`,
  ],
  functions: ["a.ts", "", (n) => `function f${n}(x: number) { let a = x; a = x; if (x === ${n}) return "a${n}"; return a; }\n`],
  "tests of unittest": [
    "test_a.py",
    "class T(TestCase):\n",
    (n) => `    def test_${n}(self):\n        # look\n        self.assertEqual(f(${n}), ${n})\n`,
  ],
  "tests of pytest": ["test_a.py", "", (n) => `def test_${n}():\n    # look\n    assert f(${n}) == ${n}\n`],
  "branches of one function": ["a.py", "def f(x):\n", (n) => `    a = x\n    if x == ${n}:\n        return "a${n}"\n`],
};

test.each(Object.entries(often))("four times as many %s take about four times as long to read", (_, [path, before, part]) => {
  const timeOf = (count: number) => {
    const text = before + Array.from({ length: count }, (_, number) => part(number)).join("");
    const startedAt = performance.now();
    expect(syntax.read(path, text)).toMatchObject({ kind: "facts" });
    return performance.now() - startedAt;
  };
  const best = (count: number) => Math.min(timeOf(count), timeOf(count), timeOf(count));
  best(100); // once the engine is warm
  expect(best(1200) / best(300)).toBeLessThan(10);
});

test("deep nesting is answered without a stack that overflows", () => {
  for (const depth of [10, 300, 900, 2_000, 50_000]) {
    expect(syntax.read("a.ts", `f(${"(".repeat(depth)}1${")".repeat(depth)});`).kind).toMatch(/facts|broken/);
    expect(syntax.read("a.py", `f(${"[".repeat(depth)}1${"]".repeat(depth)})\n`).kind).toMatch(/facts|broken/);
    expect(syntax.hollow("a.js", `${"function f() { ".repeat(depth)}${"}".repeat(depth)}`)).toSatisfy(
      (value) => value === null || typeof value === "string",
    );
  }
});

const words = [
  "function f",
  "(",
  ")",
  "{",
  "}",
  " => ",
  "return ",
  "1",
  '"a"',
  ";",
  "\n",
  "test(",
  "assert.equal(",
  ", ",
  "def f():\n    ",
  "if ",
  ": ",
  "class A",
  "yield ",
  "async ",
  "`",
  "${",
  "// f(1)\n",
  "# f(1)\n",
  "try ",
  "except",
  "lambda x: ",
  "=",
  "x",
];

test("any text has an answer, and what is hollow parses", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("a.js", "a.ts", "a.tsx", "a.py"),
      fc.array(fc.oneof(fc.constantFrom(...words), fc.string()), { maxLength: 40 }),
      (path, parts) => {
        const text = parts.join("");
        expect(["facts", "broken"]).toContain(syntax.read(path, text).kind);
        const hollow = syntax.hollow(path, text);
        expect(hollow === null || syntax.read(path, hollow).kind === "facts").toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});
