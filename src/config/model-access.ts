/**
 * How an agent reaches its model: through our gateway, or past it. Where we are given a key, the gateway holds it and the agent gets a token of its window; a sign-in
 * passes through, and only where the person asks for it.
 */
import { MidwatchError } from "../core/error.ts";
import type { AgentSettings, GatewaySettings } from "../core/run-settings.ts";
import type { ProviderName, ProxySettings, UpstreamPlan } from "../core/upstream.ts";
import { type AgentEnvironment, childEnvironment, criterionEnvironment } from "./child-environment.ts";
import type { Environment } from "./folders.ts";
import { findKey, type ProviderVariables, providerVariables } from "./provider-variables.ts";

export interface ModelAccess {
  /** The agent's environment, less the keys that the gateway holds. */
  readonly agentEnv: Readonly<Record<string, string>>;
  /** Empty = no gateway. */
  readonly upstreams: readonly UpstreamPlan[];
  /** What a window is told of the models behind its door. */
  readonly environment: (urls: Readonly<Record<string, string>>, token: string) => Readonly<Record<string, string>>;
  /** By which the gateway reaches its upstreams, as the agent would. */
  readonly proxy: ProxySettings;
  /** One line for people: through the gateway or not, and why. */
  readonly detail: string;
}

const noProxy: ProxySettings = { http: null, https: null, none: null };

/** With one of them Claude Code speaks a format that the gateway does not read. */
const otherClouds = ["CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"];

/** @throws MidwatchError kind config when the gateway is insisted on and cannot be, or when an address in the environment is none */
export function modelAccess(env: Environment, agent: AgentSettings, gateway: GatewaySettings): ModelAccess {
  const full = childEnvironment(env, agent);
  const past = (detail: string): ModelAccess => ({
    agentEnv: full,
    upstreams: [],
    environment: () => ({}),
    proxy: noProxy,
    detail: `not through the gateway: ${detail}`,
  });
  if (gateway.mode === "off") return past("gateway.mode is off");
  if (agent.kind === "command")
    return gateway.mode === "on"
      ? through(full, gateway, ["anthropic", "openai"])
      : past("an agent of agent.command, and gateway.mode is auto");
  const cloud = otherClouds.find((name) => (full[name] ?? "") !== "" && full[name] !== "0");
  if (cloud !== undefined && gateway.mode === "on")
    throw new MidwatchError("config", "E_GATEWAY", `gateway.mode is on, and ${cloud} leads to a provider that the gateway does not speak`, {
      hint: 'take the variable away, or set "gateway": { "mode": "off" }',
    });
  if (cloud !== undefined) return past(`${cloud} is set`);
  const hasKey = findKey(providerVariables.anthropic, full) !== null;
  if (gateway.mode === "auto" && !hasKey) return past("no API key in the environment, so a sign-in, and gateway.mode is auto");
  return through(full, gateway, ["anthropic"]);
}

/** A batch has no other way: what its jobs pay must be on record, so that it is never paid twice. */
export function batchModelAccess(env: Environment, agent: AgentEnvironment, gateway: GatewaySettings): ModelAccess {
  return through(childEnvironment(env, agent), gateway, ["anthropic", "openai"]);
}

/** Where an evaluation's key stands, and whose it is. */
export interface EvaluationKey {
  readonly variable: string;
  readonly provider: ProviderName;
}

/**
 * E7. The only key is the evaluations' own, the only upstream its provider, and nothing secret reaches the program: whatever it asks of a model is asked through us, or not
 * paid by a key that midwatch knows of.
 */
export function evaluationModelAccess(
  env: Environment,
  { agent, gateway, key }: { readonly agent: AgentEnvironment; readonly gateway: GatewaySettings; readonly key: EvaluationKey },
): ModelAccess {
  const { variable, provider } = key;
  const isOthers = Object.values(providerVariables).some(({ keys }) => keys.some((one) => one.variable === variable));
  if (isOthers)
    throw new MidwatchError("config", "E_EVAL_KEY", `eval.keyEnv is ${variable}, which is the key of everything else`, {
      hint: "put the evaluations' own key into a variable of its own, such as MIDWATCH_EVAL_KEY",
    });
  const value = env[variable] ?? "";
  if (value === "")
    throw new MidwatchError("config", "E_EVAL_KEY", `an evaluation has a key of its own, and ${variable} is not set`, {
      hint: `set it: ${variable}=… midwatch eval run; its name is the setting eval.keyEnv`,
    });
  const own = providerVariables[provider];
  const plain = evaluationEnvironment(env, agent, key);
  const urls = own.urls.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  const ownVariable = own.keys.at(-1)?.variable ?? variable;
  return { ...through({ ...plain, ...Object.fromEntries(urls), [ownVariable]: value }, gateway, [provider]), agentEnv: plain };
}

/** Of programs that work on an evaluation: neither keys nor what leads to one. */
export function evaluationEnvironment(
  env: Environment,
  agent: AgentEnvironment,
  { variable }: Pick<EvaluationKey, "variable">,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(criterionEnvironment(env, agent)).filter(([name]) => name !== variable));
}

function through(env: Readonly<Record<string, string>>, gateway: GatewaySettings, names: readonly ProviderName[]): ModelAccess {
  const found = names.map((name) => ({ format: providerVariables[name], key: findKey(providerVariables[name], env) }));
  const held = new Set(found.flatMap(({ format }) => format.keys.map(({ variable }) => variable)));
  const upstreams = found.map(({ format, key }) => ({
    name: format.name,
    baseUrl: gateway[format.name] ?? baseUrlOf(format, env),
    key: key === null ? null : { header: key.header, value: key.value },
  }));
  return {
    agentEnv: Object.fromEntries(Object.entries(env).filter(([name]) => !held.has(name))),
    upstreams,
    environment: (urls, token) =>
      Object.fromEntries(
        found.flatMap(({ format, key }) => [
          ...format.urls.map((name) => [name, urls[format.name] ?? ""] as const),
          ...(key === null ? [] : [[key.variable, token] as const]),
        ]),
      ),
    proxy: { http: eitherCase(env, "HTTP_PROXY"), https: eitherCase(env, "HTTPS_PROXY"), none: eitherCase(env, "NO_PROXY") },
    detail: `through the gateway: ${upstreams.map(({ name, baseUrl, key }) => `${name} at ${baseUrl}${key === null ? ", with what the agent signs in with" : ", with a key that the gateway holds"}`).join("; ")}`,
  };
}

function baseUrlOf(format: ProviderVariables, env: Readonly<Record<string, string>>): string {
  const name = format.urls.find((variable) => (env[variable] ?? "") !== "");
  if (name === undefined) return format.baseUrl;
  const text = (env[name] ?? "").replace(/\/+$/, "");
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new MidwatchError("config", "E_GATEWAY", `${name} in the environment is no address that begins with http:// or https://`, {
    hint: `mend it, or set MIDWATCH_GATEWAY_${format.name.toUpperCase()}`,
  });
}

function eitherCase(env: Readonly<Record<string, string>>, name: string): string | null {
  return env[name.toLowerCase()] || env[name] || null;
}
