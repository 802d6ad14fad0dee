/** Unit prices out of the bundled table: what core computes with them equals what the table's own library computes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { calcPrice, waitForUpdate } from "@pydantic/genai-prices";
import { describe, expect, test } from "vitest";
import { builtInName, loadBuiltIn } from "../../src/adapters/prices/built-in-table.ts";
import { findModel } from "../../src/adapters/prices/model-match.ts";
import { modelPrice } from "../../src/adapters/prices/unit-prices.ts";
import { costMicroUsd } from "../../src/core/money/price.ts";
import { inputTokens, noUsage, type Usage } from "../../src/core/money/usage.ts";

const table = await loadBuiltIn();
const library = (await waitForUpdate()) ?? [];
const dates = ["2025-12-01", "2026-03-12", "2026-03-13", "2026-08-20", "2026-11-30", "2027-02-01"].map((day) =>
  Date.parse(`${day}T12:00:00Z`),
);

/** The same numbers in each run. */
function* seeded(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield state / 2 ** 31;
  }
}

function usages(seed: number): readonly Usage[] {
  const numbers = seeded(seed);
  const upTo = (most: number) => Math.floor((numbers.next().value ?? 0) * most);
  return Array.from({ length: 12 }, (_none, at) => ({
    input: upTo(at % 2 === 0 ? 9_000 : 400_000),
    output: upTo(40_000),
    cacheRead: upTo(at % 3 === 0 ? 1 : 250_000),
    cacheWrite: upTo(at % 4 === 0 ? 1 : 60_000),
    cacheWriteLong: upTo(at % 5 === 0 ? 30_000 : 1),
    searches: upTo(at % 6 === 0 ? 9 : 1),
  }));
}

function theirs(usage: Usage, model: string, providerId: string, at: number): number | null {
  const told = {
    input_tokens: inputTokens(usage),
    output_tokens: usage.output,
    cache_read_tokens: usage.cacheRead,
    cache_write_tokens: usage.cacheWrite + usage.cacheWriteLong,
    cache_write_1h_tokens: usage.cacheWriteLong,
    web_searches: usage.searches,
  };
  const price = calcPrice(told, model, { providerId, timestamp: new Date(at) });
  return price === null ? null : Math.ceil(price.total_price * 1_000_000 - 1e-6);
}

/** Charged by sound or pictures as well, which no usage that we read tells apart. */
const notOurs = /audio|realtime|image|transcribe|tts|whisper|embedding|moderation/;

/** Models that are known by the names of their owners' versions only. */
const wireNames: Readonly<Record<string, string>> = {
  "ft:gpt-3.5-turbo-": "ft:gpt-3.5-turbo-0125:acme::a1B2",
  "ft:gpt-4o": "ft:gpt-4o-2024-08-06:acme:night:a1B2",
  "ft:gpt-4o-mini": "ft:gpt-4o-mini-2024-07-18:acme::a1B2",
};

describe.each(["anthropic", "openai"])("of %s", (id) => {
  const provider = table.find((one) => one.id === id)!;

  test.each(provider.models.map((model) => model.id))("%s costs to the micro-dollar what the table's library says", (listed) => {
    const name = wireNames[listed] ?? listed;
    const model = findModel(provider, name);
    const compared = dates.flatMap((at) => {
      const price = model === null ? null : modelPrice(model, at, "");
      return usages(name.length + 7).map((usage) => (price === null ? null : [costMicroUsd(price, usage), theirs(usage, name, id, at)]));
    });
    if (compared[0] === null) expect(name).toMatch(notOurs);
    else expect(compared.map((pair) => pair?.[0])).toEqual(compared.map((pair) => pair?.[1]));
  });
});

test("a model that is charged by sound or pictures has no price, in any provider's list", () => {
  const odd = library.flatMap(({ id, models }) =>
    models
      .filter(({ prices }) => JSON.stringify(prices).match(/audio|image|video|requests_kcount|pages/))
      .map((model) => ({ id, model: model.id })),
  );
  expect(odd.length).toBeGreaterThan(20);
  for (const { id, model } of odd) {
    const found = findModel(table.find((one) => one.id === id)!, model);
    if (found?.id === model) expect({ id, model, price: modelPrice(found, dates[4]!, "") }).toEqual({ id, model, price: null });
  }
});

test("the table's name is that of the package that is installed", () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../node_modules/@pydantic/genai-prices/package.json"), "utf8"));
  expect(builtInName).toContain(`genai-prices ${version} (`);
});

test.each([
  ["anthropic", "claude-opus-4-5-20251101", "claude-opus-4-5"],
  ["anthropic", "claude-sonnet-4-5", "claude-sonnet-4-5"],
  ["anthropic", "claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
  ["anthropic", "Claude-Haiku-4-5-20251001", "claude-haiku-4-5"],
  ["anthropic", "claude-3-5-haiku-20241022", "claude-3-5-haiku-latest"],
  ["anthropic", "claude-opus-4-20250514", "claude-opus-4-0"],
  ["openai", "gpt-5.2-2025-12-11", "gpt-5.2"],
  ["openai", "gpt-5.2", "gpt-5.2"],
  ["openai", "gpt-5.6-terra-2026-06-01", "gpt-5.6-terra"],
  ["openrouter", "anthropic/claude-opus-4.5", "anthropic/claude-opus-4.5"],
])("%s knows %s as %s", (id, name, model) => {
  expect(findModel(table.find((one) => one.id === id)!, name)?.id).toBe(model);
});

test.each([
  ["a later model that begins like a known one", "anthropic", "claude-sonnet-5-5"],
  ["a version with one more digit", "anthropic", "claude-opus-4-51"],
  ["a dearer way to run a known model", "anthropic", "claude-opus-4-8-fast"],
  ["a name of another provider's list", "anthropic", "anthropic/claude-opus-4.5"],
  ["a date that no model has", "openai", "gpt-5.2-2025-01-01"],
  ["an invented one", "anthropic", "claude-nova-9"],
  ["an empty one", "anthropic", ""],
  ["a hostile one", "anthropic", `claude-opus-4-5${"-2025-11-01".repeat(40)}x`],
  ["one of a megabyte", "anthropic", `claude-opus-4-5-${"1".repeat(1_000_000)}`],
])("%s has no price: never a guess", (_title, id, name) => {
  expect(findModel(table.find((one) => one.id === id)!, name)).toBeNull();
});

test("the tier is that of the whole input, cached tokens included", () => {
  const model = findModel(table.find((one) => one.id === "anthropic")!, "claude-sonnet-4-5")!;
  const price = modelPrice(model, dates[4]!, "")!;
  const cost = (cacheRead: number) => costMicroUsd(price, { ...noUsage, input: 1_000, cacheRead, output: 1_000 });
  expect([cost(199_000), cost(199_001)]).toEqual([3_000 + 59_700 + 15_000, 6_000 + 119_401 + 22_500]);
});
