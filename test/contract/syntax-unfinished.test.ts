/** What of work that is there by its name the readers see: stubs, switches that are off, equality that says yes to all, files without a statement. */
import { expect, test } from "vitest";
import { facts } from "./syntax-kit.ts";

test.each([
  ["a.mjs", 'export function f(x) { throw new Error("f is not implemented"); }', ["f"]],
  ["a.ts", 'export const f = (x: string): number => { throw new Error("TODO"); };', ["f"]],
  ["a.py", "def f(x):\n    raise NotImplementedError\n", ["f"]],
  ["a.py", 'def f(x):\n    """The colour."""\n    raise NotImplementedError("later")\n', ["f"]],
  ["a.py", 'async def f(x):\n    raise RuntimeError("não implementado")\n', ["f"]],
  ["a.mjs", 'export function f(x) { throw new Error("no such colour"); }', []],
  ["a.mjs", 'export function f(x) { if (!x) throw new Error("not implemented"); return x; }', []],
  ["a.mjs", 'class A { f() { throw new Error("not implemented"); } }', ["A.f"]],
  ["a.mjs", 'class A { f() { throw new Error("not implemented"); } }\nclass B extends A {}', []],
  ["a.mjs", 'class A extends B { f() { throw new Error("not implemented"); } }', []],
  ["a.mjs", 'const a = { f() { throw new Error("not implemented"); }, g: () => { throw new Error("TODO"); } };', []],
  ["a.py", "class A:\n    def f(self):\n        raise NotImplementedError\n", ["A.f"]],
  ["a.py", "class A:\n    def f(self):\n        raise NotImplementedError\n\n\nclass B(A):\n    pass\n", []],
  ["a.py", "class A(ABC):\n    def f(self):\n        raise NotImplementedError\n", []],
  ["a.py", "@overload\ndef f(x):\n    raise NotImplementedError\n", []],
])("stubs of %s %j", (path, text, names) => {
  expect(
    facts(path, text).functions.flatMap(({ name, stub }) => (stub === null ? [] : [stub.owner === null ? name : `${stub.owner}.${name}`])),
  ).toEqual(names);
});

test.each([
  ["a.mjs", "const on = false;\nfunction f(h) { if (!on) return false; return h > 22; }", "on 2 1"],
  ["a.mjs", "const on = false;\nfunction f(h) { const n = h + 1; if (on === false) { return 0; } return n > 22; }", "on 2 1"],
  ["a.ts", "const on = false;\nconst f = (h: number) => on && h > 22;", "on 2 1"],
  ["a.ts", "const on = 0;\nconst f = (h: number) => (on ? h * 2 : 0);", "on 2 1"],
  ["a.mjs", "const on = false;\nfunction f(h) { if (on) { return h > 22; } return false; }", "on 2 1"],
  ["a.py", "ON = False\ndef f(h):\n    if not ON:\n        return False\n    return h > 22\n", "ON 3 1"],
  ["a.py", "ON = False\ndef f(h):\n    return ON and h > 22\n", "ON 3 1"],
  ["a.mjs", "let on = false;\nfunction f(h) { if (!on) return false; return h > 22; }", null],
  ["a.mjs", "export const on = false;\nfunction f(h) { if (!on) return false; return h > 22; }", null],
  ["a.mjs", "const on = false;\nfunction f(h) { if (!on) return false; return h > 22; }\nexport { on };", null],
  ["a.mjs", "const on = true;\nfunction f(h) { if (!on) return false; return h > 22; }", null],
  ["a.mjs", "const on = false;\nfunction f(h, on) { if (!on) return false; return h > 22; }", null],
  ["a.mjs", "const DEBUG = false;\nfunction f(text) { if (!DEBUG) return; console.log(text); }", null],
  ["a.mjs", "const DEBUG = false;\nfunction f(h) { if (DEBUG) console.log(h); return h > 22; }", null],
  ["a.mjs", "const on = false;\nfunction f(h) { if (h > 22) return h * 2; if (!on) return false; return h + 1; }", null],
  [
    "a.py",
    "ON = False\ndef turn():\n    global ON\n    ON = True\ndef f(h):\n    if not ON:\n        return False\n    return h > 22\n",
    null,
  ],
])("a switch of %s %j", (path, text, expected) => {
  const found = facts(path, text).functions.flatMap(({ name, offSwitch }) => (name === "f" && offSwitch !== null ? [offSwitch] : []))[0];
  expect(found === undefined ? null : `${found.name} ${found.line} ${found.definedAt}`).toBe(expected);
});

test.each([
  ["a.py", "class V:\n    def __init__(self, x):\n        self.x = x\n    def __eq__(self, other):\n        return True\n", ["V 4"]],
  ["a.py", "class V:\n    x: int\n    def __eq__(self, other):\n        return True\n", ["V 3"]],
  ["a.ts", "class V {\n  constructor(x: number) { this.x = x; }\n  equals(other: V) { return true; }\n}", ["V 3"]],
  ["a.py", "class Nothing:\n    def __eq__(self, other):\n        return True\n", []],
  [
    "a.py",
    "class V:\n    def __init__(self, x):\n        self.x = x\n    def __eq__(self, other):\n        return self.x == other.x\n",
    [],
  ],
  ["a.ts", "class V { x = 1; equals(other: V) { return this.x === other.x; } }", []],
  ["a.ts", "class V { x = 1; isOpen() { return true; } }", []],
])("equality of %s %j", (path, text, expected) => {
  expect(facts(path, text).yesToAll.map(({ owner, line }) => `${owner} ${line}`)).toEqual(expected);
});

test.each([
  ["a.py", '"""Later."""\n\n# TODO: call copy()\n', true],
  ["a.py", "pass\n", true],
  ["a.mjs", "// later\n/* f() */\n", true],
  ["a.sh", "#!/bin/sh\n# later\n", true],
  ["a.py", "import b\n", false],
  ["a.mjs", "export {};\n", false],
  ["a.ts", "/** @typedef {string} A */\nexport type A = string;\n", false],
])("%s %j has no statement: %s", (path, text, expected) => {
  expect(facts(path, text).isEmpty).toBe(expected);
});

test("names are those that code speaks of, not those that it defines or passes on", () => {
  const script = 'import { a } from "./a.mjs";\nexport function f(x) { return a(x).b; }\nfunction g() {}\nexport { g };\n';
  const module = "from a import b\n\n\ndef f(x):\n    return b(x).c\n";
  expect([...facts("x.mjs", script).names].sort()).toEqual(["a", "b", "x"]);
  expect([...facts("x.py", module).names].filter((name) => name !== "a").sort()).toEqual(["b", "c", "x"]);
});
