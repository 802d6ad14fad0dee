/**
 * Prices of models: the person's own, then the table, which is the fetched one where there is one and else the one that came with this version.
 * Everything is read once, at the start: a price does not change under a run.
 */
import { join } from "node:path";
import * as z from "zod";
import { MidwatchError } from "../../core/error.ts";
import type { ModelPrice } from "../../core/money/price.ts";
import type { Files } from "../../ports/files.ts";
import type { ListedPrice, OwnPrice, PriceBook } from "../../ports/prices.ts";
import { builtInName, loadBuiltIn, tableAddress } from "./built-in-table.ts";
import { downloadTable } from "./download.ts";
import { findModel } from "./model-match.ts";
import { readOwnPrices, writeOwnPrices } from "./own-prices.ts";
import { type TableProvider, tableSchema } from "./price-table.ts";
import { modelPrice } from "./unit-prices.ts";

interface Table {
  readonly name: string;
  readonly providers: readonly TableProvider[];
}

/** @param folder  where the person's own prices and a fetched table are kept. Throws MidwatchError kind config for a damaged file of either. */
export async function openPriceBook(files: Pick<Files, "readText" | "writeAtomic">, folder: string): Promise<PriceBook> {
  const ownPath = join(folder, "prices.json");
  const tablePath = join(folder, "prices-table.json");
  let own = await readOwnPrices(files, ownPath);
  let table = (await readFetched(files, tablePath)) ?? { name: builtInName, providers: await loadBuiltIn() };

  async function save(prices: readonly OwnPrice[]): Promise<void> {
    await writeOwnPrices(files, ownPath, prices);
    own = prices;
  }

  return {
    get table() {
      return table.name;
    },
    of: (provider, model, at) => ownPrice(own, provider, model) ?? tablePrice(table, provider, model, at),
    list: ({ provider, model, at }) => [...listOwn(own, provider, model), ...listTable(table, provider, model, at)],
    set: (price) => save([...own.filter((one) => !isSame(one, price)), price]),
    async unset(price) {
      const rest = own.filter((one) => !isSame(one, price));
      const had = rest.length < own.length;
      if (had) await save(rest);
      return had;
    },
    async update(from, now) {
      const download = await downloadTable(from ?? (await tableAddress()), table.providers, now);
      if (download.kind === "failed") return { kind: "kept", table: table.name, detail: download.detail };
      const fetchedAt = new Date(now).toISOString();
      await files.writeAtomic(tablePath, JSON.stringify({ fetchedAt, providers: download.providers }));
      table = { name: fetchedName(fetchedAt), providers: download.providers };
      return { kind: "updated", table: table.name, models: download.providers.reduce((sum, { models }) => sum + models.length, 0) };
    },
  };
}

const fetchedFile = z.object({ fetchedAt: z.iso.datetime(), providers: tableSchema });
const maxTableBytes = 64 * 1024 * 1024;

async function readFetched(files: Pick<Files, "readText">, path: string): Promise<Table | null> {
  const found = await files.readText(path, maxTableBytes);
  if (found.kind === "absent") return null;
  const parsed = found.kind === "text" ? fetchedFile.safeParse(parse(found.text)) : null;
  if (parsed?.success) return { name: fetchedName(parsed.data.fetchedAt), providers: parsed.data.providers };
  const detail = found.kind === "unreadable" ? found.detail : "it is not the table that was fetched";
  throw new MidwatchError("config", "E_PRICES_TABLE", `${path}: ${detail}`, {
    hint: "remove the file to use the built-in table; midwatch prices update fetches a new one",
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // refused by the schema
  }
}

const fetchedName = (fetchedAt: string): string => `genai-prices fetched on ${fetchedAt.slice(0, 10)}`;

/** One for this upstream wins over one for all. */
function ownPrice(own: readonly OwnPrice[], provider: string, model: string): ModelPrice | null {
  const found = own.find((one) => isSame(one, { provider, model })) ?? own.find((one) => isSame(one, { provider: null, model }));
  return found === undefined ? null : priceOf(found);
}

function priceOf({ prices, setAt }: OwnPrice): ModelPrice {
  return { table: `set on ${new Date(setAt).toISOString().slice(0, 10)}`, tiers: [{ above: -1, prices }] };
}

function isSame(one: Pick<OwnPrice, "provider" | "model">, other: Pick<OwnPrice, "provider" | "model">): boolean {
  return one.provider === other.provider && one.model.toLowerCase() === other.model.toLowerCase();
}

/** A provider may sell the models of others at their prices (`azure` those of `openai`). */
function tablePrice({ name, providers }: Table, id: string, model: string, at: number): ModelPrice | null {
  const provider = providers.find((one) => one.id === id.toLowerCase());
  if (provider === undefined) return null;
  const sellers = [
    provider,
    ...(provider.fallback_model_providers ?? []).flatMap((other) => providers.find((one) => one.id === other) ?? []),
  ];
  const found = sellers.map((seller) => findModel(seller, model)).find((one) => one !== null);
  return found === undefined || found === null ? null : modelPrice(found, at, name);
}

function listOwn(own: readonly OwnPrice[], provider: string | null, model: string | null): readonly ListedPrice[] {
  return own
    .filter((one) => provider === null || one.provider === null || one.provider === provider)
    .filter((one) => model === null || one.model.toLowerCase() === model.toLowerCase())
    .map((one) => ({ provider: one.provider, model: one.model, origin: "own", price: priceOf(one) }));
}

function listTable(table: Table, provider: string | null, model: string | null, at: number): readonly ListedPrice[] {
  if (provider === null && model === null) return [];
  const asked = table.providers.filter(({ id }) => provider === null || id === provider.toLowerCase());
  return asked.flatMap(({ id, models }) =>
    (model === null ? models.map((one) => one.id) : [model]).flatMap((name): ListedPrice[] => {
      const price = tablePrice(table, id, name, at);
      return price === null ? [] : [{ provider: id, model: name, origin: "table", price }];
    }),
  );
}
