/** Whether the model that a run would ask for first has a price: looked at before anything starts. */
import { MidwatchError } from "../core/error.ts";
import { unpricedModel } from "../core/money/named-model.ts";
import type { RunSettings } from "../core/run-settings.ts";
import type { Prices } from "../ports/prices.ts";

export interface PriceLook {
  readonly prices: Prices;
  readonly agentEnv: Readonly<Record<string, string>>;
  readonly now: number;
}

/** Of a run whose calls pass through the gateway. Null = nothing stands against it. */
export function unpricedError({ agent, gateway }: RunSettings, { prices, agentEnv, now }: PriceLook): MidwatchError | null {
  if (gateway.unpriced === "allow") return null;
  const model = unpricedModel(agent, agentEnv, (provider, name) => prices.of(provider, name, now) !== null);
  return model === null ? null : noPriceError(model, "");
}

/** @param provider  "" = whichever serves it */
export function noPriceError(model: string, provider: string): MidwatchError {
  const [at, flag] = provider === "" ? ["", ""] : [` at ${provider}`, ` --provider ${provider}`];
  return new MidwatchError("config", "E_UNPRICED", `no price of ${model}${at} is known, so no cap could hold`, {
    hint: `set it with: midwatch prices set ${model}${flag} --input N --output N`,
  });
}
