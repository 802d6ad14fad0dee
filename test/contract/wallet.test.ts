/** Who would pay for a window of Claude Code, told without any key. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findWallet } from "../../src/adapters/agents/claude-code/wallet.ts";
import { makeFolder } from "../fixtures/repositories.ts";

const secret = "sk-never-told";

function homeWith(credentials: string | null): string {
  const home = makeFolder();
  mkdirSync(join(home, ".claude"));
  if (credentials !== null) writeFileSync(join(home, ".claude/.credentials.json"), credentials);
  return home;
}

const signIn = (more: object) => JSON.stringify({ claudeAiOauth: { accessToken: secret, refreshToken: secret, ...more } });

test.each<[string, Readonly<Record<string, string>>, string | null, RegExp]>([
  ["a key", { ANTHROPIC_API_KEY: secret }, null, /^the account of the key in ANTHROPIC_API_KEY pays$/],
  [
    "a key, and a sign-in that would have paid",
    { ANTHROPIC_API_KEY: secret },
    signIn({}),
    /ANTHROPIC_API_KEY pays, before \/\S+\/\.credentials\.json$/,
  ],
  [
    "a key, for another address",
    { ANTHROPIC_API_KEY: secret, ANTHROPIC_BASE_URL: `https://me:${secret}@gate.example/v1` },
    null,
    /pays at gate\.example$/,
  ],
  [
    "an address that is none",
    { ANTHROPIC_API_KEY: secret, ANTHROPIC_BASE_URL: secret },
    null,
    /pays at ANTHROPIC_BASE_URL, which is no address$/,
  ],
  [
    "a bearer token before a key",
    { ANTHROPIC_AUTH_TOKEN: secret, ANTHROPIC_API_KEY: secret },
    null,
    /in ANTHROPIC_AUTH_TOKEN pays, before ANTHROPIC_API_KEY$/,
  ],
  [
    "a token of a subscription",
    { CLAUDE_CODE_OAUTH_TOKEN: secret },
    signIn({}),
    /^the subscription of the token in CLAUDE_CODE_OAUTH_TOKEN pays, before /,
  ],
  ["a sign-in", {}, signIn({ subscriptionType: "max" }), /^the max subscription of the sign-in in \/\S+\.credentials\.json pays$/],
  ["a sign-in of unknown kind", {}, signIn({}), /^the sign-in in \/\S+\.credentials\.json pays$/],
  [
    "another cloud before all",
    { CLAUDE_CODE_USE_BEDROCK: "1", ANTHROPIC_API_KEY: secret },
    null,
    /^your account at Amazon Bedrock pays \(CLAUDE_CODE_USE_BEDROCK\)$/,
  ],
  ["a cloud that is switched off", { CLAUDE_CODE_USE_VERTEX: "0", ANTHROPIC_API_KEY: secret }, null, /ANTHROPIC_API_KEY pays$/],
])("%s", (_title, env, credentials, detail) => {
  const found = findWallet({ HOME: homeWith(credentials), ...env });
  expect(found).toEqual({ level: "ok", detail: expect.stringMatching(detail) as string });
  expect(found.detail).not.toContain(secret);
});

test.each<[string, string | null]>([
  ["nothing", null],
  ["a file that is garbage", `{"claudeAiOauth": ${secret}`],
  ["a sign-in without a token", JSON.stringify({ claudeAiOauth: { accessToken: "" } })],
  ["a file of another shape", "[null]"],
])("%s pays for nothing", (_title, credentials) => {
  const { level, detail } = findWallet({ HOME: homeWith(credentials), ANTHROPIC_API_KEY: "" });
  expect([level, detail]).toEqual(["warn", expect.stringMatching(/key|sign-in/)]);
  expect(detail).not.toContain(secret);
});

test("CLAUDE_CONFIG_DIR is where the sign-in lies", () => {
  const home = homeWith(signIn({ subscriptionType: "pro" }));
  expect(findWallet({ HOME: "/nowhere", CLAUDE_CONFIG_DIR: join(home, ".claude") }).detail).toMatch(/^the pro subscription/);
});
