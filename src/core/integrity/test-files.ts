/** Which paths are tests, by the conventions of JavaScript, TypeScript, Python, Go, Rust, Java, Ruby and the shell. Paths have `/`, from the top of the repository. */

const folders = /^(t|golden|goldens|expected|baselines?|snapshots?|tests?|__tests__|__mocks__|__snapshots__|spec|specs|testdata|e2e)$/i;
const names: readonly RegExp[] = [
  /(^|[._-])(test|tests|spec|specs)\.[cm]?[jt]sx?$/i,
  /^(test|spec)[._-].*\.[cm]?[jt]sx?$/i,
  /^(test_.*|.*_test|tests?|conftest)\.py$/,
  /_test\.go$/,
  /(^|_)tests?\.rs$/,
  /(^Test[A-Z].*|Tests?|TestCase|IT|Spec)\.(java|kt|scala|groovy|cs)$/,
  /_(test|spec)\.(rb|exs?|php|lua|dart|c|cc|cpp)$/,
  /\.(bats|snap)$/,
  /\.approved\.\w+$/,
  /(^|[._-])tests?([._-].*)?\.(sh|bash|zsh|ps1)$/i,
];

/** What tests record and compare with. Code in a folder of such a name is something else. */
const recordings = /^(__)?(recordings?|cassettes|approvals)(__)?$/i;
const code = /\.([cm]?[jt]sx?|py|rb|go|rs|java|kt|php|vue|svelte)$/i;

export function isTestFile(path: string): boolean {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  const isRecording = parts.some((part) => recordings.test(part)) && !code.test(name);
  return isRecording || parts.some((part) => folders.test(part)) || names.some((pattern) => pattern.test(name));
}

/**
 * Whether a call with a text and a function may be a test in this file though no runner that we know is named. Checks are files of that kind, too; programs that
 * tests run are none.
 */
export function looksLikeTestFile(path: string): boolean {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  if (parts.some((part) => /^(fixtures?|testdata)$/i.test(part))) return false;
  return /(^|[._-])(tests?|specs?|checks?)([._-]|$)/i.test(name) || parts.some((part) => /^(tests?|__tests__|specs?)$/i.test(part));
}

/** What a test file tests by its name: `test/slug.test.mjs`, `slug_test.py` and `test_slug.py` test `slug`. Null = its name tells nothing. */
export function subjectOf(path: string): string | null {
  const stem = (path.split("/").pop() ?? "").replace(/\.[^.]+$/, "");
  const subject = stem.replace(/^(test|spec)[._-]|[._-](test|tests|spec|specs)$/gi, "").replace(/(Tests?|Spec)$/, "");
  return subject === stem || subject === "" ? null : subject;
}
