/** The price book over real files, and a newer table fetched from a server on loopback that serves what it likes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitForUpdate } from "@pydantic/genai-prices";
import { expect, onTestFinished, test } from "vitest";
import { createFiles } from "../../src/adapters/files/files.ts";
import { openPriceBook } from "../../src/adapters/prices/price-book.ts";
import { completePrices } from "../../src/core/money/price.ts";
import type { PriceBook } from "../../src/ports/prices.ts";

const now = Date.parse("2026-11-30T08:00:00Z");

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "midwatch-prices-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const open = (folder: string): Promise<PriceBook> => openPriceBook(createFiles(), folder);

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/data.json`;
}

const own = (prices: Parameters<typeof completePrices>[0], provider: string | null = null) => ({
  provider,
  model: "my-model",
  prices: completePrices(prices),
  setAt: now,
});

test("a price of one's own wins over the table, outlives the process, and is removed again", async () => {
  const folder = makeFolder();
  const book = await open(folder);
  const fromTable = book.of("anthropic", "claude-opus-4-5", now);
  await book.set({ ...own({ input: 7_000_000, output: 9_000_000 }), model: "Claude-Opus-4-5" });
  const again = await open(folder);
  expect(again.of("anthropic", "claude-opus-4-5", now)).toEqual({
    table: "set on 2026-11-30",
    tiers: [{ above: -1, prices: completePrices({ input: 7_000_000, output: 9_000_000 }) }],
  });
  expect(await again.unset({ provider: null, model: "claude-opus-4-5" })).toBe(true);
  expect(await again.unset({ provider: null, model: "claude-opus-4-5" })).toBe(false);
  expect((await open(folder)).of("anthropic", "claude-opus-4-5", now)).toEqual(fromTable);
});

test("one for an upstream wins over one for all, and setting it again replaces it", async () => {
  const book = await open(makeFolder());
  await book.set(own({ input: 1, output: 1 }));
  await book.set(own({ input: 2, output: 2 }, "work"));
  await book.set(own({ input: 3, output: 3 }, "work"));
  expect(["work", "anywhere"].map((provider) => book.of(provider, "my-model", now)?.tiers[0]?.prices.input)).toEqual([3, 1]);
  expect(book.list({ provider: null, model: "my-model", at: now })).toHaveLength(2);
});

test("what is not told is taken dear", () => {
  expect(completePrices({ input: 4, output: 9 })).toEqual({
    input: 4,
    output: 9,
    cacheRead: 4,
    cacheWrite: 5,
    cacheWriteLong: 8,
    searches: 0,
  });
});

test("a model or an upstream that nobody knows has no price", async () => {
  const book = await open(makeFolder());
  expect(book.of("anthropic", "claude-nova-9", now)).toBeNull();
  expect(book.of("my-proxy", "claude-opus-4-5", now)).toBeNull();
});

test("a tiered model is listed with its tiers and the table's name and date", async () => {
  const book = await open(makeFolder());
  const [listed] = book.list({ provider: "anthropic", model: "claude-sonnet-4-5-20250929", at: now });
  expect(listed).toMatchObject({ provider: "anthropic", origin: "table", price: { table: "genai-prices 0.1.8 (2026-09-23)" } });
  expect(listed?.price.tiers.map(({ above, prices }) => [above, prices.input, prices.output])).toEqual([
    [-1, 3_000_000, 15_000_000],
    [200_000, 6_000_000, 22_500_000],
  ]);
});

test.each([
  ["no JSON", "{ prices: [", /prices\.json: it is no JSON/],
  [
    "a price below nothing",
    `{"prices":[{"model":"m","input":-1,"output":1,"set":"2026-11-30T00:00:00Z"}]}`,
    /prices\.json: prices\.0\.input: /,
  ],
  ["a misspelt name", `{"prices":[{"model":"m","inptu":1,"output":1,"set":"2026-11-30T00:00:00Z"}]}`, /prices\.json: prices\.0/],
  ["a list", "[]", /prices\.json: the file: /],
])("%s in the person's own file is one error that names the place and the next step", async (_title, text, message) => {
  const folder = makeFolder();
  writeFileSync(join(folder, "prices.json"), text);
  await expect(open(folder)).rejects.toMatchObject({
    kind: "config",
    message: expect.stringMatching(message),
    hint: expect.stringContaining("midwatch prices set"),
  });
});

test("a price mended by hand is read in US$", async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "prices.json"), `{"prices":[{"model":"m","input":0.3,"output":1.05,"set":"2026-11-30T00:00:00Z"}]}`);
  expect((await open(folder)).of("x", "m", now)?.tiers[0]?.prices).toEqual(completePrices({ input: 300_000, output: 1_050_000 }));
});

const published = async () => (await waitForUpdate()) ?? [];

test("a newer table is fetched, kept with its date, and used from then on", async () => {
  const folder = makeFolder();
  const newer = [
    ...(await published()),
    { id: "new-house", models: [{ id: "n-1", match: { equals: "n-1" }, prices: { input_mtok: 1, output_mtok: 2 } }] },
  ];
  const address = await serve((_request, response) => response.end(JSON.stringify(newer)));
  const book = await open(folder);
  expect(await book.update(address, now)).toMatchObject({ kind: "updated", table: "genai-prices fetched on 2026-11-30" });
  const later = await open(folder);
  for (const one of [book, later]) {
    expect(one.of("new-house", "n-1", now)).toMatchObject({ table: "genai-prices fetched on 2026-11-30" });
    expect(one.of("anthropic", "claude-opus-4-5", now)?.tiers).toEqual(
      (await open(makeFolder())).of("anthropic", "claude-opus-4-5", now)?.tiers,
    );
  }
});

const cheaper = async () =>
  JSON.parse(JSON.stringify(await published()), (key, value) => (key === "output_mtok" && typeof value === "number" ? value / 100 : value));
const withModel = async (model: object) => [...(await published()), { id: "x", models: [model] }];
const plain = { id: "m", match: { equals: "m" }, prices: { input_mtok: 1, output_mtok: 1 } };

test.each<readonly [title: string, answer: () => unknown, detail: RegExp]>([
  ["a page that is no table", () => "<html>sign in</html>", /no table of prices/],
  ["an empty list", () => [], /no table of prices/],
  ["a table without the well-known", () => withModel(plain).then((all) => all.slice(-1)), /no prices of anthropic/],
  ["a table in which everything is nearly free", cheaper, /less than a tenth/],
  ["a price below nothing", () => withModel({ ...plain, prices: { input_mtok: -1 } }), /no table of prices/],
  ["a price that is no number", () => withModel({ ...plain, prices: { input_mtok: "free" } }), /no table of prices/],
  ["an expression that never ends", () => withModel({ ...plain, match: { regex: "^(a+)+$" } }), /no table of prices/],
  [
    "rules without end",
    () => withModel({ ...plain, match: "DEEP" }).then((all) => JSON.stringify(all).replace('"DEEP"', deep(20_000))),
    /no table of prices/,
  ],
])("%s is refused, and the table stays", async (_title, answer, detail) => {
  const folder = makeFolder();
  const value = await answer();
  const address = await serve((_request, response) => response.end(typeof value === "string" ? value : JSON.stringify(value)));
  const book = await open(folder);
  expect(await book.update(address, now)).toEqual({
    kind: "kept",
    table: "genai-prices 0.1.8 (2026-09-23)",
    detail: expect.stringMatching(detail),
  });
  expect((await open(folder)).table).toBe("genai-prices 0.1.8 (2026-09-23)");
});

/** Deeper than a program can write it back. */
function deep(levels: number): string {
  return `${'{"or":['.repeat(levels)}{"equals":"m"}${"]}".repeat(levels)}`;
}

test.each<readonly [title: string, answer: RequestListener, detail: RegExp]>([
  ["an error of the server", (_request, response) => response.writeHead(503).end(), /answered 503/],
  ["a redirection", (_request, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(), /cannot be reached/],
  ["a connection that ends", (request) => request.socket.destroy(), /cannot be reached/],
  ["bytes that are no text", (_request, response) => response.end(Buffer.from([0xff, 0xfe, 0x00])), /cannot be reached|no table/],
  [
    "a download without an end",
    (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024, 32)));
      };
      response.on("drain", more);
      more();
    },
    /more than 32 MiB/,
  ],
])("%s keeps the old table and says so", async (_title, answer, detail) => {
  const book = await open(makeFolder());
  expect(await book.update(await serve(answer), now)).toMatchObject({ kind: "kept", detail: expect.stringMatching(detail) });
});

test.each(["http://example.org/data.json", "file:///etc/passwd", "nonsense"])("%s is not asked", async (address) => {
  expect(await (await open(makeFolder())).update(address, now)).toMatchObject({
    kind: "kept",
    detail: expect.stringContaining("no https address"),
  });
});

test("a fetched table that was damaged is one error with the next step", async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "prices-table.json"), readFileSync(import.meta.filename));
  await expect(open(folder)).rejects.toMatchObject({
    kind: "config",
    message: expect.stringContaining("prices-table.json"),
    hint: expect.stringContaining("midwatch prices update"),
  });
});
