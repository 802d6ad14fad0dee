/** `midwatch prices`: what models cost, prices of one's own, and a newer table. */
import { MidwatchError } from "../core/error.ts";
import { readAmount } from "../core/money/amount.ts";
import { completePrices, type UnitPrices } from "../core/money/price.ts";
import type { ListedPrice } from "../ports/prices.ts";
import type { App } from "./app.ts";
import type { JsonOption } from "./command.ts";
import { showTable, tell } from "./layout.ts";
import { json, plain } from "./print.ts";

export interface PriceFlags extends JsonOption {
  readonly provider?: string;
  readonly input?: string;
  readonly output?: string;
  readonly cacheRead?: string;
  readonly cacheWrite?: string;
  readonly cacheWriteLong?: string;
  readonly searches?: string;
  readonly from?: string;
}

export async function pricesShowCommand(app: App, model: string | undefined, flags: PriceFlags): Promise<number> {
  const book = await app.prices();
  const prices = book.list({ provider: flags.provider ?? null, model: model ?? null, at: app.clock.now() });
  if (flags.json)
    app.terminal.out(json({ table: book.table, unit: "micro-dollars for a million tokens; searches for a thousand", prices }));
  else printPrices(app, prices);
  tell(app.terminal, `table: ${book.table}; US$ for a million tokens`);
  if (prices.length === 0) tell(app.terminal, emptyHint(model, flags.provider));
  return model !== undefined && prices.length === 0 ? 1 : 0;
}

function emptyHint(model: string | undefined, provider: string | undefined): string {
  if (model !== undefined)
    return `no price of ${plain(model)} is known; set yours with: midwatch prices set ${plain(model)} --input N --output N`;
  if (provider !== undefined) return `the table knows no ${plain(provider)}`;
  return "you have set no price of your own; see the table's with: midwatch prices show MODEL, or --provider anthropic";
}

export async function pricesSetCommand(app: App, model: string, flags: PriceFlags): Promise<number> {
  const { input, output } = flags;
  if (input === undefined || output === undefined)
    throw new MidwatchError("usage", "E_PRICE", "a price needs --input and --output", {
      hint: `in US$ for a million tokens, such as: midwatch prices set ${model} --input 3 --output 15`,
    });
  const prices = completePrices({ input: micro("--input", input), output: micro("--output", output), ...optional(flags) });
  const book = await app.prices();
  const setAt = app.clock.now();
  await book.set({ provider: flags.provider ?? null, model, prices, setAt });
  const shown = book.list({ provider: flags.provider ?? null, model, at: setAt }).filter(({ origin }) => origin === "own");
  if (flags.json) app.terminal.out(json({ prices: shown }));
  else printPrices(app, shown);
  tell(app.terminal, "it counts for calls from the next run or batch on; what was booked keeps its price");
  return 0;
}

export async function pricesUnsetCommand(app: App, model: string, flags: PriceFlags): Promise<number> {
  const removed = await (await app.prices()).unset({ provider: flags.provider ?? null, model });
  if (flags.json) app.terminal.out(json({ removed }));
  tell(app.terminal, removed ? `your price of ${plain(model)} is removed` : `you had set no price of ${plain(model)}${ofProvider(flags)}`);
  return removed ? 0 : 1;
}

const ofProvider = ({ provider }: PriceFlags): string => (provider === undefined ? "" : ` at ${plain(provider)}`);

export async function pricesUpdateCommand(app: App, flags: PriceFlags): Promise<number> {
  const update = await (await app.prices()).update(flags.from ?? null, app.clock.now());
  if (flags.json) app.terminal.out(json(update));
  if (update.kind === "updated") tell(app.terminal, `${update.table}: ${update.models} models`);
  else tell(app.terminal, `the table stays as it is (${update.table}): ${plain(update.detail)}`);
  return update.kind === "updated" ? 0 : 1;
}

function optional(flags: PriceFlags): Partial<UnitPrices> {
  const told = [
    ["cacheRead", "--cache-read", flags.cacheRead],
    ["cacheWrite", "--cache-write", flags.cacheWrite],
    ["cacheWriteLong", "--cache-write-long", flags.cacheWriteLong],
    ["searches", "--searches", flags.searches],
  ] as const;
  return Object.fromEntries(told.flatMap(([name, flag, text]) => (text === undefined ? [] : [[name, micro(flag, text)]])));
}

function micro(flag: string, text: string): number {
  const amount = readAmount(text);
  if (amount !== null && amount <= 1e12) return amount;
  throw new MidwatchError("usage", "E_PRICE", `${flag} ${text} is no price`, { hint: "US$ for a million tokens, such as 3 or 0.25" });
}

function printPrices({ terminal }: App, prices: readonly ListedPrice[]): void {
  const head = ["model", "of", "input", "output", "cache read", "write 5m", "write 1h", "1000 searches", "for inputs", "from"];
  const rows = prices.flatMap(({ model, provider, origin, price }) =>
    price.tiers.map(({ above, prices: unit }, tier) => [
      tier === 0 ? plain(model) : "",
      tier === 0 ? plain(provider ?? "any") : "",
      ...[unit.input, unit.output, unit.cacheRead, unit.cacheWrite, unit.cacheWriteLong, unit.searches].map(usd),
      forInputs(above, price.tiers[tier + 1]?.above ?? null),
      tier > 0 ? "" : origin === "own" ? price.table : "table",
    ]),
  );
  if (rows.length === 0) return;
  showTable(terminal, head, rows);
}

function forInputs(above: number, next: number | null): string {
  if (above < 0) return next === null ? "" : `up to ${next} tokens`;
  return `above ${above} tokens`;
}

function usd(microUsd: number): string {
  return String(microUsd / 1_000_000);
}
