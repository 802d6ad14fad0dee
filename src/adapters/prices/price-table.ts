/**
 * The table of prices as its makers publish it, bundled or fetched, checked once at the door. What we do not read is dropped.
 * A fetched one may be anything: sizes have an end, prices are sane numbers, and an expression that could take for ever is refused.
 */
import * as z from "zod";

const usd = z.number().nonnegative().max(1_000_000);
const tiered = z.object({ base: usd, tiers: z.array(z.object({ start: z.int().nonnegative(), price: usd })).max(20) });
const rates = z.record(z.string().max(100), z.union([usd, tiered]));
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z$/);
const constraint = z.union([z.object({ start_date: z.iso.date() }), z.object({ start_time: clock, end_time: clock })]);
const prices = z.union([
  z
    .array(z.object({ constraint: constraint.optional(), prices: rates }))
    .min(1)
    .max(50),
  rates,
]);

/** A repeated group that holds a repetition can take for ever; nothing in a list of names needs one. */
const isQuick = (text: string): boolean => !/\)[+*{]/.test(text) && compiles(text);

const word = z.string().min(1).max(200);
const clause = z.union([
  z.object({ equals: word }),
  z.object({ starts_with: word }),
  z.object({ ends_with: word }),
  z.object({ contains: word }),
  z.object({ regex: word.refine(isQuick, "an expression that could take for ever, or is none") }),
]);

export type Match = z.infer<typeof clause> | { readonly or: readonly Match[] } | { readonly and: readonly Match[] };
const match: z.ZodType<Match> = z.union([
  clause,
  z.object({ or: z.array(z.lazy(() => match)).max(500) }),
  z.object({ and: z.array(z.lazy(() => match)).max(500) }),
]);

const model = z.object({ id: word, match, prices });
const provider = z.object({
  id: word,
  models: z.array(model).max(20_000),
  fallback_model_providers: z.array(word).max(20).optional(),
});
export const tableSchema = z.array(provider).min(1).max(1_000);

export type Rates = z.infer<typeof rates>;
export type TableModel = z.infer<typeof model>;
export type TableProvider = z.infer<typeof provider>;

/** @returns the table, or what is wrong with it in one line; never throws */
export function readTable(value: unknown): readonly TableProvider[] | string {
  try {
    const parsed = tableSchema.safeParse(value);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    return `${issue?.path.join(".") || "it"}: ${issue?.message ?? "not a table of prices"}`;
  } catch {
    return "it is nested too deeply"; // the stack's end: nothing else throws here
  }
}

function compiles(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false; // told by the refusal
  }
}
