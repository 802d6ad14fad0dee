/**
 * Recorded answers of calls, and answers of jobs. A small body lies in its row; a large one in a file of the folder `answers` beside the state file, written and synced inside the
 * transaction that names it, before its commit. So whoever holds the write lock knows that a file without a row belongs to nobody.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RecordedAnswer } from "../../../core/money/call.ts";
import { faultPoint } from "../../../faults.ts";
import type { Database, Row } from "./database.ts";
import { DamagedRow } from "./errors.ts";
import { syncFolder } from "./files.ts";
import { int, json, maybeText, text } from "./rows.ts";

/** A body up to this size costs less in its row than a file and the syncs of it and its folder. */
const smallBytes = 64 * 1024;

const add = "INSERT INTO answer (call, status, headers, bytes, body, file) VALUES (:call, :status, :headers, :bytes, :body, :file)";
const find = "SELECT * FROM answer WHERE call = :call";
const named = "SELECT file FROM answer WHERE file IS NOT NULL UNION ALL SELECT file FROM job_answer WHERE file IS NOT NULL";

export interface AnswerFiles {
  /** Null = there is no folder: a store in memory. */
  readonly folder: string | null;
}

/** To be called inside a write. */
export function putAnswer(db: Database, files: AnswerFiles, call: number, { status, headers, body }: RecordedAnswer): void {
  db.run(add, { call, status, headers: JSON.stringify(headers), bytes: body.byteLength, ...placeBody(files, body) });
}

/** Where a body goes: into its row, or into a file, which is written here. To be called inside the write that names it. */
export function placeBody({ folder }: AnswerFiles, body: Uint8Array): { readonly body: Uint8Array | null; readonly file: string | null } {
  if (folder === null || body.byteLength <= smallBytes) return { body: pack(body), file: null };
  return { body: null, file: writeBody(folder, body) };
}

/** Null where there is none, or where its file is gone or cut: then it cannot be served. */
export function findAnswer(db: Database, files: AnswerFiles, call: number): RecordedAnswer | null {
  const row = db.get(find, { call });
  if (row === undefined) return null;
  const body = findBody(row, files);
  return body === null ? null : { status: int(row, "status"), headers: json(row, "headers"), body };
}

/** Loaded when it is first needed: it takes longer than opening the store. */
const zlib = () => process.getBuiltinModule("node:zlib");

/** Texts of a provider lose two thirds of their bytes; what does not become smaller stays as it is. */
function pack(body: Uint8Array): Uint8Array {
  const packed = zlib().deflateRawSync(body, { level: 1 });
  return packed.byteLength < body.byteLength ? packed : body;
}

/** A body in a row that is shorter than its answer is packed. */
function unpack(body: Uint8Array, bytes: number): Uint8Array | null {
  if (body.byteLength >= bytes) return body;
  try {
    return zlib().inflateRawSync(body, { maxOutputLength: bytes });
  } catch {
    return null; // cut, like a file that is: it cannot be served
  }
}

/** By the columns body, file and bytes of a row; null where its file is gone or cut. */
export function findBody(row: Row, { folder }: AnswerFiles): Uint8Array | null {
  const file = maybeText(row, "file");
  const kept = file === null ? row["body"] : readBody(folder, file);
  if (kept !== null && !(kept instanceof Uint8Array)) throw new DamagedRow("a row has no proper value in its column body");
  const body = kept !== null && file === null ? unpack(kept, int(row, "bytes")) : kept;
  return body?.byteLength === int(row, "bytes") ? body : null;
}

function readBody(folder: string | null, file: string): Uint8Array | null {
  if (folder === null) return null;
  try {
    return readFileSync(join(folder, file));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

function writeBody(folder: string, body: Uint8Array): string {
  // The global one: importing node:crypto takes longer than opening the store.
  const name = crypto.randomUUID();
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) syncFolder(dirname(folder));
  const descriptor = openSync(join(folder, name), "wx", 0o600);
  try {
    for (let done = 0; done < body.byteLength; ) done += writeSync(descriptor, body, done);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  syncFolder(folder);
  faultPoint("answer.written");
  return name;
}

/** Takes away what a process left that died before its commit. Number of files removed. */
export function sweepAnswers(db: Database, { folder }: AnswerFiles): number {
  if (folder === null || strayFiles(db, folder).length === 0) return 0;
  // Once more under the write lock: what was seen may have been another process's, just about to be named.
  return db.write("sweepAnswers", "last-word", () => {
    const strays = strayFiles(db, folder);
    for (const name of strays) rmSync(join(folder, name), { force: true });
    return strays.length;
  });
}

function strayFiles(db: Database, folder: string): readonly string[] {
  const names = namesIn(folder);
  if (names.length === 0) return [];
  const known = new Set(db.all(named).map((row) => text(row, "file")));
  return names.filter((name) => !known.has(name));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
