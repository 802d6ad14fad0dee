/** Exports that know only sums a stretch of time: the usage and cost reports of Anthropic and OpenAI, as their admin interfaces answer them. */
import { isObject } from "../../json.ts";
import { microUsd } from "../amount.ts";
import type { Bucket, BucketFormat, TokenSums } from "./charge.ts";
import { type Fields, listOf, numberOf, objectOf, textOf } from "./fields.ts";
import { readInstant } from "./instant.ts";

export interface BucketPage {
  readonly format: BucketFormat;
  readonly buckets: readonly Bucket[];
  /** More pages follow, which the person did not give us. */
  readonly hasMore: boolean;
  /** Entries that could not be read. */
  readonly unreadable: number;
}

/** @returns null = no page of such an export */
export function readBucketPage(fields: Fields): BucketPage | null {
  const data = listOf(fields, "data");
  const format = formatOf(fields, data);
  if (format === null) return null;
  const buckets = data.flatMap((entry) => (isObject(entry) ? (readBucket(format, entry) ?? []) : []));
  return { format, buckets, hasMore: fields["has_more"] === true, unreadable: data.length - buckets.length };
}

function formatOf(fields: Fields, data: readonly unknown[]): BucketFormat | null {
  const [first] = data;
  if (isObject(first)) return "starting_at" in first ? "anthropic" : "start_time" in first ? "openai" : null;
  if (data.length > 0 || !Array.isArray(fields["data"])) return null;
  return fields["object"] === "page" ? "openai" : "has_more" in fields ? "anthropic" : null;
}

function readBucket(format: BucketFormat, entry: Fields): Bucket | null {
  const from = readInstant(entry["starting_at"] ?? entry["start_time"]);
  const to = readInstant(entry["ending_at"] ?? entry["end_time"]);
  if (from === null || to === null || to <= from) return null;
  const results = listOf(entry, "results").filter(isObject);
  const tokens = results.map(format === "anthropic" ? anthropicTokens : openAiTokens);
  return {
    from,
    to,
    calls: total(results.map((result) => numberOf(result, "num_model_requests"))),
    microUsd: total(results.map(format === "anthropic" ? anthropicMicroUsd : openAiMicroUsd)),
    tokens: addUp(tokens),
  };
}

/** Tokens of each kind apart; both ways in which writes to the cache are told. */
function anthropicTokens(result: Fields): TokenSums | null {
  const output = numberOf(result, "output_tokens");
  const uncached = numberOf(result, "uncached_input_tokens", "input_tokens");
  if (output === null || uncached === null) return null;
  const written = objectOf(result, "cache_creation");
  const parts = [
    numberOf(result, "cache_read_input_tokens"),
    numberOf(written, "ephemeral_5m_input_tokens") ?? numberOf(result, "cache_creation_5m_input_tokens"),
    numberOf(written, "ephemeral_1h_input_tokens") ?? numberOf(result, "cache_creation_1h_input_tokens"),
  ];
  return { input: parts.reduce<number>((sum, part) => sum + (part ?? 0), uncached), output };
}

/** Its input holds the cached ones. */
function openAiTokens(result: Fields): TokenSums | null {
  const input = numberOf(result, "input_tokens");
  const output = numberOf(result, "output_tokens");
  return input === null || output === null ? null : { input, output };
}

/** A decimal text, in cents. */
function anthropicMicroUsd(result: Fields): number | null {
  const cents = numberOf(result, "amount");
  return cents === null || isForeign(textOf(result, "currency")) ? null : Math.round(cents * 10_000);
}

function openAiMicroUsd(result: Fields): number | null {
  const amount = objectOf(result, "amount");
  const usd = numberOf(amount, "value");
  return usd === null || isForeign(textOf(amount, "currency")) ? null : microUsd(usd);
}

function isForeign(currency: string | null): boolean {
  return currency !== null && currency.toLowerCase() !== "usd";
}

/** Null when no entry says anything; an empty bucket says zero of what its neighbours tell, which the comparison knows. */
function total(numbers: readonly (number | null)[]): number | null {
  const known = numbers.filter((number) => number !== null);
  return known.length === 0 ? null : known.reduce((sum, number) => sum + number, 0);
}

function addUp(tokens: readonly (TokenSums | null)[]): TokenSums | null {
  const known = tokens.filter((one) => one !== null);
  if (known.length === 0) return null;
  return known.reduce((sum, one) => ({ input: sum.input + one.input, output: sum.output + one.output }));
}
