/** The lines that measure: every form, and every slip of the pen, which never becomes prose. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { plans } from "../../src/adapters/plans/plans.ts";
import { parseCriterion } from "../../src/core/criteria/parse.ts";

const tests = { kind: "tests", passedAtLeast: null, newAtLeast: null, skippedAtMost: null, assertionsAtLeast: null, report: null };
const lint = { kind: "lint", errorsAtMost: null, warningsAtMost: null };
const http = { kind: "http", method: "GET", start: null, withinMs: 20_000 };
const status = (code: number) => ({ kind: "status", status: code });

test.each<[string, object]>([
  ["tests: npm test", { ...tests, command: "npm test" }],
  ["testes: npm test", { ...tests, command: "npm test" }],
  ["Test: `npm test`", { ...tests, command: "npm test" }],
  ["**tests:** npm test", { ...tests, command: "npm test" }],
  ["`tests: npm test`", { ...tests, command: "npm test" }],
  ["tests: npm test -- --grep 'at least'", { ...tests, command: "npm test -- --grep 'at least'" }],
  ["tests: `npm test` at least 12", { ...tests, command: "npm test", passedAtLeast: 12 }],
  ["testes: `npm test` pelo menos 12, pulados 0", { ...tests, command: "npm test", passedAtLeast: 12, skippedAtMost: 0 }],
  [
    "tests: `npm test` at least 12, new 2, skipped 0, assertions 20, report build/junit.xml",
    { ...tests, command: "npm test", passedAtLeast: 12, newAtLeast: 2, skippedAtMost: 0, assertionsAtLeast: 20, report: "build/junit.xml" },
  ],
  ["tests: `npm test`, Report 'my report.xml'", { ...tests, command: "npm test", report: "my report.xml" }],
  ["tests: ``echo `date` `` new 1", { ...tests, command: "echo `date`", newAtLeast: 1 }],
  ["lint: npx eslint .", { ...lint, command: "npx eslint ." }],
  ["lint: `npx eslint .` errors 0, warnings 5", { ...lint, command: "npx eslint .", errorsAtMost: 0, warningsAtMost: 5 }],
  ["lint: `npx eslint .` erros 0, avisos 5", { ...lint, command: "npx eslint .", errorsAtMost: 0, warningsAtMost: 5 }],
  ["http: GET http://127.0.0.1:80/ status 200", { ...http, target: "http://127.0.0.1:80/", expect: [status(200)] }],
  [
    'http: get /health status 200, header Content-Type contains "json", body contains "ok", json /status is "up", start `npm start`, within 2 min',
    {
      ...http,
      target: "/health",
      start: "npm start",
      withinMs: 120_000,
      expect: [
        status(200),
        { kind: "header", name: "content-type", expect: { kind: "contains", text: "json" } },
        { kind: "body", expect: { kind: "contains", text: "ok" } },
        { kind: "json", pointer: "/status", value: { kind: "is", value: "up" } },
      ],
    },
  ],
  [
    'http: HEAD https://example.org body is not "x, y"',
    { ...http, method: "HEAD", target: "https://example.org", expect: [{ kind: "body", expect: { kind: "is-not", text: "x, y" } }] },
  ],
  [
    "http: GET /x cabeçalho x-a contém b, inicia `./serve`, em até 500 ms",
    {
      ...http,
      target: "/x",
      start: "./serve",
      withinMs: 500,
      expect: [{ kind: "header", name: "x-a", expect: { kind: "contains", text: "b" } }],
    },
  ],
  [
    'json: package.json /version is "2.0.0"',
    { kind: "json", path: "package.json", expect: [{ pointer: "/version", value: { kind: "is", value: "2.0.0" } }] },
  ],
  ["json: a.json /a is 2.0.0", { kind: "json", path: "a.json", expect: [{ pointer: "/a", value: { kind: "is", value: "2.0.0" } }] }],
  ["json: a.json /a is 2.0", { kind: "json", path: "a.json", expect: [{ pointer: "/a", value: { kind: "is", value: 2 } }] }],
  [
    "json: a.json /a is true, /b is null",
    {
      kind: "json",
      path: "a.json",
      expect: [
        { pointer: "/a", value: { kind: "is", value: true } },
        { pointer: "/b", value: { kind: "is", value: null } },
      ],
    },
  ],
  ['json: a.json /a is "true"', { kind: "json", path: "a.json", expect: [{ pointer: "/a", value: { kind: "is", value: "true" } }] }],
  [
    "json: a.json /a is not `[1, 2]`",
    { kind: "json", path: "a.json", expect: [{ pointer: "/a", value: { kind: "is-not", value: [1, 2] } }] },
  ],
  ["json: a.json /a at least 3", { kind: "json", path: "a.json", expect: [{ pointer: "/a", value: { kind: "at-least", bound: 3 } }] }],
  ["json: a.json /a at most -1.5", { kind: "json", path: "a.json", expect: [{ pointer: "/a", value: { kind: "at-most", bound: -1.5 } }] }],
  [
    'json: "my file.json" /a contains "x, y"',
    { kind: "json", path: "my file.json", expect: [{ pointer: "/a", value: { kind: "contains", text: "x, y" } }] },
  ],
  ["json: a.json /a~1b/0 exists", { kind: "json", path: "a.json", expect: [{ pointer: "/a~1b/0", value: { kind: "exists" } }] }],
  ['json: a.json "" exists', { kind: "json", path: "a.json", expect: [{ pointer: "", value: { kind: "exists" } }] }],
  ['json: a.json "/a b" não existe', { kind: "json", path: "a.json", expect: [{ pointer: "/a b", value: { kind: "absent" } }] }],
  ["git: clean", { kind: "git", expect: [{ kind: "clean" }] }],
  ["git: changed src/", { kind: "git", expect: [{ kind: "changed", path: "src/" }] }],
  [
    "git: clean, unchanged docs/, branch main",
    { kind: "git", expect: [{ kind: "clean" }, { kind: "unchanged", path: "docs/" }, { kind: "branch", name: "main" }] },
  ],
  ['git: message contains "T-01"', { kind: "git", expect: [{ kind: "message", needle: "T-01" }] }],
  ["git: mensagem contém T-01", { kind: "git", expect: [{ kind: "message", needle: "T-01" }] }],
  [
    "coverage: `npm run cover` lines 80, branches 70,5%, report coverage/lcov.info",
    { kind: "coverage", command: "npm run cover", report: "coverage/lcov.info", least: { lines: 80, branches: 70.5 } },
  ],
  [
    "cobertura: `npm run cover` linhas 80%, relatório c.xml",
    { kind: "coverage", command: "npm run cover", report: "c.xml", least: { lines: 80 } },
  ],
  ["cost: at most 2.50", { kind: "cost", atMostMicroUsd: 2_500_000 }],
  ["custo: no máximo 2,5", { kind: "cost", atMostMicroUsd: 2_500_000 }],
  ["cost: at most $3", { kind: "cost", atMostMicroUsd: 3_000_000 }],
  ["cost: at most 0.000001 USD", { kind: "cost", atMostMicroUsd: 1 }],
  ["approval: The page looks right", { kind: "approval", statement: "The page looks right", show: null }],
  [
    "approval: The page, and its menu, look right, show docs/shot.png",
    { kind: "approval", statement: "The page, and its menu, look right", show: "docs/shot.png" },
  ],
  [
    "aprovação: A página está boa, mostra `docs/my shot.png`",
    { kind: "approval", statement: "A página está boa", show: "docs/my shot.png" },
  ],
  ["aprovação: ok".normalize("NFD"), { kind: "approval", statement: "ok", show: null }],
  ["from 5: lint: `npx eslint .` errors 0", { ...lint, command: "npx eslint .", errorsAtMost: 0, fromWindow: 5 }],
  ["a partir de 5: testes: npm test", { ...tests, command: "npm test", fromWindow: 5 }],
  ["from 2: `npm test`", { kind: "command", command: "npm test", fromWindow: 2 }],
  ["from window 2: file: a.ts", { kind: "file", path: "a.ts", expect: { kind: "exists" }, fromWindow: 2 }],
])("%j is understood", (text, expected) => {
  expect(parseCriterion(text)).toEqual({ text, ...expected });
});

test.each([
  "http://127.0.0.1:3000 answers",
  "https: it is",
  "From here on: everything works",
  "from the start: good names",
  "approvals: two of them",
  "The tests: npm test",
  "costs: at most 3",
])("%j is prose", (text) => {
  expect(parseCriterion(text)).toEqual({ kind: "prose", text });
});

test.each([
  ["tests:", "no command"],
  ["tests: ``", "no command"],
  ["tests: npm test at least 12", "backticks"],
  ["tests: npm test, report a.xml", "backticks"],
  ["tests: all pass", "reads like prose"],
  ["testes: devem passar", "reads like prose"],
  ["tests: `npm test` at lest 12", "`at least N`"],
  ["tests: `npm test` at least twelve", "`at least N`"],
  ["tests: `npm test` at least -1", "`at least N`"],
  ["tests: `npm test` at least 12 tests", "`at least N`"],
  ["tests: `npm test` at least 12, at least 13", "twice"],
  ["tests: `npm test` at least 12,", "between two commas"],
  ["tests: `npm test` errors 0", "`at least N`"],
  ["tests: `npm test at least 12", "not closed"],
  ["tests: `npm test`at least 12", "not closed"],
  ["tests: `npm test` report", "`at least N`"],
  ["tests: `npm test` report /tmp/a.xml", "absolute"],
  ["tests: `npm test` report ../a.xml", "leaves the repository"],
  ["tests: `npm test` report *.xml", "pattern"],
  ["tests: `npm test` report 'a.xml", "not closed"],
  ["tests: `a\0b`", "NUL"],
  ["lint: `eslint .` problems 0", "`errors N`"],
  ["lint: eslint . errors 0", "backticks"],
  ["http:", "GET ADDRESS"],
  ["http: /health status 200", "GET ADDRESS"],
  ["http: FETCH http://x/ status 200", "GET ADDRESS"],
  ["http: GET /health status 200", "address is whole"],
  ["http: GET http://x/ status 200, start `npm start`", "is a path"],
  ["http: GET //x status 200, start `npm start`", "is a path"],
  ["http: GET /x start `npm start`", "asks for nothing"],
  ["http: GET /x status 2000, start `a`", "status 200"],
  ["http: GET /x status ok, start `a`", "status 200"],
  ["http: GET /x status 200, start npm start", "in backticks"],
  ["http: GET /x status 200, start `a`, start `b`", "once"],
  ["http: GET /x status 200, start `a`, within soon", "within 20 s"],
  ["http: GET /x status 200, start `a`, within 20 h", "within 20 s"],
  ["http: GET /x status 200, start `a`, within 0 s", "within 20 s"],
  ["http: GET http://x/ header content-type json", "header NAME"],
  ["http: GET http://x/ body has ok", "body contains"],
  ["http: GET http://x/ json status is up", "pointer starts with /"],
  ["http: GET http://x/ answers 200", "is none"],
  ["json:", "names no file"],
  ["json: package.json", "after the file"],
  ["json: package.json version is 2", "pointer starts with /"],
  ["json: package.json /version 2", "is VALUE"],
  ["json: package.json /version is", "is VALUE"],
  ["json: package.json /version is a b", "is VALUE"],
  ["json: package.json /version is `{`", "is VALUE"],
  ["json: package.json /a~2 exists", "pointer starts with /"],
  ["json: package.json /a at least many", "is VALUE"],
  ["json: /etc/passwd /a exists", "absolute"],
  ["git:", "`clean`"],
  ["git: tidy", "`clean`"],
  ["git: changed", "`clean`"],
  ["git: changed /etc", "absolute"],
  ["git: branch", "`clean`"],
  ["git: message T-01", "`clean`"],
  ["git: clean now", "`clean`"],
  ["coverage: npm run cover", "`lines N`"],
  ["coverage: `npm run cover` lines 80", "`report PATH`"],
  ["coverage: `npm run cover` report a.info", "`lines N`"],
  ["coverage: `npm run cover` lines 101, report a.info", "is none"],
  ["coverage: `npm run cover` lines many, report a.info", "is none"],
  ["cost:", "at most 2.50"],
  ["cost: 2.50", "at most 2.50"],
  ["cost: low", "at most 2.50"],
  ["cost: at most 2.5.0", "at most 2.50"],
  ["cost: at most -2", "at most 2.50"],
  ["cost: at most 2 EUR", "at most 2.50"],
  ["approval:", "nothing is to be approved"],
  ["approval: , show a.png", "nothing is to be approved"],
  ["approval: ok, show /etc/passwd", "absolute"],
  ["approval: ok, show my shot.png", "show PATH"],
  ["from 0: lint: eslint .", "from N"],
  ["from five: lint: eslint .", "from N"],
  ["from 5: It reads well", "never measured"],
  ["from 5: from 6: lint: eslint .", "from N"],
  ["from 5: lint:", "no command"],
  ["a partir de x: testes: npm test", "from N"],
])("%j is malformed: %s", (text, reason) => {
  expect(parseCriterion(text)).toEqual({ kind: "malformed", text, reason: expect.stringContaining(reason) });
});

test("a line that cannot be understood refuses the plan, with the line and the forms", () => {
  const plan = "- [ ] T-1 Write it\n  - tests: `npm test` at lest 12\n";
  expect(plans.parse("tasks.md", plan)).toEqual({
    kind: "broken",
    line: 2,
    reason: expect.stringMatching(/`tests: `npm test` at lest 12` cannot be checked: .*`at least N`, `new N`, `skipped N`/),
  });
});

test("every text is a criterion or malformed, keeps the person's own words, and reads the same again", () => {
  const piece = fc.constantFrom(
    ...[
      "tests:",
      "lint:",
      "http:",
      "json:",
      "git:",
      "coverage:",
      "cost:",
      "approval:",
      "from 5:",
      "a partir de 2:",
      "GET",
      "/a",
      "http://x/",
    ],
    ...[
      " ",
      "`",
      '"',
      "“",
      ",",
      ", ",
      "at least 1",
      "errors 0",
      "is",
      "exists",
      "report a.xml",
      "start",
      "within 5 s",
      "status 200",
      "\\",
      "~",
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (parts) => {
      const text = parts.join(" ").trim();
      const read = parseCriterion(text);
      expect(read.text).toBe(text);
      expect(parseCriterion(read.text)).toEqual(read);
    }),
  );
});

test("long lines are read in a moment", () => {
  const startedAt = performance.now();
  for (const text of [
    `tests: ${"`".repeat(1e6)}`,
    `tests: \`a\` ${", ".repeat(3e5)}`,
    `tests: \`a\` ${"at least 1, ".repeat(1e5)}`,
    `http: GET ${"/".repeat(1e6)}`,
    `json: a.json ${'"'.repeat(1e6)}`,
    `json: a.json ${"/".repeat(1e6)} exists`,
    `approval: ${", show ".repeat(1e5)}`,
    "from 1: ".repeat(1e4),
    `cost: at most ${"1".repeat(1e6)}`,
  ])
    parseCriterion(text);
  expect(performance.now() - startedAt).toBeLessThan(4000);
});
