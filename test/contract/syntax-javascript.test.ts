import { expect, test } from "vitest";
import { brief, facts } from "./syntax-kit.ts";

const hole = (text: string) => `\${${text}}`;
const one = (body: string, path = "test/a.test.ts") => brief(facts(path, body).tests[0]);

test.each([
  ["test('a', () => { assert.equal(f(1), 2); });", "a: 1s 1a"],
  ["it('a', async () => { expect(await f()).toBe(2) })", "a: 1s 1a"],
  ["describe('b', () => { test('a', () => { expect(f()).not.toBe(2); }); });", "b > a: 1s 1a"],
  ["suite('b', function () { specify('a', function (done) { f(done); }); });", "b > a: 1s 0a, elsewhere"],
  ["test('a', async (t) => { await t.test('b', () => { t.assert.ok(f()); }); });", "a: 1s 1a"],
  ["test.each([[1, 2]])('a %s', (n, m) => { expect(f(n)).toBe(m); });", "a %s: 1s 1a, repeated"],
  [`test.each\`a|b\n${hole("1")}|${hole("2")}\`('a', ({ a }) => { expect(f(a)).toBe(1); });`, "a: 1s 1a, repeated"],
  ["it.skip('a', () => { expect(f()).toBe(1); });", "a: 1s 1a, skipped"],
  ["xit('a', () => { expect(f()).toBe(1); });", "a: 1s 1a, skipped"],
  ["it.only('a', () => { expect(f()).toBe(1); });", "a: 1s 1a"],
  ["test('a', { skip: true }, () => { assert(f()); });", "a: 1s 1a, skipped"],
  ["test('a', { skip: false }, () => { assert(f()); });", "a: 1s 1a"],
  ["test.todo('a');", "a: 0s 0a, skipped, elsewhere"],
  ["describe.skip('b', () => { it('a', () => { f(); }); });", "b > a: 1s 0a, skipped"],
  ["test('a', (t) => { t.skip(); assert(f()); });", "a: 2s 1a, skipped"],
  ["test('a', () => {});", "a: 0s 0a"],
  ["test('a', async () => { /* later */ });", "a: 0s 0a"],
  ["test('a', () => undefined);", "a: 0s 0a"],
  ["test('a', () => { return; assert.equal(f(), 1); });", "a: 0s 0a"],
  ["test('a', () => { 'nothing'; });", "a: 0s 0a"],
  ["test('a', () => {\n  // assert.equal(f(1), 2);\n});", "a: 0s 0a, commented"],
  ["test('a', () => {\n  /* const x = f(1);\n  assert.equal(x, 2); */\n});", "a: 0s 0a, commented"],
  ["test('a', () => {\n  // nothing to see here, f(1) is slow\n});", "a: 0s 0a"],
  ["test('a', () => {\n  // returns early\n  // return nothing\n  // see https://example.org/a(b)\n  f();\n});", "a: 1s 0a"],
  ["test('a', () => { if (f(1) !== 2) throw new Error('no'); });", "a: 2s 1a"],
  ["test('a', () => { if (f(1) !== 2) process.exitCode = 1; });", "a: 2s 1a"],
  ["test('a', () => { if (f(1) !== 2) process.exit(1); });", "a: 2s 1a"],
  ["test('a', () => { f(1).should.equal(2); });", "a: 1s 1a"],
  ["test('a', () => { expect(f(1)).to.be.true; });", "a: 1s 1a"],
  ["test('a', () => request(app).get('/').expect(200));", "a: 1s 1a"],
  ["test('a', () => { fc.assert(fc.property(fc.string(), (s) => f(s) === s)); });", "a: 1s 1a"],
  ["import test from 'ava'; test('a', (t) => { t.is(f(1), 2); t.deepEqual(f(2), [3]); });", "a: 2s 2a"],
  ["import { equal, ok } from 'node:assert'; test('a', () => { equal(f(1), 2); ok(f(2)); });", "a: 2s 2a"],
  ["test('a', () => { checkAll(f); });", "a: 1s 0a, elsewhere"],
  ["const same = (x) => { assert.equal(x, 1); }; test('a', () => { same(f()); });", "a: 1s 0a, elsewhere"],
  ["function whole() { assert(f()); } test('a', whole);", "a: 1s 1a"],
  ["const cases = []; test('a', () => { for (const m of cases) assert.equal(f(m), 1); });", "a: 2s 0a"],
  ["for (const n of [1]) test('a', () => { for (const m of list) assert.equal(f(m), n); });", "a: 2s 1a, repeated"],
])("a test: %s", (text, expected) => {
  expect(one(text)).toBe(expected);
});

test.each([
  ["assert(true)", 1],
  ["assert.ok(1)", 1],
  ["assert.equal(1 + 1, 2)", 1],
  ["assert.equal(x, x)", 1],
  ["assert.equal(f(1), f(1))", 1],
  ["assert.notEqual(id(), id())", 0],
  ["assert.equal(f(1), 1)", 0],
  ["assert(f(1) || true)", 1],
  ["assert(x.length >= 0)", 1],
  ["assert(typeof x === 'string' || typeof x !== 'string')", 1],
  ["assert(typeof x === 'string')", 0],
  ["assert.deepEqual([1, 'a'], [1, 'a'])", 1],
  ["assert.fail('never')", 0],
  ["expect(true).toBe(true)", 1],
  ["expect(true).toBeTruthy()", 1],
  ["expect(1).not.toBe(2)", 1],
  ["expect(x).toBe(x)", 1],
  ["expect(f(1)).toEqual(f(1))", 1],
  ["expect(f(true)).toBe(true)", 0],
  ["expect(x).toBeDefined()", 0],
  ["const right = true; expect(right).toBe(true)", 1],
  ["const list = []; f(list); expect(list).toEqual([])", 0],
  ["let called = false; f(() => { called = true; }); expect(called).toBe(true)", 0],
  ["if (false) throw new Error('no')", 1],
  ["expect(() => f(1)).toThrow()", 0],
  [`expect(\`a${hole("1")}\`).toBe('a1')`, 1],
])("constant: %s", (body, constant) => {
  const [only] = facts("a.test.ts", `test("gives", () => { ${body}; });`).tests;
  expect(only?.assertions.map(({ isConstant }) => isConstant)).toEqual([constant === 1]);
});

test("a value that is computed twice may be what the test is about", () => {
  const [only] = facts("a.test.ts", "test('gives the same twice', () => { expect(f(1)).toBe(f(1)); });").tests;
  expect(only?.assertions[0]?.isConstant).toBe(false);
});

test.each([
  ["try { assert.equal(f(), 1); } catch {}", true],
  ["try { assert.equal(f(), 1); } catch (error) { console.log(error); }", true],
  ["try { assert.equal(f(), 1); } catch { return; }", true],
  ["try { assert.equal(f(), 1); } catch (error) { throw error; }", false],
  ["try { assert.equal(f(), 1); } catch (error) { assert.match(error.message, /x/); }", false],
  ["try { assert.equal(f(), 1); } catch (error) { errors.push(error); }", false],
  ["try { assert.equal(f(), 1); } catch (error) { failed += 1; }", false],
  ["try { assert.equal(f(), 1); } catch (error) { done(error); }", false],
  ["try { assert.equal(f(), 1); } finally { close(); }", false],
  ["try { f(); } catch (error) { assert.equal(error.code, 1); }", false],
  ["await expect(f()).resolves.toBe(1).catch(() => {})", true],
  ["await assert.rejects(f()).catch(() => {})", true],
  ["await f().then((x) => assert.equal(x, 1)).catch(() => {})", true],
  ["await f().then((x) => assert.equal(x, 1)).catch((error) => { throw error; })", false],
  ["await f().catch((error) => assert.equal(error.code, 1))", false],
])("swallowed: %s", (body, swallowed) => {
  const [only] = facts("a.test.ts", `test("a", async () => { ${body}; });`).tests;
  expect(only?.assertions[0]?.isSwallowed).toBe(swallowed);
});

test.each([
  ["check('a', () => { assert(f()); });", "test/run.mjs", 1],
  ["await step('a', async () => { assert(f()); });", "checks/spec.mjs", 1],
  ["check('a', () => { assert(f()); });", "src/run.mjs", 0],
  ["group('all', () => { check('a', () => {}); check('b', () => {}); });", "test/run.mjs", 2],
  ["check('a', () => { f(); });", "test/fixtures/run.mjs", 0],
  ["await call('a', { b: 1 }, () => {});", "test/run.mjs", 0],
  ["beforeEach('a', () => { f(); });", "test/run.mjs", 0],
  ["regex.test('a');", "test/run.mjs", 0],
  ["test('a', () => { withEnvironment('B', () => { assert(f()); }); });", "test/run.mjs", 1],
])("runners of a project's own: %s in %s", (text, path, count) => {
  expect(facts(path, text).tests).toHaveLength(count);
});

test("modules, wherever they are asked for", () => {
  const text =
    "import a from './a.js';\nexport * from './b.js';\nconst c = require('./c');\nconst d = await import('./d.js');\nimport type { E } from './e.ts';\nimport 'f';\n";
  expect(facts("a.ts", text).imports.map(({ module, line }) => `${module}:${line}`)).toEqual([
    "./a.js:1",
    "./b.js:2",
    "./c:3",
    "./d.js:4",
    "./e.ts:5",
    "f:6",
  ]);
});

test.each([
  ["import { f } from './x.js'; vi.mock('./x.js', () => ({ f: () => 1 })); f(2);", ["./x.js called"]],
  ["import { g } from './y.js'; vi.mock('./x.js'); g(2);", ["./x.js"]],
  ["vi.mock(import('./x.js'));", ["./x.js"]],
  ["jest.mock('./x', () => ({ ...jest.requireActual('./x'), f: 1 }));", []],
  ["import * as x from './x.js'; vi.spyOn(x, 'f').mockReturnValue(1); x.f(2);", ["./x.js#f called"]],
  ["import * as x from './x.js'; vi.spyOn(x, 'f'); x.f(2);", []],
  ["const x = require('./x'); x.f = () => 1;", ["./x#f"]],
  ["import x from './x.js'; mock.method(x, 'f', () => 1); x.f();", ["./x.js#f called"]],
  ["vi.spyOn(Date, 'now').mockReturnValue(1);", []],
])("mocks: %s", (text, expected) => {
  expect(facts("a.test.ts", text).mocks.map(({ target, isCalled }) => (isCalled ? `${target} called` : target))).toEqual(expected);
});

test.each([
  ["process.exit(0);", 1],
  ["process.exit();", 1],
  ["check(1);\nprocess.exit(0);\ncheck(2);", "settled"],
  ["process.on('exit', () => process.exit(0));", "settled"],
  ["process.exit(failed ? 1 : 0);", 0],
  ["process.exit(1);", 0],
  ["process.on('exit', () => { process.exitCode = 0; });", "settled"],
  ["exit();", 0],
])("ends with 0: %s", (text, count) => {
  expect(facts("a.test.js", text).exits).toHaveLength(count === 0 ? 0 : 1);
  expect(facts("a.test.js", text).exits.some(({ isSettled }) => isSettled)).toBe(count === "settled");
});

test.each([
  ["if (process.env.NODE_TEST_CONTEXT) return1();", 1],
  ["const isTest = process.env['VITEST'] === 'true';", 1],
  ["const { JEST_WORKER_ID } = process.env;", 1],
  ["const mode = process.env.NODE_ENV === 'test' ? 1 : 2;", 1],
  ["if (typeof describe !== 'undefined') x = 1;", 1],
  ["if (process.argv.some((word) => word.includes('vitest'))) x = 1;", 1],
  ["if (new Error().stack.includes('node:test')) x = 1;", 1],
  ["if (process.env.NODE_ENV !== 'test') app.listen(3000);", 0],
  ["const dev = process.env.NODE_ENV === 'development';", 0],
  ["const parsed = pattern.test(text);", 0],
])("asks for a test: %s", (text, count) => {
  expect(facts("a.js", text).testQuestions).toHaveLength(count);
});

test.each([
  ["function f(n) { if (n === 4) return 'IV'; return ''; }", "4=IV", false],
  ["const f = (n) => (n === 4 ? 'IV' : n === 9 ? 'IX' : '');", "4=IV 9=IX", false],
  [
    "function f(n) { switch (n) { case 4: return 'IV'; case 9: case 10: return 'X'; default: throw new Error('no'); } }",
    "4=IV 9=X 10=X",
    false,
  ],
  ["const table = { 'A b': 'a-b' }; export function f(s) { return table[s]; }", "A b=a-b", false],
  ["const table = new Map([[4, 'IV']]); export const f = (n) => table.get(n) ?? '';", "4=IV", false],
  ["function f(n) { return { 4: 'IV' }[n] || n; }", "4=IV", false],
  ["function f(n) { if (n === 4) return 'IV'; return 'I'.repeat(n); }", "4=IV", true],
  ["function f(n) { let out = ''; if (n === 4) out = 'IV'; return out; }", "4=IV", false],
  ["function f(n) { let out = ''; while (n > 0) { out += 'I'; n -= 1; } return out; }", "", true],
  ["function f(list) { if (JSON.stringify(list) === '[1,2]') return [2, 1]; return list; }", "[1,2]=[2,1]", false],
  ["function f(x) { if (typeof x === 'string') return 'text'; return x; }", "", false],
  ["function f(n) { const out = []; if (n === 4) return 'IV'; out.push(n); return out; }", "4=IV", true],
  ["class A { f(n) { if (n == '4') return 4; } }", "4=4", false],
  ["const table = { a: 'b' }; function f(s) { return table[s] ?? s.trim(); }", "a=b", true],
])("answers: %s", (text, answers, computes) => {
  const found = facts("a.ts", text).functions.at(-1);
  expect({ answers: found?.answers.map(({ input, answer }) => `${input}=${answer}`).join(" "), computes: found?.computes }).toEqual({
    answers,
    computes,
  });
});

test("functions have a name and a place, and say what was made a comment", () => {
  const text =
    "export function a() {\n  return 1;\n}\nconst b = () => 2;\nclass C {\n  d() {\n    // const x = a();\n    // return x + 1;\n  }\n}\nlist.map((x) => x);\n";
  const found = facts("a.ts", text).functions.map((one) => [one.name, one.line, one.endLine, one.statements, one.hasCommentedCode]);
  expect(found).toEqual([
    ["a", 1, 3, 0, false],
    ["b", 4, 4, 0, false],
    ["d", 6, 9, 0, true],
  ]);
});

test("literals are values: texts without quotes, numbers as they count", () => {
  const found = facts("a.ts", "f('it\\'s', 4.0, -1, `x`, [1, 'b'], 1_000);").literals;
  expect([...found]).toEqual(expect.arrayContaining(["it's", "4", "-1", "x", '[1,"b"]', "1000"]));
});
