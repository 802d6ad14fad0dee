/** The way to the providers, and what their models cost. */
import { createFiles } from "../adapters/files/files.ts";
import { openPriceBook } from "../adapters/prices/price-book.ts";
import type { App } from "../cli/app.ts";
import type { ModelAccess } from "../config/model-access.ts";
import type { MidwatchError } from "../core/error.ts";
import { namedModel } from "../core/money/named-model.ts";
import type { RunSettings } from "../core/run-settings.ts";
import { unpricedError } from "../engine/unpriced.ts";
import type { ModelsOptions } from "../gateway/door-server.ts";
import type { PriceBook, Prices } from "../ports/prices.ts";

/** @returns null = no door leads to a model */
export async function gatewayModels({ upstreams, proxy }: ModelAccess): Promise<ModelsOptions | null> {
  if (upstreams.length === 0) return null;
  const [{ anthropicMessages }, { openaiChat }, { openDecodedAnswer }] = await Promise.all([
    import("../adapters/providers/anthropic-messages.ts"),
    import("../adapters/providers/openai-chat.ts"),
    import("../adapters/providers/decode.ts"),
  ]);
  const formats = { anthropic: anthropicMessages, openai: openaiChat };
  return { upstreams: upstreams.map((one) => ({ ...one, format: formats[one.name] })), openAnswer: openDecodedAnswer, proxy };
}

/** @param folder  the state folder, where the person's own prices are. Throws MidwatchError kind config for a damaged file. */
export function openPrices(folder: string): Promise<PriceBook> {
  return openPriceBook(createFiles(), folder);
}

/** Before a run: a table of prices is loaded only where a model is named and calls pass through the gateway. */
export async function findUnpriced(
  settings: RunSettings,
  { access, folder, now }: { readonly access: ModelAccess; readonly folder: string; readonly now: number },
): Promise<MidwatchError | null> {
  const { upstreams, agentEnv } = access;
  if (upstreams.length === 0 || namedModel(settings.agent, agentEnv) === null) return null;
  return unpricedError(settings, { prices: await openPrices(folder), agentEnv, now });
}

/** All at once. Throws MidwatchError kind environment for a proxy that cannot be used. */
export async function tryProviders({ upstreams, proxy }: ModelAccess): ReturnType<App["tryProviders"]> {
  const { tryUpstream } = await import("../gateway/models/try-upstream.ts");
  return Promise.all(
    upstreams.map(async ({ baseUrl }) => {
      const tried = await tryUpstream(baseUrl, proxy);
      return { host: new URL(baseUrl).host, trouble: tried.kind === "silent" ? tried.detail : troubleOf(tried.status) };
    }),
  );
}

/** A provider refuses the request, which is an answer; what stands before it, or its being down, says one of these. */
function troubleOf(status: number): string | null {
  return status === 407 || status >= 500 ? `it answers ${status}` : null;
}

/** A program of which no call is seen needs no table of prices, and does not wait for one. */
export const noPrices: Prices = { table: "none", of: () => null };
