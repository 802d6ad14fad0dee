/** A file in which a call with a text and a function is a test, though no runner that we know is named. */
export function looksLikeTestFile(path: string): boolean {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  // Programs that tests run are no tests.
  if (parts.some((part) => /^(fixtures?|testdata)$/i.test(part))) return false;
  return /(^|[._-])(tests?|specs?|checks?)([._-]|$)/i.test(name) || parts.some((part) => /^(tests?|__tests__|specs?)$/i.test(part));
}
