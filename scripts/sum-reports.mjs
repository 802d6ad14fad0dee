/** Adds up the JSON reports of the test lanes in a folder and prints one line: "N passed, N failed", and ", N skipped" where there are any. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2] ?? "build/reports";
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
const sum = { passed: 0, failed: 0, skipped: 0 };

for (const file of files) {
  const report = readReport(join(folder, file));
  if (report === null) continue;
  // A file that could not be loaded has no tests to count, and it has failed all the same.
  const unloaded = report.testResults.filter((one) => one.status === "failed" && one.assertionResults.length === 0);
  sum.passed += report.numPassedTests;
  sum.failed += report.numFailedTests + unloaded.length;
  sum.skipped += report.numPendingTests + report.numTodoTests;
}

/** Null, and a line that says so, where the file is no report: what the others say is still told. */
function readReport(path) {
  try {
    const report = JSON.parse(readFileSync(path, "utf8"));
    if (Array.isArray(report?.testResults) && Number.isInteger(report.numPassedTests)) return report;
  } catch {
    // no JSON: half written, or of another program
  }
  process.stderr.write(`${path} is no report of tests: remove it, or run its lane again\n`);
  process.exitCode = 1;
  return null;
}

process.stdout.write(`${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ""}\n`);
