/**
 * A list that was checked, kept aside until it is imported, so that it is read once: in a temporary file of SQLite's, which nobody else can open and which is gone with
 * this process. It tells twins apart at any length, in bounded memory.
 */
import { DatabaseSync } from "node:sqlite";
import { MidwatchError } from "../../core/error.ts";
import type { JobList } from "../../ports/job-list.ts";
import type { Draft } from "./draft.ts";
import { quoted, refuse } from "./refusal.ts";

const cacheKiB = 32 * 1024;
const uniqueViolated = 2067;

export async function keepList(drafts: Iterable<Draft> | AsyncIterable<Draft>): Promise<JobList> {
  const db = new DatabaseSync("");
  try {
    db.exec(`PRAGMA cache_size = -${cacheKiB}; PRAGMA synchronous = OFF`);
    db.exec("CREATE TABLE job (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, line INTEGER, payload TEXT NOT NULL) STRICT; BEGIN");
    const jobs = await putAll(db, drafts);
    db.exec("COMMIT");
    return { jobs, all: () => readAll(db), close: () => db.close() };
  } catch (error) {
    db.close();
    throw translate(error);
  }
}

async function putAll(db: DatabaseSync, drafts: Iterable<Draft> | AsyncIterable<Draft>): Promise<number> {
  const put = db.prepare("INSERT INTO job (id, line, payload) VALUES (?, ?, ?)");
  const find = db.prepare("SELECT line FROM job WHERE id = ?");
  let jobs = 0;
  for await (const { place, id, payload } of drafts) {
    try {
      put.run(id, place.line, payload);
    } catch (error) {
      if (codeOf(error) !== uniqueViolated) throw error;
      throw refuse(place, `the id ${quoted(id)} is in line ${find.get(id)?.["line"]} already`);
    }
    jobs += 1;
  }
  return jobs;
}

function* readAll(db: DatabaseSync) {
  for (const { id, payload } of db.prepare("SELECT id, payload FROM job ORDER BY number").iterate())
    yield { id: String(id), payload: String(payload) };
}

function codeOf(error: unknown): number | null {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : null;
}

function translate(error: unknown): unknown {
  if (codeOf(error) === null) return error;
  return new MidwatchError("environment", "E_JOB_LIST_KEPT", "the list cannot be kept aside while it is checked", {
    hint: "make room in the folder for temporary files, or name another one in TMPDIR",
    cause: error,
  });
}
