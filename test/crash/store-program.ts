/** Programs of a store, to be killed at their fault points: what one passes on its way, and what a store tells between two steps. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll } from "vitest";
import { openMemoryStore } from "../../src/adapters/store/memory/open.ts";
import type { Store } from "../../src/ports/store.ts";
import { startChild } from "../contract/store-child.ts";

const root = mkdtempSync(join(tmpdir(), "midwatch-store-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const migrations = join(import.meta.dirname, "../../src/adapters/store/sqlite/migrations");
const sql = Object.fromEntries(
  readdirSync(migrations).map((name) => [`adapters/store/sqlite/migrations/${name}`, readFileSync(join(migrations, name), "utf8")]),
);

/** Runs the program to its end or its death, in a new folder unless one is given. @returns the folder */
type Play = (env: Readonly<Record<string, string>>, folder?: string) => Promise<string>;

/**
 * Builds a module, given as text that stands in this folder, into one file, as it is published but for the fault points: it starts in a fraction of the
 * time, and has its migrations within.
 */
export function buildStoreProgram(contents: string): Play {
  const program = join(mkdtempSync(join(root, "p-")), "program.mjs");
  buildSync({
    stdin: { contents, resolveDir: import.meta.dirname },
    outfile: program,
    bundle: true,
    format: "esm",
    platform: "node",
    define: { MIDWATCH_FAULTS: "true", MIDWATCH_SQL: JSON.stringify(sql) },
  });
  return async (env, folder = mkdtempSync(join(root, "n-"))) => {
    await startChild(program, [folder], { env }).end();
    return folder;
  };
}

/** Runs it without a kill. @returns its folder, and the points that it passed, in their order */
export async function logPoints(play: Play): Promise<{ readonly whole: string; readonly points: readonly string[] }> {
  const log = join(mkdtempSync(join(root, "l-")), "points.log");
  const whole = await play({ MIDWATCH_FAULT_LOG: log });
  return { whole, points: readFileSync(log, "utf8").trim().split("\n") };
}

/** What a store tells after no step, after the first, and so on. */
export async function readAfterEach(
  steps: readonly ((store: Store) => Promise<unknown>)[],
  read: (store: Store) => Promise<string>,
): Promise<readonly string[]> {
  const store = openMemoryStore();
  const told = [await read(store)];
  for (const step of steps) {
    await step(store);
    told.push(await read(store));
  }
  await store.close();
  return told;
}
