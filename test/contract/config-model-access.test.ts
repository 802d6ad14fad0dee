/** Whether an agent's calls pass through the gateway, which key the gateway holds for it, and what the agent is told instead. */
import { describe, expect, test } from "vitest";
import { batchModelAccess, evaluationModelAccess, modelAccess } from "../../src/config/model-access.ts";
import type { AgentSettings, GatewaySettings } from "../../src/core/run-settings.ts";

const common = { passEnv: [], env: {}, containment: "auto", sandbox: "auto", writable: [] } as const;
const claude: AgentSettings = { kind: "claude-code", program: "claude", model: null, mcpServers: "none", ...common };
const command: AgentSettings = { kind: "command", command: ["a"], ...common };
const gateway: GatewaySettings = { mode: "auto", anthropic: null, openai: null, unpriced: "refuse" };
const key = { ANTHROPIC_API_KEY: "sk-secret", PATH: "/bin" };
const urls = { anthropic: "http://127.0.0.1:1/w/s/anthropic", openai: "http://127.0.0.1:1/w/s/openai" };

describe("through the gateway or past it", () => {
  test.each<[string, Record<string, string>, AgentSettings, GatewaySettings["mode"], boolean]>([
    ["Claude Code with a key", key, claude, "auto", true],
    ["Claude Code with a bearer token", { ANTHROPIC_AUTH_TOKEN: "t" }, claude, "auto", true],
    ["Claude Code with a sign-in", { CLAUDE_CODE_OAUTH_TOKEN: "t" }, claude, "auto", false],
    ["an empty key is none", { ANTHROPIC_API_KEY: "" }, claude, "auto", false],
    ["a sign-in, where the person insists", { CLAUDE_CODE_OAUTH_TOKEN: "t" }, claude, "on", true],
    ["a key, where the person says off", key, claude, "off", false],
    ["another cloud", { ...key, CLAUDE_CODE_USE_BEDROCK: "1" }, claude, "auto", false],
    ["another cloud that is switched off", { ...key, CLAUDE_CODE_USE_BEDROCK: "0" }, claude, "auto", true],
    ["a command, unasked", key, command, "auto", false],
    ["a command, asked", key, command, "on", true],
  ])("%s", (_title, env, agent, mode, passes) => {
    const access = modelAccess(env, agent, { ...gateway, mode });
    expect(access.upstreams.length > 0).toBe(passes);
    expect(access.detail).toMatch(passes ? /^through the gateway: / : /^not through the gateway: /);
  });

  test("another cloud and an insisting person: one line that names the variable", () => {
    const insist = () => modelAccess({ ...key, CLAUDE_CODE_USE_VERTEX: "1" }, claude, { ...gateway, mode: "on" });
    expect(insist).toThrow(/gateway\.mode is on, and CLAUDE_CODE_USE_VERTEX/);
  });
});

test("the gateway holds the key; the agent's environment has none, and gets a token in its place", () => {
  const access = modelAccess(key, claude, gateway);
  expect(JSON.stringify(access.agentEnv)).not.toContain("sk-secret");
  expect(access.agentEnv).toEqual({ PATH: "/bin" });
  expect(access.upstreams).toEqual([
    { name: "anthropic", baseUrl: "https://api.anthropic.com", key: { header: "x-api-key", value: "sk-secret" } },
  ]);
  expect(access.environment(urls, "token")).toEqual({ ANTHROPIC_BASE_URL: urls.anthropic, ANTHROPIC_API_KEY: "token" });
  expect(access.detail).not.toContain("sk-secret");
});

test("a bearer token stands before a key, and no second credential stays behind", () => {
  const access = modelAccess({ ...key, ANTHROPIC_AUTH_TOKEN: "bearer-secret" }, claude, gateway);
  expect(JSON.stringify(access.agentEnv)).not.toContain("secret");
  expect(access.upstreams[0]?.key).toEqual({ header: "authorization", value: "bearer-secret" });
  expect(access.environment(urls, "token")).toEqual({ ANTHROPIC_BASE_URL: urls.anthropic, ANTHROPIC_AUTH_TOKEN: "token" });
});

test("a sign-in stays with the agent: what it sends passes as it is", () => {
  const access = modelAccess({ CLAUDE_CODE_OAUTH_TOKEN: "sign-in" }, claude, { ...gateway, mode: "on" });
  expect(access.agentEnv["CLAUDE_CODE_OAUTH_TOKEN"]).toBe("sign-in");
  expect(access.upstreams[0]?.key).toBeNull();
  expect(access.environment(urls, "token")).toEqual({ ANTHROPIC_BASE_URL: urls.anthropic });
});

describe("where an upstream is", () => {
  test.each<[string, Record<string, string>, Partial<GatewaySettings>, string]>([
    ["the provider's own, where nobody says", {}, {}, "https://api.anthropic.com"],
    ["what the environment says, without a slash at the end", { ANTHROPIC_BASE_URL: "http://proxy:4000/v2//" }, {}, "http://proxy:4000/v2"],
    ["the setting wins", { ANTHROPIC_BASE_URL: "http://proxy:4000" }, { anthropic: "https://mine.test" }, "https://mine.test"],
  ])("%s", (_title, env, change, expected) => {
    expect(modelAccess({ ...key, ...env }, claude, { ...gateway, ...change }).upstreams[0]?.baseUrl).toBe(expected);
  });

  test.each(["ftp://x", "not an address", "http://"])("%s in the environment is one clear line", (text) => {
    expect(() => modelAccess({ ...key, ANTHROPIC_BASE_URL: text }, claude, gateway)).toThrow(
      /^ANTHROPIC_BASE_URL in the environment is no address/,
    );
  });
});

test("a batch always goes through it, with both formats", () => {
  const access = batchModelAccess({ ...key, OPENAI_API_KEY: "sk-openai" }, common, { ...gateway, mode: "off" });
  expect(access.upstreams.map(({ name, key: held }) => [name, held?.header])).toEqual([
    ["anthropic", "x-api-key"],
    ["openai", "authorization"],
  ]);
  expect(Object.keys(access.environment(urls, "t")).sort()).toEqual([
    ...["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_BASE", "OPENAI_API_KEY", "OPENAI_BASE_URL"],
  ]);
});

test("the proxy is the one that the agent would take", () => {
  const env = { ...key, HTTPS_PROXY: "http://upper:1", https_proxy: "http://lower:1", NO_PROXY: "here" };
  expect(modelAccess(env, claude, gateway).proxy).toEqual({ http: null, https: "http://lower:1", none: "here" });
});

describe("an evaluation has a key of its own", () => {
  const others = { ...key, OPENAI_API_KEY: "sk-secret-2", CLAUDE_CODE_OAUTH_TOKEN: "sk-secret-3", GEMINI_API_KEY: "sk-secret-4" };
  const access = (env: Record<string, string>, variable = "MIDWATCH_EVAL_KEY", provider: "anthropic" | "openai" = "anthropic") =>
    evaluationModelAccess(env, { agent: { passEnv: ["*", variable], env: {} }, gateway, key: { variable, provider } });

  test.each([
    ["anthropic", "x-api-key", "ANTHROPIC_API_KEY"],
    ["openai", "authorization", "OPENAI_API_KEY"],
  ] as const)("of %s: the one upstream holds it, and the program gets a token and no key at all", (provider, header, variable) => {
    const got = access({ ...others, EVAL: "own" }, "EVAL", provider);
    expect(got.upstreams).toMatchObject([{ name: provider, key: { header, value: "own" } }]);
    expect(JSON.stringify([got.agentEnv, got.upstreams])).not.toContain("sk-secret");
    expect(got.agentEnv).toEqual({ PATH: "/bin" });
    expect(got.environment(urls, "token")).toMatchObject({ [variable]: "token" });
  });

  test("where everything else goes, it goes too", () => {
    expect(access({ MIDWATCH_EVAL_KEY: "own", ANTHROPIC_BASE_URL: "http://127.0.0.1:9/x" }).upstreams[0]?.baseUrl).toBe(
      "http://127.0.0.1:9/x",
    );
  });

  test("without it there is one clear line, whatever other keys there are", () => {
    expect(() => access(others)).toThrow("an evaluation has a key of its own, and MIDWATCH_EVAL_KEY is not set");
  });

  test.each(["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY"])("%s cannot be it", (variable) => {
    expect(() => access(others, variable)).toThrow(`eval.keyEnv is ${variable}, which is the key of everything else`);
  });
});
