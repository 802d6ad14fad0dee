/** Which values of an environment count as secrets. docs/spec/secrets.md */
import { expect, test } from "vitest";
import { openRedactor } from "../../src/composition/redaction.ts";
import { knownSecrets, serverSecrets } from "../../src/config/known-secrets.ts";

const values = (env: Readonly<Record<string, string>>) => knownSecrets(env).map(({ value }) => value);

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ["a variable that is named like a secret", { GITHUB_TOKEN: "v1", MY_API_KEY: "v2", DB_PASSWORD: "v3" }, ["v1", "v2", "v3"]],
  ["spaces around it may be gone where it is said", { GITHUB_TOKEN: " v1\n" }, [" v1\n", "v1"]],
  ["where one is, is none", { PWD: "/w", OLDPWD: "/w", SSH_AUTH_SOCK: "/s", TLS_KEY_FILE: "/k", AUTH_URL: "https://x" }, []],
  ["the password of an address, as it is written and as it is meant", { DATABASE_URL: "postgres://me:p%21x@h/db" }, ["p%21x", "p!x"]],
  ["a proxy's", { HTTPS_PROXY: "http://me:secret@proxy:3128" }, ["secret"]],
  ["a stray percent sign in it", { DATABASE_URL: "x://me:50%off@h" }, ["50%off"]],
  ["nothing else", { PATH: "/bin", LANG: "C", HOME: "/home/me", SITE: "https://host:8080/a@b" }, []],
])("%s", (_title, env, expected) => {
  expect(values(env)).toEqual(expected);
});

test("of an MCP server its variables that are named so, and every header", () => {
  const server = { command: "x", env: { TOKEN: "t1", MODE: "m" }, headers: { Authorization: "Bearer h1", "X-Key": "h2" } };
  expect(values(serverSecrets(server) as Record<string, string>)).toEqual(["t1", "h1", "h2"]);
  expect([serverSecrets({}), serverSecrets({ env: ["x"], headers: null })]).toEqual([{}, {}]);
});

test("what is learned later is taken out from then on", () => {
  const redactor = openRedactor({ ONE_TOKEN: "first-secret" });
  const text = "first-secret second-secret";
  const before = redactor.text(text);
  redactor.learn({ TWO_TOKEN: "second-secret", MODE: "quiet-mode" });
  expect([before, redactor.text(text), redactor.text("quiet-mode")]).toEqual([
    "[redacted ONE_TOKEN] second-secret",
    "[redacted ONE_TOKEN] [redacted TWO_TOKEN]",
    "quiet-mode",
  ]);
});
