/** A provider behind the gateway, as the settings and the environment name it. */
export interface UpstreamPlan {
  /** Part of the door's path. */
  readonly name: "anthropic" | "openai";
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
