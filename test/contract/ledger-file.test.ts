/** The ledger on disk: a state file of the version before it, answers beside it, calls that were lost, and what the retention takes. */
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { knownVersion, migrations } from "../../src/adapters/store/sqlite/migrations.ts";
import { windowId } from "../../src/core/ids.ts";
import { answer, asked, batch, begin, closing, intent, newFolder, openFile, owner, run, sumOf } from "./ledger-kit.ts";
import { night, readNight } from "./store-night.ts";
import { newWindow, closing as windowClosing } from "./store-samples.ts";

const large = (byte: number) => answer(Buffer.alloc(100_000, byte));
const namesIn = (folder: string) => readdirSync(join(folder, "answers")).sort();
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("a state file of the version before the ledger opens with all that it had, and takes calls", async () => {
  const folder = newFolder();
  const before = await openFile(folder);
  for (const step of night.slice(0, 12)) await step(before);
  const told = await readNight(before);
  await before.close();
  asFirstVersion(join(folder, "midwatch.db"));
  const store = await openFile(folder);
  expect(await readNight(store)).toBe(told);
  expect(await store.ledger.calls({ limit: 9 })).toEqual([]);
  await store.openWindow(newWindow("window-2"), 4000);
  const second = { ...owner, window: windowId("window-2") };
  expect(await store.ledger.open([intent("c1", { owner: second })])).toMatchObject([{ kind: "opened" }]);
});

/** The same rows in the tables of the first version, as a program of that version would have left the file. */
function asFirstVersion(path: string): void {
  const old = `${path}.old`;
  const db = new DatabaseSync(old);
  db.exec(migrations[0]?.sql ?? "");
  db.exec("PRAGMA foreign_keys = OFF; DELETE FROM counter; DELETE FROM retention");
  db.prepare("ATTACH ? AS now").run(path);
  for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all()) {
    const columns = db
      .prepare("SELECT name FROM pragma_table_info(?) WHERE name IN (SELECT name FROM pragma_table_info(?, 'now'))")
      .all(String(name), String(name))
      .map((column) => column["name"]);
    const values = columns.map((column) =>
      name === "task" && column === "state" ? "replace(state, 'waiting-person', 'blocked')" : column,
    );
    // Moves that it did not know are left out.
    db.exec(`INSERT OR IGNORE INTO main."${name}" (${columns}) SELECT ${values} FROM now."${name}"`);
  }
  const owner = Number(Object.values(db.prepare("PRAGMA now.application_id").get() ?? {})[0]);
  db.exec(`PRAGMA application_id = ${owner}; PRAGMA user_version = 1`);
  db.close();
  for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
  renameSync(old, path);
}

test("large answers lie in files for this user alone, small ones in the state file", async () => {
  const folder = newFolder();
  const { ledger } = await begin(() => openFile(folder));
  await ledger.open([asked("c1", 1), asked("c2", 2)]);
  await ledger.close([closing("c1", { answer: answer("small") })]);
  expect(existsSync(join(folder, "answers"))).toBe(false);
  await ledger.close([closing("c2", { answer: large(2) })]);
  expect(mode(join(folder, "answers"))).toBe("700");
  expect(namesIn(folder).map((name) => mode(join(folder, "answers", name)))).toEqual(["600"]);
});

test("a file that no row names is removed at the next opening, one that a row names is not", async () => {
  const folder = newFolder();
  const { store, ledger } = await begin(() => openFile(folder));
  await ledger.open([asked("c1", 1)]);
  await ledger.close([closing("c1", { answer: large(1) })]);
  const kept = namesIn(folder);
  writeFileSync(join(folder, "answers", "stray"), "left by a process that died");
  await store.close();
  const again = await openFile(folder);
  expect(namesIn(folder)).toEqual(kept);
  writeFileSync(join(folder, "answers", "stray"), "another");
  await again.prune(0);
  expect(namesIn(folder)).toEqual(kept);
  expect(await again.ledger.answer("c1")).toEqual({ ...large(1), body: Buffer.from(large(1).body) });
});

test.each<[string, (path: string) => void]>([
  ["gone", (path) => rmSync(path)],
  ["cut", (path) => truncateSync(path, 10)],
])("an answer whose file is %s is not served: the call is made again and told of", async (_what, damage) => {
  const folder = newFolder();
  const { ledger } = await begin(() => openFile(folder));
  await ledger.open([asked("c1", 1)]);
  await ledger.close([closing("c1", { answer: large(1) })]);
  for (const name of namesIn(folder)) damage(join(folder, "answers", name));
  expect(await ledger.answer("c1")).toBeNull();
  expect(await ledger.open([asked("c2", 1)])).toMatchObject([{ kind: "opened", key: { try: 2 } }]);
  await ledger.close([closing("c2", { answer: large(2) })]);
  expect((await ledger.duplicates({ batch })).rows).toMatchObject([{ charges: 2 }]);
});

test("a folder of answers that cannot be written fails the booking by name, and the call stays open", async () => {
  const folder = newFolder();
  const { ledger } = await begin(() => openFile(folder));
  writeFileSync(join(folder, "answers"), "a file in its place");
  await ledger.open([asked("c1", 1)]);
  await expect(ledger.close([closing("c1", { answer: large(1) })])).rejects.toMatchObject({ code: "E_STORE_UNREADABLE" });
  expect(await ledger.calls({ limit: 9 })).toMatchObject([{ state: "open" }]);
  rmSync(join(folder, "answers"));
  mkdirSync(join(folder, "answers"));
  expect(await ledger.close([closing("c1", { answer: large(1) })])).toMatchObject([{ kind: "closed" }]);
});

test("an older copy is noticed by a call that it lacks, though it has every event", async () => {
  const folder = newFolder();
  const { store, ledger } = await begin(() => openFile(folder));
  await store.close();
  cpSync(folder, `${folder}-copy`, { recursive: true });
  const second = await openFile(folder);
  await second.ledger.open([intent("c1")]);
  await second.close();
  cpSync(join(folder, "midwatch.db.witness"), join(`${folder}-copy`, "midwatch.db.witness"));
  await expect(openFile(`${folder}-copy`)).rejects.toMatchObject({
    code: "E_STORE_CORRUPT",
    message: expect.stringContaining("call 0, and there were 1"),
  });
  expect(ledger).toBeDefined();
});

test("the retention removes old calls of ended runs; sums, the newest call and calls of jobs stay", async () => {
  const folder = newFolder();
  const { store, ledger } = await begin(() => openFile(folder));
  await ledger.open([intent("c1"), intent("c2"), asked("j1", 1)]);
  await ledger.close([closing("c1"), closing("c2"), closing("j1", { answer: large(1) })]);
  expect(await store.prune(9_999_999)).toBe(0);
  await store.endWindow(windowClosing(), 4000);
  await store.endRun(run, { reason: "stopped", detail: "" }, 4001);
  expect(await store.prune(9_999_999)).toBeGreaterThan(2);
  expect((await ledger.calls({ limit: 9 })).map(({ id }) => id)).toEqual(["j1"]);
  expect(await sumOf(ledger)).toEqual([32_800, 0, 2, 0]);
  expect(await ledger.open([asked("j2", 1)])).toMatchObject([{ kind: "replay", id: "j1" }]);
  expect(await ledger.close([closing("c1")])).toEqual([{ kind: "absent", spends: [] }]);
});

test("a store that was opened again closes what an earlier one opened", async () => {
  const folder = newFolder();
  const { store, ledger } = await begin(() => openFile(folder));
  await ledger.open([intent("c1"), intent("c2")]);
  await store.close();
  const again = await openFile(folder);
  await again.startWindow(newWindow().id, { pid: 1, startTicks: 2, bootId: "b" }, 3100);
  expect(await again.ledger.close([closing("c2"), closing("c1")])).toMatchObject([{ kind: "closed" }, { kind: "closed" }]);
  expect((await again.ledger.calls({ limit: 9 })).map(({ owner: whose }) => whose)).toEqual([owner, owner]);
});

test("the ledger is part of the version that this program writes", () => {
  expect(knownVersion).toBeGreaterThanOrEqual(2);
});
