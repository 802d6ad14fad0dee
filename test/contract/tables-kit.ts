/** A store's file with a connection of our own beside the store: for what is written past its statements. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterAll, expect } from "vitest";
import { connect } from "../../src/adapters/store/sqlite/connection.ts";
import { storeFiles } from "../../src/adapters/store/sqlite/files.ts";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import type { Store } from "../../src/ports/store.ts";

export interface Tables {
  readonly store: Store;
  readonly db: DatabaseSync;
  /** Tries it and takes it back. What is refused is refused by a constraint, or the test fails. */
  attempt(sql: string): "done" | "refused";
}

/** They are closed and gone when the file's tests are over. */
export async function openTables(): Promise<Tables> {
  const folder = mkdtempSync(join(tmpdir(), "midwatch-tables-"));
  const store = await openStore({ folder });
  const db = connect(storeFiles(folder), 100);
  afterAll(async () => {
    db.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { store, db, attempt: (sql) => attempt(db, sql) };
}

const constraint = 19;

function attempt(db: DatabaseSync, sql: string): "done" | "refused" {
  db.exec("BEGIN IMMEDIATE");
  try {
    db.exec(sql);
    return "done";
  } catch (error) {
    expect(error).toMatchObject({ errcode: expect.toSatisfy((code: number) => (code & 0xff) === constraint) });
    return "refused";
  } finally {
    db.exec("ROLLBACK");
  }
}
