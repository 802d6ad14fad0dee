/** Folders of the user, and what of the environment a child gets. Nothing here may load a schema. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type AgentEnvironment, childEnvironment, criterionEnvironment, isSecretName } from "../../src/config/child-environment.ts";
import { type Environment, folders } from "../../src/config/folders.ts";
import { refusalOf } from "./config-fixture.ts";

test.each<[string, Environment, string | null, { state: string; config: string }]>([
  [
    "without XDG both are below HOME",
    { HOME: "/home/ann" },
    "/other",
    { state: "/home/ann/.local/state/midwatch", config: "/home/ann/.config/midwatch" },
  ],
  [
    "absolute XDG folders win",
    { HOME: "/h", XDG_STATE_HOME: "/s", XDG_CONFIG_HOME: "/c/" },
    null,
    { state: "/s/midwatch", config: "/c/midwatch" },
  ],
  [
    "relative XDG folders are ignored",
    { HOME: "/h", XDG_STATE_HOME: "s", XDG_CONFIG_HOME: "./c" },
    null,
    { state: "/h/.local/state/midwatch", config: "/h/.config/midwatch" },
  ],
  [
    "empty XDG folders are ignored",
    { HOME: "/h", XDG_STATE_HOME: "", XDG_CONFIG_HOME: "" },
    null,
    { state: "/h/.local/state/midwatch", config: "/h/.config/midwatch" },
  ],
  ["without HOME the system's word counts", {}, "/root", { state: "/root/.local/state/midwatch", config: "/root/.config/midwatch" }],
  ["a relative HOME is none", { HOME: "ann" }, "/root", { state: "/root/.local/state/midwatch", config: "/root/.config/midwatch" }],
  ["an empty HOME is none", { HOME: "" }, "/root", { state: "/root/.local/state/midwatch", config: "/root/.config/midwatch" }],
  [
    "no home is needed where XDG says both",
    { XDG_STATE_HOME: "/s", XDG_CONFIG_HOME: "/c" },
    null,
    { state: "/s/midwatch", config: "/c/midwatch" },
  ],
])("%s", (_title, env, home, expected) => {
  expect(folders(env, home)).toEqual(expected);
});

test.each<[string, Environment, string | null]>([
  ["no home at all", {}, null],
  ["only a relative one", { HOME: "x" }, ""],
  ["a state folder and nothing else", { XDG_STATE_HOME: "/s" }, null],
])("%s is the environment's fault, with a next step", (_title, env, home) => {
  const refusal = refusalOf(() => folders(env, home));
  expect(refusal).toMatchObject({ kind: "environment", code: "E_NO_HOME" });
  expect(refusal.hint).toMatch(/^set HOME to your home folder, or XDG_\w+ to an absolute path$/);
});

test.each([
  ["folders.ts, which `status` needs", "folders.ts"],
  ["the child's environment", "child-environment.ts"],
  ["the mapping to a run", "run-settings.ts"],
  ["the rows of `config show`", "describe.ts"],
  ["the door itself, until it is used", "load.ts"],
])("%s loads neither schema nor parser", (_title, name) => {
  const source = join(import.meta.dirname, "../../src/config", name);
  const script = `import { registerHooks } from "node:module";
    const seen = [];
    registerHooks({ resolve: (specifier, context, next) => { const found = next(specifier, context); seen.push(found.url); return found; } });
    await import(${JSON.stringify(source)});
    console.log(JSON.stringify(seen.filter((url) => url.includes("node_modules"))), seen.length > 0);`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--no-warnings", "--input-type=module", "-e", script], { encoding: "utf8" });
  expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: "[] true", stderr: "" });
});

const none: AgentEnvironment = { passEnv: [], env: {} };
const given = (names: readonly string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
const passing = (names: readonly string[], agent = none): string[] => Object.keys(childEnvironment(given(names), agent)).sort();

const usual = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "LC_TIME", "TERM", "COLORTERM", "TZ", "TMPDIR", "TMP", "TEMP"];
const tools = [
  "NVM_DIR",
  "VOLTA_HOME",
  "JAVA_HOME",
  "GOPATH",
  "CARGO_HOME",
  "RUSTUP_HOME",
  "PYENV_ROOT",
  "VIRTUAL_ENV",
  "GIT_AUTHOR_NAME",
  "GIT_COMMITTER_EMAIL",
];
const network = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy"];
const certificates = ["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "GIT_SSL_CAINFO"];
const xdg = ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"];
const signIns = [
  ...[
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "OPENAI_API_KEY",
    "CODEX_HOME",
  ],
  ...["GEMINI_API_KEY", "GOOGLE_CLOUD_PROJECT", "OPENROUTER_API_KEY", "AZURE_OPENAI_ENDPOINT", "SSH_AUTH_SOCK", "GPG_AGENT_INFO"],
];
const marks = [
  "CLAUDECODE",
  "CLAUDE_PID",
  "CLAUDE_ENV_FILE",
  "CLAUDE_PROJECT_DIR",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_ENTRYPOINT",
  "GEMINI_CLI",
];
const pointers = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_COMMON_DIR",
  "GIT_CONFIG_PARAMETERS",
  "GIT_CONFIG_KEY_0",
];
const ours = ["MIDWATCH_WINDOW", "MIDWATCH_URL", "MIDWATCH_LIMITS_RUN", "MIDWATCH_ANYTHING"];

test.each([
  ["what every program needs", usual],
  ["tool chains and git's author", tools],
  ["proxies", network],
  ["certificates", certificates],
  ["the user's folders", xdg],
  ["the sign-in of the usual agents", signIns],
])("an agent gets %s", (_title, names) => {
  expect(passing(names)).toEqual([...names].sort());
});

test("an agent gets nothing else: not our state folder, not a stranger's key", () => {
  expect(
    passing([
      "XDG_STATE_HOME",
      "AWS_SECRET_ACCESS_KEY",
      "DATABASE_URL",
      "NODE_OPTIONS",
      "LD_PRELOAD",
      "PATHX",
      "path",
      "npm_config_registry",
      "GIT_ASKPASS",
    ]),
  ).toEqual([]);
});

test("names and prefixes of `passEnv` are added", () => {
  const names = ["AWS_REGION", "AWS_PROFILE", "DATABASE_URL", "DATABASE_URL_2", "OTHER"];
  expect(passing(names, { passEnv: ["AWS_*", "DATABASE_URL"], env: {} })).toEqual(["AWS_PROFILE", "AWS_REGION", "DATABASE_URL"]);
});

test("B074: marks of a session around us, git's pointers and our own names never pass, by prefix or by name", () => {
  const agent = { passEnv: ["CLAUDE*", "GIT_*", "GEMINI_*", "MIDWATCH_*", ...marks, ...pointers], env: given([...pointers, ...ours]) };
  expect(passing([...marks, ...pointers, ...ours], agent)).toEqual([]);
});

test("`agent.env` wins over what is inherited", () => {
  expect(childEnvironment({ PATH: "/bin", EMPTY: undefined }, { passEnv: ["EMPTY"], env: { PATH: "/opt/bin", MODE: "" } })).toEqual({
    PATH: "/opt/bin",
    MODE: "",
  });
});

test("a criterion gets the same without keys and the ways to them", () => {
  const all = [...usual, ...tools, ...network, ...certificates, ...xdg, ...signIns];
  const kept = [...usual, ...tools, ...network, ...certificates, ...xdg].sort();
  expect(Object.keys(criterionEnvironment(given(all))).sort()).toEqual(kept);
  const agent = { passEnv: ["AWS_*", "DATABASE_HOST"], env: { NODE_ENV: "test", NPM_TOKEN: "t", ANTHROPIC_MODEL: "m" } };
  const asked = criterionEnvironment(given(["AWS_REGION", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "DATABASE_HOST"]), agent);
  expect(Object.keys(asked).sort()).toEqual(["AWS_REGION", "DATABASE_HOST", "NODE_ENV"]);
});

test.each([
  "API_KEY",
  "OPENAI_APIKEY",
  "AWS_ACCESS_KEY_ID",
  "GITHUB_TOKEN",
  "GH_TOKENS",
  "client_secret",
  "DB_PASSWORD",
  "MYSQL_PWD",
  "SMTP_PASS",
  "NPM_CONFIG__AUTH",
  "GCP_CREDENTIALS",
  "SESSION_COOKIE",
])("%s sounds like a secret", (name) => expect(isSecretName(name)).toBe(true));

test.each(["PATH", "GIT_AUTHOR_NAME", "KEYBOARD", "TOKENIZERS_PARALLELISM", "COMPASS", "LANG", "CI"])(
  "%s does not sound like a secret",
  (name) => expect(isSecretName(name)).toBe(false),
);
