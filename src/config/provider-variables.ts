/** The variables by which programs find a provider and its key. Knows, with child-environment.ts and model-access.ts, the names of other programs' variables. */
import type { HeldKey, ProviderName } from "../core/upstream.ts";
import type { Environment } from "./folders.ts";

export interface ProviderVariables {
  readonly name: ProviderName;
  /** Where it is when no variable says so. */
  readonly baseUrl: string;
  readonly urls: readonly [string, ...string[]];
  /** In the order in which the agents prefer them. */
  readonly keys: readonly { readonly variable: string; readonly header: HeldKey["header"] }[];
}

export const providerVariables: Readonly<Record<ProviderName, ProviderVariables>> = {
  anthropic: {
    name: "anthropic",
    baseUrl: "https://api.anthropic.com",
    urls: ["ANTHROPIC_BASE_URL"],
    keys: [
      { variable: "ANTHROPIC_AUTH_TOKEN", header: "authorization" },
      { variable: "ANTHROPIC_API_KEY", header: "x-api-key" },
    ],
  },
  openai: {
    name: "openai",
    baseUrl: "https://api.openai.com/v1",
    urls: ["OPENAI_BASE_URL", "OPENAI_API_BASE"],
    keys: [{ variable: "OPENAI_API_KEY", header: "authorization" }],
  },
};

/** The key that a program would use, and the variable it is in; null = there is none. */
export function findKey({ keys }: ProviderVariables, env: Environment): (HeldKey & { readonly variable: string }) | null {
  for (const { variable, header } of keys) {
    const value = env[variable] ?? "";
    if (value !== "") return { variable, header, value };
  }
  return null;
}
