/** The way to the providers, and what their models cost. */
import { createFiles } from "../adapters/files/files.ts";
import { openPriceBook } from "../adapters/prices/price-book.ts";
import type { ModelAccess } from "../config/model-access.ts";
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

/** A program of which no call is seen needs no table of prices, and does not wait for one. */
export const noPrices: Prices = { table: "none", of: () => null };
