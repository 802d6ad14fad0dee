/** The store of a night, read past the program: what its tables say, and whether SQLite finds them whole. */
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

export type Row = Readonly<Record<string, unknown>>;

export interface Ledger {
  readonly integrity: string;
  readonly runs: readonly Row[];
  readonly windows: readonly Row[];
  readonly tasks: readonly Row[];
  readonly moves: readonly Row[];
  readonly claims: readonly Row[];
  readonly questions: readonly Row[];
  readonly events: readonly Row[];
}

/** A store that was not made yet. */
export const nothing: Ledger = { integrity: "ok", runs: [], windows: [], tasks: [], moves: [], claims: [], questions: [], events: [] };

const tables = {
  runs: "run",
  windows: "window",
  tasks: "task",
  moves: "task_move",
  claims: "claim",
  questions: "question",
  events: "event",
} as const;

export function readLedger(path: string): Ledger {
  if (!existsSync(path)) return nothing;
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const read = (sql: string): readonly Row[] => db.prepare(sql).all();
    if (read("SELECT 1 FROM sqlite_schema LIMIT 1").length === 0) return nothing;
    const rows = Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, read(`SELECT * FROM "${table}" ORDER BY rowid`)]));
    return { ...nothing, ...rows, integrity: String(Object.values(read("PRAGMA integrity_check")[0] ?? {})[0]) };
  } finally {
    db.close();
  }
}

/** What came since; tasks as they stand, events all of them. */
export function since(ledger: Ledger, earlier: Ledger): Ledger {
  const late = (["runs", "windows", "moves", "claims", "questions"] as const).map((name) => [
    name,
    ledger[name].slice(earlier[name].length),
  ]);
  return { ...ledger, ...Object.fromEntries(late) };
}
