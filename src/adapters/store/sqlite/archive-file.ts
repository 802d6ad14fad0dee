/** The file of an archived batch: a SQLite file with the same tables as the store, and in them the rows of one batch. Written beside its place, then put there whole. */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { MidwatchError } from "../../../core/error.ts";
import { faultPoint } from "../../../faults.ts";
import { type AnswerFiles, findBody } from "./answers.ts";
import { readPragma } from "./connection.ts";
import type { Row } from "./database.ts";
import { syncFolder, withPrivateFiles } from "./files.ts";
import { callsOf } from "./ledger-rows.ts";
import { knownVersion } from "./migrations.ts";
import { int } from "./rows.ts";

/** "MidA", in the header of the file. */
const archiveId = 0x4d696441;

/** In the order in which rows refer to each other. */
const tables = ["batch", "job", "job_payload", "attempt", "job_answer", "job_failure", "call", "tariff", "answer"] as const;
type Table = (typeof tables)[number];

/** What is chosen by the rows that were copied before. Jobs behind the last number are of a list that is not whole: they were never there. */
const wanted: Readonly<Record<Table, string>> = {
  batch: "number = :batch",
  job: "batch = :batch AND number <= (SELECT last_job FROM main.batch)",
  job_payload: "job IN (SELECT number FROM main.job)",
  attempt: "batch = :batch",
  job_answer: "job IN (SELECT number FROM main.job)",
  job_failure: "job IN (SELECT number FROM main.job)",
  call: `${callsOf(":name")} AND owner = 'job'`,
  tariff: "number IN (SELECT tariff FROM main.call)",
  answer: "call IN (SELECT number FROM main.call)",
};

export interface ArchivePlace {
  /** The state file. */
  readonly db: string;
  readonly folder: string;
  readonly answers: AnswerFiles;
}

/** Writes the file whole, or throws and leaves what was there. @returns its path */
export function writeArchive(place: ArchivePlace, batch: { readonly number: number; readonly name: string }): string {
  const path = join(place.folder, `${batch.name}.db`);
  const draft = `${path}.part`;
  withPrivateFiles(() => mkdirSync(place.folder, { recursive: true, mode: 0o700 }));
  for (const left of [draft, `${draft}-journal`]) rmSync(left, { force: true });
  try {
    withPrivateFiles(() => copyBatch(place, draft, batch));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  faultPoint("archive.written");
  renameSync(draft, path);
  syncFolder(place.folder);
  syncFolder(dirname(place.folder));
  faultPoint("archive.placed");
  return path;
}

/** One reading transaction: all rows are of the same moment. */
function copyBatch(
  { db, answers }: ArchivePlace,
  draft: string,
  { number, name }: { readonly number: number; readonly name: string },
): void {
  const out = new DatabaseSync(draft);
  try {
    out.exec(
      `PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA application_id = ${archiveId}; PRAGMA user_version = ${knownVersion}`,
    );
    out.prepare("ATTACH ? AS live").run(db);
    out.exec("BEGIN");
    for (const table of tables) copyTable(out, table, { batch: number, name }, answers);
    out.exec("COMMIT");
    if (readPragma(out, "main.quick_check") !== "ok")
      throw new MidwatchError("environment", "E_ARCHIVE_DAMAGED", `the archive ${draft} was damaged while it was written`, {
        hint: "the batch stays as it is; look at the disk and try again",
      });
  } finally {
    out.close();
  }
}

function copyTable(out: DatabaseSync, table: Table, batch: { readonly batch: number; readonly name: string }, answers: AnswerFiles): void {
  const made = out.prepare("SELECT sql FROM live.sqlite_schema WHERE type = 'table' AND name = ?").get(table);
  out.exec(String(made?.["sql"]));
  const condition = wanted[table];
  const used = Object.fromEntries(Object.entries(batch).filter(([key]) => condition.includes(`:${key}`)));
  if (table !== "answer" && table !== "job_answer") {
    out.prepare(`INSERT INTO main.${table} SELECT * FROM live.${table} WHERE ${condition}`).run(used);
    return;
  }
  for (const row of out.prepare(`SELECT * FROM live.${table} WHERE ${condition}`).iterate(used))
    insertRow(out, table, withBody(row, answers));
}

export type Values = Record<string, SQLInputValue>;

/** A large answer lies in a file of its own beside the store; in the archive it lies in its row. One whose file is gone is left out. */
function withBody(row: Row, answers: AnswerFiles): Values | null {
  const body = findBody(row, answers);
  return body === null ? null : { ...row, body, file: null };
}

function insertRow(out: DatabaseSync, table: Table, row: Values | null): void {
  if (row === null) return;
  const names = Object.keys(row);
  out.prepare(`INSERT INTO main.${table} (${names.join(", ")}) VALUES (${names.map((name) => `:${name}`).join(", ")})`).run(row);
}

/** Reads an archive. Throws MidwatchError when it is not there, or is none. */
export function readArchive<T>(path: string, batch: string, work: (archive: DatabaseSync) => T): T {
  if (!existsSync(path))
    throw new MidwatchError("environment", "E_ARCHIVE_GONE", `the archive of batch ${batch} is gone: ${path}`, {
      hint: "put the file back where it was; what the batch has paid is in the store and is not paid again",
    });
  const archive = new DatabaseSync(path, { readOnly: true });
  try {
    requireWhole(archive, path);
    requireOurs(archive, path, batch);
    return work(archive);
  } finally {
    archive.close();
  }
}

/** Found here, so that it is not taken for damage of the state file. */
function requireWhole(archive: DatabaseSync, path: string): void {
  let found: unknown;
  try {
    found = readPragma(archive, "quick_check");
  } catch (error) {
    found = error;
  }
  if (found === "ok") return;
  throw new MidwatchError("environment", "E_ARCHIVE_DAMAGED", `the archive ${path} is damaged; it was left as it is`, {
    hint: "put a copy of it back; what the batch has paid is in the store and is not paid again",
    cause: found,
  });
}

function requireOurs(archive: DatabaseSync, path: string, batch: string): void {
  const version = Number(readPragma(archive, "user_version"));
  const isOurs = Number(readPragma(archive, "application_id")) === archiveId;
  if (isOurs && version <= knownVersion && archive.prepare("SELECT 1 FROM batch WHERE name = ?").get(batch) !== undefined) return;
  const what = isOurs && version > knownVersion ? "belongs to a newer midwatch" : `is no archive of batch ${batch}`;
  throw new MidwatchError("environment", "E_ARCHIVE_UNREADABLE", `${path} ${what}`, { hint: "it was left as it is" });
}

export function removeArchive(path: string): void {
  rmSync(path, { force: true });
  syncFolder(dirname(path));
}

/** None of a table that an older program did not have. */
export function rowsOf(archive: DatabaseSync, table: Table): Iterable<Row> {
  if (archive.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) === undefined) return [];
  const order = {
    batch: "number",
    job: "number",
    job_payload: "job",
    attempt: "fence",
    job_answer: "job",
    job_failure: "job",
    tariff: "number",
    call: "number",
    answer: "call",
  };
  return archive.prepare(`SELECT * FROM ${table} ORDER BY ${order[table]}`).iterate();
}

/** First number of its jobs, as it was. */
export function firstJobIn(archive: DatabaseSync): { readonly first: number; readonly last: number; readonly jobs: number } {
  const row =
    archive.prepare("SELECT ifnull(min(number), 0) AS first, ifnull(max(number), 0) AS last, count(*) AS jobs FROM job").get() ?? {};
  return { first: int(row, "first"), last: int(row, "last"), jobs: int(row, "jobs") };
}
