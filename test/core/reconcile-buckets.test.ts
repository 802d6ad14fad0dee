/** The ledger beside sums per stretch of time: the difference lies between 0 and the most that the unknown rows may have cost. */
import { expect, test } from "vitest";
import type { BookedCall } from "../../src/core/money/reconcile/booked.ts";
import { readBucketPage } from "../../src/core/money/reconcile/bucket-pages.ts";
import type { Bucket } from "../../src/core/money/reconcile/charge.ts";
import { comparePerBucket } from "../../src/core/money/reconcile/per-bucket.ts";
import { at, booked, unknown } from "./reconcile-kit.ts";

const bucket = (from: number, to: number, change: Partial<Bucket>): Bucket => ({
  from: at(from),
  to: at(to),
  calls: null,
  microUsd: null,
  tokens: null,
  ...change,
});
const hour = (change: Partial<Bucket>) => [bucket(0, 3_600, change)];
const refused = (number: number) => booked(number, { state: "failed", failure: "limited", costMicroUsd: null, tokens: null });

test.each<readonly [title: string, calls: readonly BookedCall[], buckets: readonly Bucket[], agrees: boolean]>([
  ["the same sum", [booked(1), booked(2)], hour({ microUsd: 2_000 }), true],
  ["a sum that our rounding explains", [booked(1), booked(2)], hour({ microUsd: 1_998 }), true],
  ["one micro-dollar more than that", [booked(1), booked(2)], hour({ microUsd: 1_997 }), false],
  ["more than we know of", [booked(1)], hour({ microUsd: 1_500 }), false],
  ["more than we know of, beside an unknown call", [booked(1), unknown(2)], hour({ microUsd: 1_500 }), true],
  ["the whole of what was held for it", [booked(1), unknown(2)], hour({ microUsd: 6_000 }), true],
  ["more than that", [booked(1), unknown(2)], hour({ microUsd: 6_003 }), false],
  ["an unknown call that was not charged", [booked(1), unknown(2)], hour({ microUsd: 1_000 }), true],
  ["a cut call, of which a part is certain", [booked(1, { state: "cut", failure: "cut-by-client" })], hour({ microUsd: 900 }), false],
  ["the same number of calls", [booked(1), booked(2)], hour({ calls: 2 }), true],
  ["a call too many", [booked(1), booked(2)], hour({ calls: 3 }), false],
  ["a call too many, beside an unknown one", [booked(1), unknown(2)], hour({ calls: 2 }), true],
  ["a refused call, counted", [booked(1), refused(2)], hour({ calls: 2 }), true],
  ["a refused call, not counted", [booked(1), refused(2)], hour({ calls: 1 }), true],
  ["the same tokens", [booked(1)], hour({ tokens: { input: 100, output: 20 } }), true],
  ["a token too many", [booked(1)], hour({ tokens: { input: 100, output: 21 } }), false],
  ["as many tokens as the unknown call may have had", [booked(1), unknown(2)], hour({ tokens: { input: 600, output: 1_020 } }), true],
  ["and one more", [booked(1), unknown(2)], hour({ tokens: { input: 601, output: 20 } }), false],
  ["a call without a price", [booked(1, { costMicroUsd: null, upperMicroUsd: null })], hour({ microUsd: 77_777 }), true],
  ["a call over an edge, told before it", [booked(1)], [bucket(0, 12, { microUsd: 1_000 }), bucket(12, 60, { microUsd: 0 })], true],
  ["a call over an edge, told after it", [booked(1)], [bucket(0, 12, { microUsd: 0 }), bucket(12, 60, { microUsd: 1_000 })], true],
  [
    "a call over an edge, told on both sides",
    [booked(1)],
    [bucket(0, 12, { microUsd: 1_000 }), bucket(12, 60, { microUsd: 1_000 })],
    false,
  ],
  ["a call over an edge, told on neither", [booked(1)], [bucket(0, 12, { microUsd: 0 }), bucket(12, 60, { microUsd: 0 })], false],
  ["one stretch in two parts", [booked(1), booked(2)], [...hour({ microUsd: 1_000 }), ...hour({ microUsd: 1_000 })], true],
  ["empty stretches beside a full one", [booked(1)], [bucket(0, 60, { microUsd: 1_000 }), bucket(60, 120, {})], true],
  ["a full night beside an empty export", [booked(1)], hour({ microUsd: 0 }), false],
  ["an export that tells nothing", [booked(1)], hour({}), false],
  ["an export that ends too early", [booked(1), booked(2_000)], hour({ microUsd: 1_000 }), false],
  ["calls of other runs outside of it", [booked(1), booked(2_000, { isAsked: false })], hour({ microUsd: 1_000 }), true],
  ["calls of other runs inside of it", [booked(1), booked(2, { isAsked: false })], hour({ microUsd: 2_000 }), true],
])("%s", (_title, calls, buckets, agrees) => {
  expect(comparePerBucket(calls, buckets).agrees).toBe(agrees);
});

test("each stretch is told with its bounds", () => {
  const { lines, totals, unknown: count } = comparePerBucket([booked(1), unknown(2)], hour({ microUsd: 1_200 }));
  const line = { from: at(0), to: at(3_600), measure: "microUsd", theirs: 1_200, atLeast: 1_000, atMost: 6_000, agrees: true };
  expect({ lines, totals, count }).toEqual({ lines: [line], totals: [line], count: 1 });
});

const stretch = { starting_at: "2026-11-30T00:00:00Z", ending_at: "2026-11-30T01:00:00Z" };
const seconds = { object: "bucket", start_time: at(0) / 1000, end_time: at(3_600) / 1000 };

test.each<readonly [title: string, page: Readonly<Record<string, unknown>>, format: string, bucket: Partial<Bucket>]>([
  [
    "Anthropic's usage, writes to the cache by their time",
    {
      data: [
        {
          ...stretch,
          results: [
            {
              uncached_input_tokens: 10,
              cache_read_input_tokens: 200,
              cache_creation: { ephemeral_5m_input_tokens: 3_000, ephemeral_1h_input_tokens: 40_000 },
              output_tokens: 7,
              model: "a",
            },
            { uncached_input_tokens: 1, cache_read_input_tokens: 0, cache_creation: {}, output_tokens: 1, model: "b" },
          ],
        },
      ],
      has_more: false,
    },
    "anthropic",
    { tokens: { input: 43_211, output: 8 } },
  ],
  [
    "Anthropic's cost, in cents as text",
    {
      data: [
        {
          ...stretch,
          results: [
            { currency: "USD", amount: "123.45" },
            { currency: "USD", amount: "0.55" },
          ],
        },
      ],
      has_more: true,
    },
    "anthropic",
    { microUsd: 1_240_000 },
  ],
  [
    "OpenAI's usage, cached tokens inside",
    {
      object: "page",
      data: [{ ...seconds, results: [{ input_tokens: 1_000, input_cached_tokens: 800, output_tokens: 500, num_model_requests: 5 }] }],
      has_more: false,
    },
    "openai",
    { tokens: { input: 1_000, output: 500 }, calls: 5 },
  ],
  [
    "OpenAI's costs",
    { object: "page", data: [{ ...seconds, results: [{ amount: { value: 0.06, currency: "usd" } }] }], has_more: false },
    "openai",
    { microUsd: 60_000 },
  ],
  ["an hour without a call", { object: "page", data: [{ ...seconds, results: [] }], has_more: false }, "openai", {}],
])("%s is read", (_title, page, format, expected) => {
  expect(readBucketPage(page)).toEqual({
    format,
    buckets: [{ ...bucket(0, 3_600, {}), ...expected }],
    hasMore: page["has_more"],
    unreadable: 0,
  });
});

test.each<readonly [title: string, page: Readonly<Record<string, unknown>>]>([
  ["an object", {}],
  ["a list of something else", { data: [{ id: 1 }] }],
  ["text where a list should be", { data: "x", has_more: false }],
])("%s is no page", (_title, page) => {
  expect(readBucketPage(page)).toBeNull();
});

test("a stretch that ends before it begins, or is none, is counted as unreadable", () => {
  const page = readBucketPage({
    data: [{ ...stretch, results: [] }, { ...stretch, ending_at: "2020-01-01T00:00:00Z" }, 5],
    has_more: false,
  });
  expect(page).toMatchObject({ unreadable: 2, buckets: [{ from: at(0) }] });
});
