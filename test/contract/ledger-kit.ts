/** The two bodies of the store that the ledger's tests run on, and the calls that they are tried with. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openMemoryStore } from "../../src/adapters/store/memory/open.ts";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import type { Store } from "../../src/ports/store.ts";

export * from "./ledger-samples.ts";

export function newFolder(): string {
  const root = mkdtempSync(join(tmpdir(), "midwatch-ledger-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return join(root, "state");
}

export async function openFile(folder = newFolder()): Promise<Store> {
  const store = await openStore({ folder });
  onTestFinished(() => store.close());
  return store;
}

export const bodies: readonly [name: string, make: () => Promise<Store>][] = [
  ["a SQLite file", () => openFile()],
  ["SQLite in memory", async () => openMemoryStore()],
];
