/** Evaluation sets in a small SQLite file beside the evaluations' store. Its path is a name that no store uses; what is in it is worth no money, so it has no witness. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { questionText } from "../../core/eval/question.ts";
import type { Score } from "../../core/eval/score.ts";
import type { EvaluationRecord, EvaluationSets } from "../../ports/evaluation-sets.ts";
import { translate } from "./fault.ts";

const busyMs = 5000;
const mostKnown = 100;

const tables = `
  CREATE TABLE IF NOT EXISTS evaluation (
    name TEXT NOT NULL, version TEXT NOT NULL, scorer TEXT NOT NULL, added_at INTEGER NOT NULL,
    PRIMARY KEY (name, version)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS reference (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL, version TEXT NOT NULL, job TEXT NOT NULL,
    question TEXT NOT NULL, expected TEXT NOT NULL,
    mark TEXT, score REAL CHECK (score BETWEEN 0 AND 1), why TEXT NOT NULL DEFAULT '',
    UNIQUE (name, version, job)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS reference_question ON reference (question);`;

/** @param folder  of the evaluations; null = there is none, and `mode` makes none */
export function openEvaluationSets(folder: string, mode: "read" | "write"): EvaluationSets | null {
  const path = join(folder, "sets.db");
  if (mode === "read" && !existsSync(path)) return null;
  return guarded(path, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const db = new DatabaseSync(path);
    try {
      db.exec(`PRAGMA busy_timeout = ${busyMs}; PRAGMA synchronous = FULL; ${tables}`);
      return createSets(db, path);
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

function createSets(db: DatabaseSync, path: string): EvaluationSets {
  const list = (where: string, ...values: string[]) =>
    guarded(path, () =>
      db
        .prepare(`SELECT * FROM evaluation ${where} ORDER BY added_at DESC, version`)
        .all(...values)
        .map(recordOf),
    );
  return {
    put: (evaluation, references) => guarded(path, () => atOnce(db, () => put(db, evaluation, references))),
    versions: (name) => list("WHERE name = ?", name),
    all: () => list(""),
    references: ({ name, version }, scorerMark) =>
      guarded(path, () =>
        db
          .prepare("SELECT * FROM reference WHERE name = ? AND version = ? ORDER BY number")
          .all(name, version)
          .map((row) => ({
            job: String(row["job"]),
            question: `${row["question"]} ${row["expected"]}`,
            expected: JSON.parse(String(row["expected"])) as unknown,
            score: row["mark"] === scorerMark ? scoreOf(row) : null,
          })),
      ),
    setScores({ name, version }, scorerMark, scores) {
      guarded(path, () =>
        atOnce(db, () => {
          const set = db.prepare("UPDATE reference SET mark = ?, score = ?, why = ? WHERE name = ? AND version = ? AND job = ?");
          for (const { job, score } of scores)
            set.run(scorerMark, score.kind === "scored" ? score.score : null, score.why, name, version, job);
        }),
      );
    },
    known: (jobs) => guarded(path, () => findKnown(db, jobs)),
    close: () => db.close(),
  };
}

function put(
  db: DatabaseSync,
  { name, version, scorer, addedAt }: EvaluationRecord,
  references: Parameters<EvaluationSets["put"]>[1],
): number {
  db.prepare(
    "INSERT INTO evaluation VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET scorer = excluded.scorer, added_at = excluded.added_at",
  ).run(name, version, scorer, addedAt);
  const find = db.prepare("SELECT expected FROM reference WHERE name = ? AND version = ? AND job = ?");
  const change = db.prepare("UPDATE reference SET expected = ?, mark = NULL WHERE name = ? AND version = ? AND job = ?");
  const add = db.prepare("INSERT INTO reference (name, version, job, question, expected) VALUES (?, ?, ?, ?, ?)");
  let changed = 0;
  for (const { id, payload, expected } of references) {
    const text = JSON.stringify(expected);
    const found = find.get(name, version, id);
    if (found === undefined) add.run(name, version, id, hashOf(payload), text);
    else if (found["expected"] !== text) {
      change.run(text, name, version, id);
      changed += 1;
    }
  }
  return changed;
}

function findKnown(db: DatabaseSync, jobs: Parameters<EvaluationSets["known"]>[0]) {
  const find = db.prepare("SELECT name FROM reference WHERE question = ? LIMIT 1");
  const known: { id: string; evaluation: string }[] = [];
  for (const { id, payload } of jobs) {
    const found = find.get(hashOf(payload));
    if (found !== undefined) known.push({ id, evaluation: String(found["name"]) });
    if (known.length === mostKnown) break;
  }
  return known;
}

const hashOf = (payload: string): string => createHash("sha256").update(questionText(payload)).digest("hex");

function scoreOf({ score, why }: Readonly<Record<string, unknown>>): Score {
  return typeof score === "number" ? { kind: "scored", score, why: String(why) } : { kind: "unscored", why: String(why) };
}

function recordOf(row: Readonly<Record<string, unknown>>): EvaluationRecord {
  return {
    name: String(row["name"]),
    version: String(row["version"]),
    scorer: String(row["scorer"]),
    addedAt: Number(row["added_at"]),
  };
}

function atOnce<T>(db: DatabaseSync, work: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    db.exec("ROLLBACK");
    throw error;
  }
}

function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translate(error, path);
  }
}
