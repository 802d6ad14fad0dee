/** What a night paid, told by both sides: the rows of our ledger, and the provider's own bill. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import type { Scope, Spend } from "../../src/core/money/cap.ts";
import type { CallRecord } from "../../src/ports/ledger.ts";
import type { Store } from "../../src/ports/store.ts";

interface Place {
  readonly folder: string;
}

/** One line of the scripted provider's bill. */
export interface Charge {
  readonly request: string;
  readonly message: string;
  readonly model: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly body_sha256: string;
}

export function readInvoice(path: string): readonly Charge[] {
  return existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line))
    : [];
}

/** What the bill says and what a row says, in one shape. */
export function billed({ request, message, model, body_sha256: hash, ...tokens }: Charge) {
  const {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
  } = tokens;
  return { request, message, model, hash, input, output, cacheRead, cacheWrite };
}

export function booked({ request: { model, hash }, result }: CallRecord) {
  const { input, output, cacheRead, cacheWrite } = result?.usage ?? {};
  return { request: result?.providerRequestId, message: result?.messageId, model, hash, input, output, cacheRead, cacheWrite };
}

/** In their order; also while the program runs. */
export function readCalls(night: Place): Promise<readonly CallRecord[]> {
  return withStoreOf(night, ({ ledger }) => ledger.calls({ limit: 10_000 }));
}

export async function readSpend(night: Place, scope: Scope): Promise<Spend> {
  const [spend] = await withStoreOf(night, ({ ledger }) => ledger.spend([scope]));
  if (spend === undefined) throw new Error("the ledger told no sum");
  return spend;
}

/** Opens it beside whatever else has it open. */
export async function withStoreOf<T>({ folder }: Place, look: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ folder: join(folder, "state/midwatch") });
  try {
    return await look(store);
  } finally {
    await store.close();
  }
}

/** Prices of the person's own, in US$ for a million tokens: nothing costs anything but what is named. */
export function setPrices(
  { folder }: Place,
  prices: Readonly<Record<string, { readonly input?: number; readonly output?: number }>>,
): void {
  const path = join(folder, "state/midwatch/prices.json");
  const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0 };
  const rows = Object.entries(prices).map(([model, price]) => ({ model, ...free, ...price, set: "2026-11-30T00:00:00.000Z" }));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, JSON.stringify({ prices: rows }));
}
