/** The store without a file, for tests and dry runs: the same statements over SQLite in memory. Nothing outlives `close`. */
import { DatabaseSync } from "node:sqlite";
import type { Store } from "../../../ports/store.ts";
import { migrate } from "../sqlite/connection.ts";
import { Database } from "../sqlite/database.ts";
import { translateError } from "../sqlite/errors.ts";
import { storeFiles } from "../sqlite/files.ts";
import { joinStore } from "../sqlite/store.ts";

export function openMemoryStore(): Store {
  const connection = new DatabaseSync(":memory:");
  migrate(connection, 0);
  const nothing = () => undefined;
  const translate = (error: unknown) => translateError(error, storeFiles("(memory)"));
  const surroundings = {
    beforeWrite: nothing,
    inTransaction: nothing,
    afterWrite: nothing,
    freeReserve: () => false,
    translate,
    close: nothing,
  };
  return joinStore(new Database(connection, surroundings, 0), { folder: null });
}
