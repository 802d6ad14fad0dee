/** Which files a criterion's command runs, by its words. */
import { expect, test } from "vitest";
import { reachOf, scriptsOf } from "../../../src/core/integrity/reach.ts";

const tree: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({
    scripts: { test: "npm run -s unit && sh tools/check.sh", pretest: "node prepare.mjs", unit: "vitest run", lint: "eslint ." },
  }),
  Makefile: "check: \n\tsh ./scripts/all.sh\n",
  "scripts/all.sh": "#!/bin/sh\n. ./part.sh\npython3 -m pytest\n",
  "scripts/part.sh": "node ../run.mjs\n",
  "tools/check.sh": "exit $(grep -c x a.txt)\n",
  ...{
    "prepare.mjs": "",
    "run.mjs": "",
    "vitest.config.ts": "",
    "eslint.config.js": "",
    "pytest.ini": "",
    "src/a.ts": "",
    "a.txt": "",
    ".npmrc": "",
  },
};

test.each<[string, readonly string[]]>([
  ["node run.mjs", ["run.mjs"]],
  ["./run.mjs --fast=src/a.ts", ["run.mjs", "src/a.ts"]],
  ["npm test", [".npmrc", "a.txt", "package.json", "prepare.mjs", "tools/check.sh", "vitest.config.ts"]],
  ["npm run lint", [".npmrc", "eslint.config.js", "package.json"]],
  ["pnpm --silent unit", [".npmrc", "package.json", "vitest.config.ts"]],
  ["make check", ["Makefile", "pytest.ini", "run.mjs", "scripts/all.sh", "scripts/part.sh"]],
  ["sh scripts/all.sh | tail -1", ["pytest.ini", "run.mjs", "scripts/all.sh", "scripts/part.sh"]],
  ["pytest -q", ["pytest.ini"]],
  ["true", []],
  ["echo nothing.mjs", []],
])("%s", (command, expected) => {
  expect([...reachOf(command, Object.keys(tree), (path) => tree[path] ?? null)].sort()).toEqual([...expected].sort());
});

test("scripts that call each other for ever are followed once", () => {
  const text = JSON.stringify({ scripts: { a: "npm run b", b: "npm run a && node x.mjs" } });
  expect(reachOf("npm run a", ["package.json", "x.mjs"], () => text)).toEqual(["package.json", "x.mjs"]);
});

test.each([null, "", "{", "[]", "null", '{"scripts":7}', '{"scripts":{"test":7}}'])("package.json as %j has no scripts", (text) => {
  expect(scriptsOf(text)).toEqual({});
});
