/** The examples of docs/criteria.md hold, in a tree with such files. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseCriterion } from "../../src/core/criteria/parse.ts";
import { makeNight } from "./kit.ts";

const text = readFileSync(join(import.meta.dirname, "../../docs/criteria.md"), "utf8");
const blocks = [...text.matchAll(/^```text\n([\s\S]*?)^```$/gm)].map(([, block]) => block ?? "");
const lines = blocks.flatMap((block) => block.trim().split("\n"));
const inline = [...text.matchAll(/`((?:cost|approval|http): [^`]+)`/g)].map(([, line]) => line ?? "");

const files = {
  "README.md": "# Sum\n\n## Usage\n",
  "a.test.mjs": 'import { test } from "node:test"; test("one", () => {}); test("two", () => {});\n',
  "lint.mjs": 'console.log("\\u2716 1 problem (0 errors, 1 warning)");\n',
  "package.json": '{ "version": "2.0.0", "files": ["dist"], "private": false }\n',
  "server.mjs":
    'import { createServer } from "node:http";\ncreateServer((_request, response) => response.setHeader("content-type", "application/json").end(\'{"status":"up"}\')).listen(process.env.PORT, "127.0.0.1");\n',
  "cover.mjs":
    'import { mkdirSync, writeFileSync } from "node:fs";\nmkdirSync("coverage", { recursive: true });\nwriteFileSync("coverage/lcov.info", "SF:a\\nLF:10\\nLH:9\\nBRF:4\\nBRH:3\\nend_of_record\\n");\n',
  ".gitignore": "coverage\njunit.xml\n",
};

test("there is an example of each kind, and each line of the text is understood", () => {
  const kinds = [...lines, ...inline].map((line) => parseCriterion(line).kind);
  expect(kinds).not.toContain("malformed");
  expect(new Set(kinds)).toEqual(new Set(["command", "file", "tests", "lint", "http", "json", "git", "coverage", "cost", "approval"]));
});

test.for(lines)("%s holds", { timeout: 60_000 }, async (line) => {
  const night = makeNight({ files });
  night.repo.commit("T-01 the change", { "src/slug.ts": "export {};\n" });
  expect(await night.run(["criteria", "try", line, "--base", "HEAD~1"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^holds/),
  });
});
