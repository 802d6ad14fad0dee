/** Evaluators with real processes, files and git. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Repository } from "../fixtures/repositories.ts";
import { openBench } from "./criteria-kit.ts";

const passing =
  'import { test } from "node:test"; test("one", () => {}); test("12 passed", () => {}); test("later", { skip: true }, () => {});\n';
const junit = '<testsuite><testcase name="a" assertions="2"/></testsuite>';

test.each<[string, string, string, string]>([
  [
    "node's own tests are read from what they print",
    "tests: `node --test a.test.mjs` at least 2, skipped 1",
    "holds",
    "2 passed, 0 failed, 1 skipped (node:test)",
  ],
  [
    "and as TAP",
    "tests: `node --test --test-reporter=tap a.test.mjs` at least 3",
    "fails",
    "at least 3 must pass: 2 passed, 0 failed, 1 skipped (tap)",
  ],
  [
    "a report in a file",
    "tests: `node --test --test-reporter=junit --test-reporter-destination=r.xml a.test.mjs` at least 2, report r.xml",
    "holds",
    "2 passed, 0 failed, 1 skipped (junit)",
  ],
  ["a report that the command did not write", "tests: `true` report old.xml", "cannot-tell", "an old one"],
  ["a report that is not there", "tests: `true` report none.xml", "cannot-tell", "is not there"],
  [
    "a report that is written again with the same words",
    `tests: \`cp old.xml new.xml; mv new.xml old.xml\` assertions 2, report old.xml`,
    "holds",
    "1 passed",
  ],
  ["a report that is a link to another file", "tests: `ln -sf /etc/hostname r.xml` report r.xml", "cannot-tell", "is not there"],
  ["a report that is no report", "tests: `echo done > r.xml` report r.xml", "cannot-tell", "neither whole JUnit XML nor whole TAP"],
  ["a command that prints no report", "tests: echo 12 passed", "cannot-tell", "no test report can be read"],
  ["a report on standard error", "tests: `cat jest.txt >&2` at least 2", "holds", "(jest)"],
  [
    "a report before more output than is kept",
    "tests: `cat node.tap; head -c 9000000 /dev/zero | tr '\\0' '\\n'`",
    "cannot-tell",
    "no test report",
  ],
  ["a summary after more output than is kept", "tests: `head -c 9000000 /dev/zero | tr '\\0' '\\n'; cat jest.txt`", "holds", "(jest)"],
  ["a line that never ends", "tests: `head -c 40000000 /dev/zero; echo; cat jest.txt`", "holds", "(jest)"],
  ["a command that fails", "tests: `node --test a.test.mjs; exit 3`", "fails", "exit code 3; 2 passed"],
  ["a command that does not end", "tests: sleep 1000", "fails", "it was ended after"],
  ["lint that is clean", "lint: `true` errors 0", "holds", "0 errors, 0 warnings (silent)"],
  ["lint that counts", "lint: `printf 'a.ts(1,2): error TS1: x\\n'; exit 2` errors 0", "fails", "1 errors, 0 warnings (tsc)"],
  ["lint on standard error", "lint: `printf 'warning: \\140rs\\140 (lib) generated 2 warnings\\n' >&2` warnings 2", "holds", "(clippy)"],
  ["lint with a warning of node's on standard error", "lint: `echo odd >&2` errors 0", "cannot-tell", "cannot be counted"],
  ["coverage that was written", "coverage: `cp lcov.info new.info` lines 80, report new.info", "holds", "lines 80 %"],
  ["coverage that is too low", "coverage: `cp lcov.info new.info` lines 81, report new.info", "fails", "at least 81 % of lines"],
  ["coverage of an earlier run", "coverage: `true` lines 80, report lcov.info", "cannot-tell", "an old one"],
  ["coverage that is none", "coverage: `echo 80 > c.xml` lines 80, report c.xml", "cannot-tell", "no whole report"],
  ["a JSON file", 'json: package.json /version is "2.0.0"', "holds", "is so"],
  ["a JSON file that is none", "json: lcov.info /version exists", "fails", "is no JSON"],
  ["a JSON file that is not there", "json: none.json /version exists", "fails", "is not there"],
  ["a JSON file that is a folder", "json: folder /version exists", "cannot-tell", "not a regular file"],
  ["the ledger where there is none", "cost: at most 1", "cannot-tell", "no ledger"],
  ["a person who was not asked", "approval: It looks right", "cannot-tell", "no person was asked"],
])("%s", { timeout: 30_000 }, async (_name, line, verdict, detail) => {
  const jest = "Test Suites: 1 passed, 1 total\nTests:       2 passed, 2 total\nSnapshots:   0 total\nTime:        0.5 s\n";
  const bench = await openBench({
    files: {
      ...{ "a.test.mjs": passing, "old.xml": junit, "jest.txt": jest, "node.tap": "TAP version 13\nok 1\n1..1\n" },
      ...{ "lcov.info": "SF:a\nLF:10\nLH:8\nend_of_record\n", "package.json": '{"version":"2.0.0"}', "folder/x": "" },
    },
    criterionMs: line.includes("sleep") ? 300 : 20_000,
  });
  expect(await bench.measure(line)).toMatchObject({ criterion: line, verdict, detail: expect.stringContaining(detail) });
});

test("figures go with the evidence, also of a plain command that prints a report", async () => {
  const bench = await openBench({ files: { "a.test.mjs": passing } });
  expect(await bench.measure("run: node --test a.test.mjs")).toMatchObject({
    kind: "command",
    verdict: "holds",
    detail: "exit code 0",
    figures: { passed: 2, failed: 0, skipped: 1 },
  });
});

test.each<[string, (repo: Repository) => unknown, string, string]>([
  ["a clean tree", () => {}, "git: clean", "holds"],
  ["a file that is not committed", ({ write }) => write("new.txt", ""), "git: clean", "fails"],
  ["a commit below the path", ({ commit }) => commit("T-01 add a", { "src/a.ts": "1" }), "git: changed src/", "holds"],
  ["a commit beside it", ({ commit }) => commit("docs", { "docs/a.md": "1" }), "git: changed src/", "fails"],
  ["a path with the same beginning", ({ commit }) => commit("x", { "srcx/a.ts": "1" }), "git: unchanged src", "holds"],
  ["a pattern is a name", ({ commit }) => commit("x", { "src/a.ts": "1" }), "git: unchanged `src/?.ts`", "holds"],
  ["a message", ({ commit }) => commit("T-01 add a", { a: "1" }), 'git: message contains "T-01"', "holds"],
  ["a message of the base", () => {}, 'git: message contains "the base"', "fails"],
  ["another branch", () => {}, "git: branch nowhere", "fails"],
])("git: %s", async (_name, change, line, verdict) => {
  const bench = await openBench({ files: { "src/b.ts": "0" } });
  change(bench.repo);
  expect(await bench.measure(line)).toMatchObject({ verdict });
});

test("without a base what differs from it cannot be told", async () => {
  const bench = await openBench({ change: { base: async () => null } });
  expect(await bench.measure("git: changed src/")).toMatchObject({ verdict: "cannot-tell", detail: expect.stringContaining("the base") });
  const gone = await openBench({ change: { base: async () => "1".repeat(40) } });
  expect(await gone.measure("git: changed src/")).toMatchObject({ verdict: "cannot-tell" });
});

test("a person's stop ends what is measured, and nothing more is started", async () => {
  const bench = await openBench();
  const measured = bench.measure("tests: echo started > started.txt; sleep 1000");
  await expect.poll(() => bench.measuring.ports.files.exists(join(bench.repo.path, "started.txt"))).toBe(true);
  bench.stop();
  expect(await measured).toMatchObject({ verdict: "cannot-tell", detail: expect.stringContaining("stopped") });
  for (const line of ["run: touch never", "tests: touch never", "lint: touch never", "http: GET /x status 200, start `touch never`"])
    expect(await bench.measure(line)).toMatchObject({ verdict: "cannot-tell", detail: "it was stopped" });
  expect(await bench.measuring.ports.files.exists(join(bench.repo.path, "never"))).toBe(false);
});

test("a stamp changes with each writing, and a link has none", async () => {
  const bench = await openBench({ files: { a: "1" } });
  const { files } = bench.measuring.ports;
  const path = join(bench.repo.path, "a");
  const before = await files.stamp(path);
  expect(await files.stamp(path)).toBe(before);
  const writeAgain = () => {
    writeFileSync(path, "1");
    return files.stamp(path);
  };
  await expect.poll(writeAgain).not.toBe(before);
  expect(await files.stamp(bench.repo.path)).toBeNull();
  expect(await files.stamp(`${path}x`)).toBeNull();
});
