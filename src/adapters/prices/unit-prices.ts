/** A model's entry in the table becomes the price that core computes with: one set of prices a tier, at one time. */
import type { ModelPrice, UnitPrices } from "../../core/money/price.ts";
import type { Rates, TableModel } from "./price-table.ts";

/** Tools of a provider that run beside a call and are in no usage that we read. */
const beside = new Set(["storage_searches_kcount", "code_executions_kcount", "social_searches_kcount"]);
const read = new Set([
  "input_mtok",
  "output_mtok",
  "cache_read_mtok",
  "cache_write_mtok",
  "cache_write_5m_mtok",
  "cache_write_1h_mtok",
  "web_searches_kcount",
]);

/** @returns null = it is charged by something that usage does not tell (the request, sound, pictures), so that no sum of ours would be true */
export function modelPrice(model: TableModel, at: number, table: string): ModelPrice | null {
  const rates = ratesAt(model, at);
  const names = Object.keys(rates).filter((name) => !beside.has(name));
  if (names.some((name) => !read.has(name)) || rates["input_mtok"] === undefined || rates["output_mtok"] === undefined) return null;
  const starts = names.flatMap((name) => tiersOf(rates[name]).map(({ start }) => start));
  const steps = [-1, ...new Set(starts)].sort((a, b) => a - b);
  return { table, tiers: steps.map((above) => ({ above, prices: unitPrices(rates, above) })) };
}

/** The last one that holds; none does = the first. */
function ratesAt({ prices }: TableModel, at: number): Rates {
  if (!Array.isArray(prices)) return prices;
  const holding = prices.findLast(({ constraint }) => constraint === undefined || holds(constraint, at));
  return (holding ?? prices[0])?.prices ?? {};
}

type Constraint = { readonly start_date: string } | { readonly start_time: string; readonly end_time: string };

function holds(constraint: Constraint, at: number): boolean {
  if ("start_date" in constraint) return at >= Date.parse(constraint.start_date);
  const from = secondsOf(constraint.start_time);
  const to = secondsOf(constraint.end_time);
  const now = (at % 86_400_000) / 1000;
  return to < from ? now >= from || now < to : now >= from && now < to;
}

function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.replace("Z", "").split(":").map(Number);
  return hours * 3600 + minutes * 60 + seconds;
}

/** What has no price of its own is charged as what it is a part of. */
function unitPrices(rates: Rates, above: number): UnitPrices {
  const rate = (...names: readonly string[]) =>
    Math.round(
      1_000_000 *
        rateAbove(
          names.map((name) => rates[name]).find((one) => one !== undefined),
          above,
        ),
    );
  return {
    input: rate("input_mtok"),
    output: rate("output_mtok"),
    cacheRead: rate("cache_read_mtok", "input_mtok"),
    cacheWrite: rate("cache_write_5m_mtok", "cache_write_mtok", "input_mtok"),
    cacheWriteLong: rate("cache_write_1h_mtok", "cache_write_mtok", "input_mtok"),
    searches: rate("web_searches_kcount"),
  };
}

type Rate = Rates[string];

function rateAbove(rate: Rate | undefined, above: number): number {
  if (rate === undefined) return 0;
  if (typeof rate === "number") return rate;
  return tiersOf(rate).findLast(({ start }) => start <= above)?.price ?? rate.base;
}

function tiersOf(rate: Rate | undefined): readonly { readonly start: number; readonly price: number }[] {
  return rate === undefined || typeof rate === "number" ? [] : rate.tiers.toSorted((a, b) => a.start - b.start);
}
