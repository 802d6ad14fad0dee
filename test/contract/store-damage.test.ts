/** A damaged store (F09, B089, B092): it opens with every row, or it says what is wrong and leaves every byte. It never passes for a fresh one. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { checkStore } from "../../src/adapters/store/sqlite/check.ts";
import { knownVersion } from "../../src/adapters/store/sqlite/migrations.ts";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { MidwatchError } from "../../src/core/error.ts";
import { runId } from "../../src/core/ids.ts";
import type { Store } from "../../src/ports/store.ts";
import { night, readNight } from "./store-night.ts";
import { change, newRun, planned } from "./store-samples.ts";

const root = mkdtempSync(join(tmpdir(), "midwatch-store-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const pageBytes = 4096;
/** Long enough for pages that hold nothing but the middle of one text. */
const longText = "- [ ] T1 do this, then do that\n".repeat(1000);

/** A folder after a closed night, and one as a killed process leaves it: with rows that are in the -wal file alone. */
async function makeFolders(): Promise<{ readonly closed: string; readonly killed: string; readonly told: string }> {
  const [closed, killed] = [join(root, "closed"), join(root, "killed")];
  const store = await openStore({ folder: closed });
  for (const step of night.slice(0, 14)) await step(store);
  const board = [planned("T1"), planned("T2", { objective: longText.slice(0, 20_000) })];
  await store.boards.put(newRun().repository, board, { by: "person", changes: [change("T2", "block", { reason: "later" })] }, 3600);
  await store.close();
  const second = await openStore({ folder: closed });
  const events = Array.from({ length: 200 }, (_, n) => ({ kind: "agent.acted", data: { n, text: `line ${n}` } }));
  await second.appendEvents(runId("run-1"), events, 3600);
  await second.setPlanText(runId("run-1"), longText, 3601);
  cpSync(closed, killed, { recursive: true });
  const told = await readAll(second);
  await second.close();
  return { closed, killed, told };
}

/** Of a run, and of a board without one. */
async function readAll(store: Store): Promise<string> {
  const { boards } = store;
  const board = await boards.ofRepository(newRun().repository);
  const own = board === null ? [] : [await boards.tasks(board.id), await boards.history(board.id)];
  return (await readNight(store)) + JSON.stringify(own);
}

const { closed, killed, told } = await makeFolders();

function damagedCopy(of: string, damage: (db: string, folder: string) => void): string {
  const folder = join(mkdtempSync(join(root, "d-")), "state");
  cpSync(of, folder, { recursive: true });
  damage(join(folder, "midwatch.db"), folder);
  return folder;
}

/** "all", "less", or the code of the error, which must name the file and a next step. */
async function read(folder: string): Promise<string> {
  try {
    const store = await openStore({ folder });
    try {
      return (await readAll(store)) === told ? "all" : "less";
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof MidwatchError)) throw error;
    expect(error).toMatchObject({
      kind: "environment",
      message: expect.stringContaining(join(folder, "midwatch.db")),
      hint: expect.stringMatching(/./),
    });
    return error.code;
  }
}

/** What lies in a folder, as one line a file. The -shm file and an empty -wal file hold no state. */
function bytesOf(folder: string): readonly string[] {
  const names = readdirSync(folder).filter(
    (name) => !name.endsWith("-shm") && !(name.endsWith("-wal") && statSync(join(folder, name)).size === 0),
  );
  return names.map(
    (name) =>
      `${name} ${
        lstatSync(join(folder, name)).isFile()
          ? createHash("sha256")
              .update(readFileSync(join(folder, name)))
              .digest("hex")
          : "other"
      }`,
  );
}

function write(path: string, at: number, bytes: Buffer): void {
  const all = readFileSync(path);
  bytes.copy(all, at);
  writeFileSync(path, all);
}

const noise = (length: number) => Buffer.from(Array.from({ length }, (_, n) => (n * 167 + 89) % 251));
const half = (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2));
const prepend = (path: string, bytes: Buffer) => writeFileSync(path, Buffer.concat([bytes, readFileSync(path)]));
const append = (path: string, bytes: Buffer) => writeFileSync(path, bytes, { flag: "a" });
const sql = (path: string, text: string) => {
  const db = new DatabaseSync(path);
  db.exec(text);
  db.close();
};

type Damage = (db: string, folder: string) => void;

const fates: [string, string, Damage][] = [
  ["an untouched store", "all", () => undefined],
  ["an emptied file", "E_STORE_CORRUPT", (db) => truncateSync(db, 0)],
  ["a file that is gone", "E_STORE_CORRUPT", (db) => rmSync(db)],
  ["a file cut to half", "E_STORE_CORRUPT", half],
  ["a file cut to 100 bytes", "E_STORE_CORRUPT", (db) => truncateSync(db, 100)],
  ["a file cut to 1 byte", "E_STORE_CORRUPT", (db) => truncateSync(db, 1)],
  ["a file without its last page", "E_STORE_CORRUPT", (db) => truncateSync(db, statSync(db).size - pageBytes)],
  ["a file of zeros", "E_STORE_CORRUPT", (db) => writeFileSync(db, Buffer.alloc(statSync(db).size))],
  ["a file of noise", "E_STORE_CORRUPT", (db) => writeFileSync(db, noise(statSync(db).size))],
  ["a byte order mark in front", "E_STORE_CORRUPT", (db) => prepend(db, Buffer.from("\ufeff"))],
  ["a text in its place", "E_STORE_CORRUPT", (db) => writeFileSync(db, "{}\n")],
  ["noise after the last page", "all", (db) => append(db, noise(5000))],
  ["a second copy after the first", "all", (db) => append(db, readFileSync(db))],
  ["the tables of a newer version", "E_STORE_NEWER", (db) => sql(db, "PRAGMA user_version = 99")],
  ["tables of no version", "E_STORE_CORRUPT", (db) => sql(db, "PRAGMA user_version = 0")],
  [
    "another program's tables",
    "E_STORE_CORRUPT",
    (db) => {
      rmSync(db);
      sql(db, "CREATE TABLE t (a); PRAGMA user_version = 1");
    },
  ],
  [
    "a new SQLite file without tables",
    "E_STORE_CORRUPT",
    (db) => {
      rmSync(db);
      sql(db, "VACUUM");
    },
  ],
  [
    "a folder in its place",
    "E_STORE_UNREADABLE",
    (db) => {
      rmSync(db);
      mkdirSync(db);
    },
  ],
  [
    "a pipe in its place",
    "E_STORE_UNREADABLE",
    (db) => {
      rmSync(db);
      execFileSync("mkfifo", [db]);
    },
  ],
  [
    "a link that leads nowhere in its place",
    "E_STORE_CORRUPT",
    (db) => {
      rmSync(db);
      symlinkSync("nowhere", db);
    },
  ],
  [
    "a link to the true file",
    "all",
    (db) => {
      renameSync(db, `${db}.true`);
      symlinkSync("midwatch.db.true", db);
    },
  ],
  [
    "a file in the folder's place",
    "E_STORE_UNREADABLE",
    (_db, folder) => {
      rmSync(folder, { recursive: true });
      writeFileSync(folder, "x");
    },
  ],
  ["a witness that is gone", "all", (db) => rmSync(`${db}.witness`)],
  ["an emptied witness", "all", (db) => truncateSync(`${db}.witness`, 0)],
  ["a witness of noise", "all", (db) => writeFileSync(`${db}.witness`, noise(300))],
  ["a reserve that is gone", "all", (_db, folder) => rmSync(join(folder, "reserve"))],
];

test.each(fates)("%s gives: %s", async (_title, fate, damage) => {
  const folder = damagedCopy(closed, damage);
  const before = lstatSync(folder).isDirectory() ? bytesOf(folder) : [];
  expect(await read(folder)).toBe(fate);
  if (fate !== "all" && before.length > 0) expect(bytesOf(folder)).toEqual(before);
});

const walFates: [string, string, Damage][] = [
  ["a killed process's files as they are", "all", () => undefined],
  ["a -wal file that is gone", "E_STORE_CORRUPT", (db) => rmSync(`${db}-wal`)],
  ["an emptied -wal file", "E_STORE_CORRUPT", (db) => truncateSync(`${db}-wal`, 0)],
  ["a -wal file cut to half", "E_STORE_CORRUPT", (db) => half(`${db}-wal`)],
  ["a -wal file of noise", "E_STORE_CORRUPT", (db) => writeFileSync(`${db}-wal`, noise(statSync(`${db}-wal`).size))],
  ["noise after the -wal file", "all", (db) => append(`${db}-wal`, noise(5000))],
  [
    "a folder in the -wal file's place",
    "E_STORE_UNREADABLE",
    (db) => {
      rmSync(`${db}-wal`);
      mkdirSync(`${db}-wal`);
    },
  ],
  ["a -shm file that is gone", "all", (db) => rmSync(`${db}-shm`)],
  ["a -shm file of noise", "all", (db) => writeFileSync(`${db}-shm`, noise(32768))],
  ["an emptied file beside its -wal file", "E_STORE_CORRUPT", (db) => truncateSync(db, 0)],
  [
    "a file that is gone beside its -wal file, with no witness",
    "E_STORE_CORRUPT",
    (db) => {
      rmSync(db);
      rmSync(`${db}.witness`);
    },
  ],
  [
    "an emptied file beside its -wal file, with no witness",
    "E_STORE_CORRUPT",
    (db) => {
      truncateSync(db, 0);
      rmSync(`${db}.witness`);
    },
  ],
  ["a file of noise beside its -wal file", "E_STORE_CORRUPT", (db) => writeFileSync(db, noise(statSync(db).size))],
];

test.each(walFates)("after a kill, %s gives: %s", async (_title, fate, damage) => {
  const folder = damagedCopy(killed, damage);
  const before = bytesOf(folder);
  expect(await read(folder)).toBe(fate);
  if (fate !== "all") expect(bytesOf(folder)).toEqual(before);
});

test.each([
  ["noise", noise(pageBytes)],
  ["zeros", Buffer.alloc(pageBytes)],
] as const)("a page of %s, wherever it is, never costs a row without a word", async (_what, page) => {
  const pages = statSync(join(closed, "midwatch.db")).size / pageBytes;
  expect(pages).toBeGreaterThan(30);
  const found = new Set<string>();
  for (let n = 0; n < pages; n += 1) {
    const folder = damagedCopy(closed, (db) => write(db, n * pageBytes, page));
    found.add(await read(folder));
    // A page of an index that nothing has read is found by the thorough look.
    if (n > 0) expect(checkStore(folder)).toMatchObject({ kind: expect.stringMatching(/faulty|sound/) });
    rmSync(folder, { recursive: true });
  }
  expect([...found].sort()).toEqual(["E_STORE_CORRUPT", "all"]);
});

test("a lost night is accepted by taking the witness away, as the hint says", async () => {
  const folder = damagedCopy(killed, (db) => rmSync(`${db}-wal`));
  await expect(openStore({ folder })).rejects.toMatchObject({ hint: expect.stringContaining(`rm ${join(folder, "midwatch.db.witness")}`) });
  rmSync(join(folder, "midwatch.db.witness"));
  expect(await read(folder)).toBe("less");
});

test("the thorough look tells absent, sound and faulty apart, and makes nothing", async () => {
  const nowhere = join(root, "nowhere");
  expect(checkStore(nowhere)).toEqual({ kind: "absent", file: join(nowhere, "midwatch.db") });
  expect(() => statSync(nowhere)).toThrow();
  expect(checkStore(damagedCopy(closed, () => undefined))).toMatchObject({ kind: "sound", version: knownVersion });
  expect(checkStore(damagedCopy(closed, (db) => truncateSync(db, 0)))).toMatchObject({
    kind: "faulty",
    error: { code: "E_STORE_CORRUPT" },
  });
  const orphan = damagedCopy(closed, (db) =>
    sql(db, "PRAGMA foreign_keys = OFF; DELETE FROM evidence; DELETE FROM claim; DELETE FROM run"),
  );
  expect(checkStore(orphan)).toMatchObject({
    kind: "faulty",
    error: { code: "E_STORE_CORRUPT", message: expect.stringContaining("of run that is gone") },
  });
});
