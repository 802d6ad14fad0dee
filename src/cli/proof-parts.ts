/** What the proofs of the ledger and of a batch are put together from: a question with its SQL, and the lines of its answer. */
import type { Reconciliation } from "../engine/ledger-reconcile.ts";
import type { Duplicate, LedgerQuestion } from "../ports/ledger.ts";
import type { App } from "./app.ts";
import { exactMoney, type Paint, plain } from "./print.ts";

/** Of an answer; the rest is in --json. */
export const mostRows = 20;

/** For people who ask it with another program. */
export function databaseOf({ folders }: Pick<App, "folders">): string {
  return `${folders.state}/midwatch.db`;
}

/** A question, with the SQL that asks it. */
export function head(paint: Paint, title: string, sql: string, indent = "    "): readonly string[] {
  return ["", paint("bold", title), ...sql.split("\n").map((line) => paint("dim", `${indent}${line}`))];
}

export function questionIn(questions: readonly LedgerQuestion[], name: LedgerQuestion["name"]): LedgerQuestion | null {
  return questions.find((one) => one.name === name) ?? null;
}

/** Null = there is no witness, or it tells sums. */
export function perCall(reconciliation: Reconciliation | null) {
  return reconciliation?.kind === "calls" ? reconciliation.result : null;
}

export function duplicateTexts(rows: readonly Duplicate[], nameOf: (key: string) => string = plain): readonly string[] {
  return rows.slice(0, mostRows).map(({ key, seq, charges }) => `${nameOf(key)}#${seq}: ${charges} times`);
}

/** A row of the question for unknown calls: which, why, and what it may have cost. */
export function unknownCells(
  [key, seq, tried, state, failure, least, most]: LedgerQuestion["rows"][number],
  nameOf: (key: string) => string = plain,
): readonly string[] {
  return [
    `${nameOf(String(key))}#${seq}.${tried}`,
    [state, failure].filter((word) => word !== null).join(", "),
    `${exactMoney(Number(least))} to ${most === null ? "no price" : exactMoney(Math.max(Number(most), Number(least)))}`,
  ];
}

/** What is not shown of so many rows. */
export function moreLines({ length }: readonly unknown[], indent: string): readonly string[] {
  return length > mostRows ? [`${indent}and ${length - mostRows} more; all with --json`] : [];
}
