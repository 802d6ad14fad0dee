/**
 * The numbered migrations, as text. They are .sql files: Node that runs the sources reads them from the folder; in the bundle, which has no
 * folder beside it, the build puts their text in the place of MIDWATCH_SQL (path below src -> text). Plain Node can import no .sql file.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";

declare const MIDWATCH_SQL: Readonly<Record<string, string>> | undefined;

export interface Migration {
  readonly version: number;
  readonly sql: string;
}

const folder = "adapters/store/sqlite/migrations/";

function readTexts(): Readonly<Record<string, string>> {
  const place = new URL("./migrations/", import.meta.url);
  return Object.fromEntries(readdirSync(place).map((name) => [`${folder}${name}`, readFileSync(new URL(name, place), "utf8")]));
}

const texts = typeof MIDWATCH_SQL === "undefined" ? readTexts() : MIDWATCH_SQL;

/** In order; the first has version 1 and none is left out. */
export const migrations: readonly Migration[] = Object.keys(texts)
  .filter((name) => name.startsWith(folder) && name.endsWith(".sql"))
  .sort()
  .map((name) => ({ version: Number.parseInt(basename(name), 10), sql: texts[name] ?? "" }));

/** The version of the tables that this program writes. */
export const knownVersion: number = migrations.length;
