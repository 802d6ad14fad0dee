/** A provider behind the gateway, as the settings and the environment name it, and the way there. */

/** Part of the door's path, and of settings. */
export type ProviderName = "anthropic" | "openai";

export interface UpstreamPlan {
  readonly name: ProviderName;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** The key that we hold; null = what the agent sends passes as it is. */
  readonly key: HeldKey | null;
}

export interface HeldKey {
  readonly header: "x-api-key" | "authorization";
  /** The key alone, without `Bearer`. */
  readonly value: string;
}

/** What stands in its header. */
export function headerValue({ header, value }: HeldKey): string {
  return header === "authorization" ? `Bearer ${value}` : value;
}

/** A proxy between us and the providers, as the person's environment names it. */
export interface ProxySettings {
  readonly http: string | null;
  readonly https: string | null;
  /** Hosts that are reached without it, by comma. */
  readonly none: string | null;
}
