import { expect, test } from "vitest";
import { isTestFile, subjectOf } from "../../../src/core/integrity/test-files.ts";

test.each([
  "a.test.ts",
  "src/a.spec.jsx",
  "test.js",
  "test/a.mjs",
  "tests/fixtures/a.txt",
  "src/__tests__/a.js",
  "test-a.js",
  "test_a.py",
  "pkg/a_test.py",
  "conftest.py",
  "a_test.go",
  "tests/it.rs",
  "src/test/java/A.java",
  "ATest.java",
  "AIT.java",
  "a_spec.rb",
  "a.bats",
  "test_a.sh",
  "a.test.sh",
  "__snapshots__/a.snap",
  "recordings/table.txt",
  "src/cassettes/login.yaml",
  "src/page.approved.txt",
])("%s is a test", (path) => {
  expect(isTestFile(path)).toBe(true);
});

test.each([
  "a.ts",
  "src/contest.js",
  "src/latest.py",
  "attest.go",
  "testing.md",
  "src/test-results-page.tsx.md",
  "src/tester/a.js",
  "Latest.java",
  "run.sh",
  "src/recordings/player.ts",
  "app/approvals/views.py",
])("%s is no test", (path) => {
  expect(isTestFile(path)).toBe(false);
});

test.each([
  ["test/slug.test.mjs", "slug"],
  ["tests/test_slug.py", "slug"],
  ["slug_test.go", "slug"],
  ["SlugTest.java", "Slug"],
  ["test/all.mjs", null],
  ["test.js", null],
])("%s tests %s", (path, subject) => {
  expect(subjectOf(path)).toBe(subject);
});
