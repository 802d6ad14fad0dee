/**
 * Who would pay for a window: by the order in which Claude Code 2.1.332 looks when it runs for a program. Values are looked at for being there and never told.
 * Helpers that a settings file names do not count, since a window reads no settings file.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentFinding } from "../../../ports/agent.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const clouds: Readonly<Record<string, string>> = {
  CLAUDE_CODE_USE_BEDROCK: "Amazon Bedrock",
  CLAUDE_CODE_USE_VERTEX: "Google Vertex AI",
  CLAUDE_CODE_USE_FOUNDRY: "Microsoft Foundry",
};

const keys: Readonly<Record<string, string>> = {
  ANTHROPIC_AUTH_TOKEN: "whoever gave the token in ANTHROPIC_AUTH_TOKEN pays",
  ANTHROPIC_API_KEY: "the account of the key in ANTHROPIC_API_KEY pays",
  CLAUDE_CODE_OAUTH_TOKEN: "the subscription of the token in CLAUDE_CODE_OAUTH_TOKEN pays",
};

export function findWallet(env: Environment): Omit<AgentFinding, "what"> {
  const cloud = Object.keys(clouds).find((name) => /^(1|true|yes|on)$/i.test(env[name] ?? ""));
  if (cloud !== undefined) return { level: "ok", detail: `your account at ${clouds[cloud]} pays (${cloud})` };
  const signIn = readSignIn(env);
  const [first, ...others] = [...Object.keys(keys).filter((name) => (env[name] ?? "") !== ""), ...(signIn === null ? [] : [signIn.path])];
  if (first === undefined) return { level: "warn", detail: none };
  const payer = keys[first] ?? `the ${signIn?.plan ?? "sign-in"} in ${first} pays`;
  return {
    level: "ok",
    detail: [`${payer}${placeOf(env)}`, ...(others.length === 0 ? [] : [`before ${others.join(" and ")}`])].join(", "),
  };
}

const none =
  process.platform === "darwin"
    ? "no key in the environment; whether the keychain holds a sign-in is not looked at"
    : "neither a key in the environment nor a sign-in: run claude and sign in, or set ANTHROPIC_API_KEY";

function placeOf(env: Environment): string {
  const url = env["ANTHROPIC_BASE_URL"] ?? "";
  return url === "" ? "" : ` at ${URL.canParse(url) ? new URL(url).host : "ANTHROPIC_BASE_URL, which is no address"}`;
}

/** What `claude` keeps of a sign-in: that it is there, and of which plan. */
function readSignIn(env: Environment): { readonly path: string; readonly plan: string } | null {
  const folder = env["CLAUDE_CONFIG_DIR"] || join(env["HOME"] ?? "/", ".claude");
  const path = join(folder, ".credentials.json");
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    const oauth = fieldOf(value, "claudeAiOauth");
    if (textOf(oauth, "accessToken") === "") return null;
    const plan = textOf(oauth, "subscriptionType").replace(/\W/g, "");
    return { path, plan: plan === "" ? "sign-in" : `${plan} subscription of the sign-in` };
  } catch {
    return null; // none, or one that the program cannot read either
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function textOf(value: unknown, name: string): string {
  const text = fieldOf(value, name);
  return typeof text === "string" ? text : "";
}
