/** `prices.json` in the state folder: the person's own prices, in US$ for a million tokens, to be read and mended by hand. */
import * as z from "zod";
import { MidwatchError } from "../../core/error.ts";
import { microUsd } from "../../core/money/amount.ts";
import { completePrices } from "../../core/money/price.ts";
import type { Files } from "../../ports/files.ts";
import type { OwnPrice } from "../../ports/prices.ts";

const usd = z.number().nonnegative().max(1_000_000);
const entry = z.strictObject({
  model: z.string().min(1).max(200),
  provider: z.string().min(1).max(200).nullable().default(null),
  input: usd,
  output: usd,
  cacheRead: usd.optional(),
  cacheWrite: usd.optional(),
  cacheWriteLong: usd.optional(),
  /** For a thousand. */
  searches: usd.optional(),
  set: z.iso.datetime(),
});
const file = z.strictObject({ prices: z.array(entry).max(10_000) });

const maxBytes = 8 * 1024 * 1024;

/** Throws MidwatchError kind config for a file that is none of ours: a price that is not read must not become "no price". */
export async function readOwnPrices(files: Pick<Files, "readText">, path: string): Promise<readonly OwnPrice[]> {
  const found = await files.readText(path, maxBytes);
  if (found.kind === "absent") return [];
  if (found.kind === "unreadable") throw broken(path, found.detail);
  const parsed = file.safeParse(parseJson(path, found.text));
  if (parsed.success) return parsed.data.prices.map(fromEntry);
  const [issue] = parsed.error.issues;
  throw broken(path, `${issue?.path.join(".") || "the file"}: ${issue?.message ?? "not as expected"}`);
}

export async function writeOwnPrices(files: Pick<Files, "writeAtomic">, path: string, prices: readonly OwnPrice[]): Promise<void> {
  await files.writeAtomic(path, `${JSON.stringify({ prices: prices.map(toEntry) }, null, 2)}\n`);
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw broken(path, "it is no JSON"); // where it breaks, an editor shows
  }
}

function broken(path: string, detail: string): MidwatchError {
  return new MidwatchError("config", "E_PRICES_FILE", `${path}: ${detail}`, {
    hint: "mend the file, or move it away and set your prices again: midwatch prices set MODEL --input 3 --output 15",
  });
}

function fromEntry({ model, provider, set, ...usd }: z.infer<typeof entry>): OwnPrice {
  const prices = completePrices({
    input: microUsd(usd.input),
    output: microUsd(usd.output),
    cacheRead: maybe(usd.cacheRead),
    cacheWrite: maybe(usd.cacheWrite),
    cacheWriteLong: maybe(usd.cacheWriteLong),
    searches: maybe(usd.searches),
  });
  return { provider, model, prices, setAt: Date.parse(set) };
}

const maybe = (value: number | undefined): number | undefined => (value === undefined ? undefined : microUsd(value));

function toEntry({ provider, model, prices, setAt }: OwnPrice) {
  const usd = Object.fromEntries(Object.entries(prices).map(([name, value]) => [name, value / 1_000_000]));
  return { model, provider, ...usd, set: new Date(setAt).toISOString() };
}
