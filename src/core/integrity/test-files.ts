/** Which files are tests, by the names and folders that their runners look for. */

const byName =
  /(^|\/)(test_[^/]*\.py|[^/]*_test\.(py|go|rb|exs)|[^/]*[._-](test|tests|spec|specs|check)\.[cm]?[jt]sx?|[^/]*_spec\.rb|(test|tests|spec|check)s?\.(py|[cm]?[jt]sx?|sh|bats)|[^/]*\.bats|(test|check)[_-][^/]*\.(sh|[cm]?[jt]sx?)|[^/]*[_-](test|tests|check)\.sh|[^/]*(Test|Tests|TestCase|Spec|IT)\.(java|kt|scala|cs|php|swift)|conftest\.py)$/;
const byFolder = /(^|\/)(tests?|specs?|__tests__|__snapshots__|testdata|e2e|integration-tests)\//;

/** A file that tests, or that only tests use: their helpers, data and snapshots. */
export function isTestFile(path: string): boolean {
  return byName.test(path) || byFolder.test(path) || path.endsWith(".snap");
}
