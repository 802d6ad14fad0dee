/** Fetches a newer table from its makers, or from a mirror of them. Whatever comes instead of one is told in a line and changes nothing. */
import { findModel } from "./model-match.ts";
import { readTable, type TableProvider } from "./price-table.ts";
import { modelPrice } from "./unit-prices.ts";

export type Download =
  | { readonly kind: "table"; readonly providers: readonly TableProvider[] }
  | { readonly kind: "failed"; readonly detail: string };

const maxBytes = 32 * 1024 * 1024;
const deadlineMs = 60_000;

/** @param known  the table in use: a new one in which known models are suddenly worth a tenth is refused, since caps would no longer bite */
export async function downloadTable(address: string, known: readonly TableProvider[], now: number): Promise<Download> {
  const url = readAddress(address);
  if (url === null) return failed(`${address} is no https address (plain http is for this machine only)`);
  const body = await fetchText(url);
  if (typeof body !== "string") return body;
  const table = readTable(parse(body));
  if (typeof table === "string") return failed(`what came is no table of prices: ${table}`);
  const cheap = suspicious(known, table, now);
  return cheap === null ? { kind: "table", providers: table } : failed(cheap);
}

const failed = (detail: string): Download => ({ kind: "failed", detail });

function readAddress(address: string): URL | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const isHere = ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
  return url.protocol === "https:" || (url.protocol === "http:" && isHere) ? url : null;
}

async function fetchText(url: URL): Promise<string | Download> {
  try {
    const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(deadlineMs) });
    if (!response.ok) return failed(`${url.origin} answered ${response.status}`);
    return await readBody(response);
  } catch (error) {
    return failed(`${url.origin} cannot be reached: ${reasonOf(error)}`);
  }
}

async function readBody({ body }: Response): Promise<string | Download> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const pieces: string[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    // Leaving the loop cancels the rest.
    if (bytes > maxBytes) return failed(`what came has more than ${maxBytes / 1024 / 1024} MiB`);
    pieces.push(decoder.decode(piece, { stream: true }));
  }
  return pieces.join("") + decoder.decode();
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? cause.message : error instanceof Error ? error.message : String(error);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // told as "no table of prices"
  }
}

const wellKnown = ["anthropic", "openai"];

function suspicious(known: readonly TableProvider[], table: readonly TableProvider[], now: number): string | null {
  for (const id of wellKnown) {
    const before = known.find((one) => one.id === id);
    const after = table.find((one) => one.id === id);
    if (after === undefined) return `it has no prices of ${id}`;
    const fallen = before?.models.find(({ id: name }) => hasFallen(before, after, name, now));
    if (fallen !== undefined) return `${fallen.id} of ${id} would cost less than a tenth of what it did`;
  }
  return null;
}

function hasFallen(before: TableProvider, after: TableProvider, name: string, now: number): boolean {
  const [old, next] = [before, after].map((provider) => {
    const model = findModel(provider, name);
    return model === null ? null : (modelPrice(model, now, "")?.tiers[0]?.prices ?? null);
  });
  if (!old || !next) return false;
  return next.input < old.input / 10 || next.output < old.output / 10;
}
