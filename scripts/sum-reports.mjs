/** Adds up the JSON reports of the test lanes in a folder and prints one line: "N passed, N failed", and ", N skipped" where there are any. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2] ?? "build/reports";
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
const sum = { passed: 0, failed: 0, skipped: 0 };

for (const file of files) {
  const report = JSON.parse(readFileSync(join(folder, file), "utf8"));
  // A file that could not be loaded has no tests to count, and it has failed all the same.
  const unloaded = report.testResults.filter((one) => one.status === "failed" && one.assertionResults.length === 0);
  sum.passed += report.numPassedTests;
  sum.failed += report.numFailedTests + unloaded.length;
  sum.skipped += report.numPendingTests + report.numTodoTests;
}

process.stdout.write(`${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ""}\n`);
