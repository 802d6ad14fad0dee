/**
 * What of our environment a child gets: an allow-list, never the whole. The only place that knows names of other programs' variables.
 * Some names never pass, whoever asks: marks of a session we were started in, git's own pointers to another repository, and ours.
 */
import type { AgentSettings } from "../core/run-settings.ts";
import type { Environment } from "./folders.ts";

/** `*` at the end is a prefix, here and in `agent.passEnv`. */
const passed = [
  ...[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "TERM",
    "COLORTERM",
    "NO_COLOR",
    "TZ",
    "TMPDIR",
    "TMP",
    "TEMP",
  ],
  ...["XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_RUNTIME_DIR"],
  ...["SSH_AUTH_SOCK", "GPG_AGENT_INFO", "GNUPGHOME", "GIT_AUTHOR_*", "GIT_COMMITTER_*"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "GIT_SSL_CAINFO"],
  ...["ANTHROPIC_*", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_USE_*", "CLAUDE_CODE_OAUTH_TOKEN", "OPENAI_*", "CODEX_HOME"],
  ...["GEMINI_*", "GOOGLE_*", "OPENROUTER_*", "AZURE_OPENAI_*"],
  ...["NVM_DIR", "VOLTA_HOME", "JAVA_HOME", "GOPATH", "CARGO_HOME", "RUSTUP_HOME", "PYENV_ROOT", "VIRTUAL_ENV"],
];

const dropped = [
  // An agent that finds one of these believes that it runs inside another and refuses, or writes to the other's session.
  ...["CLAUDECODE", "CLAUDE_PID", "CLAUDE_ENV_FILE", "CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT"],
  ...["CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_REMOTE*"],
  ...["GEMINI_CLI", "CODEX_SANDBOX*", "CODEX_THREAD_ID", "OPENCODE", "OPENCODE_PID", "CURSOR_AGENT"],
  // Set by git for its hooks: with them, every git command in the tree would speak of another one.
  ...["GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE"],
  ...["GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE"],
  ...["GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_*", "GIT_CONFIG_VALUE_*"],
  ...["GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_INTERNAL_*", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"],
  "MIDWATCH_*",
];

/** Not words of a secret, but of what leads to one: a provider's account, the keys of an agent process. */
const notForCriteria = [
  "ANTHROPIC_*",
  "CLAUDE_*",
  "OPENAI_*",
  "CODEX_*",
  "GEMINI_*",
  "GOOGLE_*",
  "OPENROUTER_*",
  "AZURE_OPENAI_*",
  "GPG_AGENT_INFO",
];

export type AgentEnvironment = Pick<AgentSettings, "passEnv" | "env">;

/** The agent's environment, before the engine adds its own names. */
export function childEnvironment(env: Environment, agent: AgentEnvironment): Record<string, string> {
  const isWanted = matcher([...passed, ...agent.passEnv]);
  const inherited = Object.entries(env).filter(([name]) => isWanted(name));
  const all = [...inherited, ...Object.entries(agent.env)];
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined && !isNeverPassed(entry[0])));
}

/** The same for a criterion, which is a command of the plan and has no business with keys. */
export function criterionEnvironment(env: Environment, agent: AgentEnvironment = { passEnv: [], env: {} }): Record<string, string> {
  return Object.fromEntries(Object.entries(childEnvironment(env, agent)).filter(([name]) => !isSecretName(name) && !leadsToSecret(name)));
}

/** Whether the name says that its value is a key, token or password, or the way to one. */
export function isSecretName(name: string): boolean {
  return name
    .toUpperCase()
    .split("_")
    .some((word) => /(TOKEN|KEY|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL)S?$|^(PASS|PWD|AUTH|PAT|COOKIE)$/.test(word));
}

function matcher(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.endsWith("*")));
  const prefixes = patterns.filter((pattern) => pattern.endsWith("*")).map((pattern) => pattern.slice(0, -1));
  return (name) => exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}

/** Names that no child gets, whoever asks. */
export const isNeverPassed = matcher(dropped);
const leadsToSecret = matcher(notForCriteria);
