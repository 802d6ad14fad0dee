/** The least that SQLite itself can do here with the store's settings: one row of the size of a call, in one table without any index. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export function createFloor(folder) {
  const db = new DatabaseSync(join(folder, "floor.db"));
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE row (number INTEGER PRIMARY KEY, body TEXT)");
  const [begin, insert, commit] = ["BEGIN IMMEDIATE", "INSERT INTO row (body) VALUES (?)", "COMMIT"].map((sql) => db.prepare(sql));
  const body = "x".repeat(700);
  const run = () => {
    begin.run();
    insert.run(body);
    commit.run();
  };
  return { run, close: () => db.close() };
}
