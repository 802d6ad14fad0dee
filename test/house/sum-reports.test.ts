/** The sum of the test lanes' reports: a file that is none is named, and what the others say is told all the same. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../fixtures/repositories.ts";

const script = join(import.meta.dirname, "../../scripts/sum-reports.mjs");
const report = { numPassedTests: 3, numFailedTests: 1, numPendingTests: 2, numTodoTests: 0, testResults: [] };
const unloaded = { ...report, testResults: [{ status: "failed", assertionResults: [] }] };

function sumOf(texts: readonly string[]) {
  const folder = makeFolder();
  for (const [index, text] of texts.entries()) writeFileSync(join(folder, `${index}.json`), text);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, folder], { encoding: "utf8" });
  return { status, stdout, stderr: stderr.replaceAll(folder, "FOLDER") };
}

test("reports are added up, and a file that could not be loaded has failed", () => {
  expect(sumOf([JSON.stringify(report), JSON.stringify(unloaded)])).toEqual({
    status: 0,
    stdout: "6 passed, 3 failed, 4 skipped\n",
    stderr: "",
  });
  expect(sumOf([])).toEqual({ status: 0, stdout: "0 passed, 0 failed\n", stderr: "" });
});

test.each(["{}", "null", "[]", '{"testResults": [', '{"testResults": []}'])(
  "a file that is no report (%s) is named in one line",
  (text) => {
    expect(sumOf([JSON.stringify(report), text])).toEqual({
      status: 1,
      stdout: "3 passed, 1 failed, 2 skipped\n",
      stderr: "FOLDER/1.json is no report of tests: remove it, or run its lane again\n",
    });
  },
);
