/** `midwatch ledger prove`: the questions that are asked of the books, and what they answer, for somebody who has never seen SQL. */
import { findAsked } from "../engine/ledger-calls.ts";
import { type LedgerProof, proveLedger } from "../engine/ledger-prove.ts";
import { type Reconciliation, reconcile } from "../engine/ledger-reconcile.ts";
import type { LedgerQuestion } from "../ports/ledger.ts";
import type { App } from "./app.ts";
import { columns, wrap } from "./layout.ts";
import { exactMoney, withLedger } from "./ledger.ts";
import { type LedgerFlags, questionOf } from "./ledger-question.ts";
import { formatOf, printReconciliation } from "./ledger-reconcile.ts";
import { count, json, type Paint, painter, plain } from "./print.ts";

export async function ledgerProveCommand(
  app: App,
  flags: LedgerFlags & { readonly witness?: string; readonly format?: string },
): Promise<number> {
  const { witness } = flags;
  const format = formatOf(flags.format);
  return withLedger(app, async (store) => {
    const asked = await findAsked(store, questionOf(flags, app.clock.now()), app.treeTop);
    const proof = await proveLedger(store.ledger, asked);
    const parts = { ledger: store.ledger, logs: app.chargeLogs };
    const reconciliation = witness === undefined ? null : await reconcile(parts, asked, { path: witness, format });
    if (flags.json) app.terminal.out(json({ ...proof, witness: reconciliation }));
    else printProof(app, proof, reconciliation);
    return proof.holds && reconciliation?.agrees !== false ? 0 : 10;
  });
}

function printProof(app: App, proof: LedgerProof, reconciliation: Reconciliation | null): void {
  const paint = painter(app.terminal);
  const ofName = (name: LedgerQuestion["name"]) => proof.questions.filter((question) => question.name === name);
  const parts = [
    [
      "Four questions to our books. Indented is each as it was put to the database, in SQL, which any other program can ask again; below it is the answer.",
      "",
    ],
    duplicatePart(proof, paint),
    ...ofName("totals").map((question) => part(paint, "What the calls cost, by how they ended", question, totalRow, [])),
    ...ofName("unknown").map((question) =>
      part(paint, "Calls that may have been charged without our knowing how much", question, unknownRow, [unknownAnswer(question)]),
    ),
    ...ofName("sums").map((question) =>
      part(paint, "The sums that caps go by, beside the same sums counted afresh", question, sumRow, [sumAnswer(proof)]),
    ),
  ];
  app.terminal.out(
    `${parts
      .flat()
      .map((line) => wrap(line, app.terminal.columns.out, 6))
      .join("\n")}\n`,
  );
  if (reconciliation !== null) printReconciliation(app, reconciliation);
  else
    app.terminal.out(
      "\nThis proves our own books only. A witness can say more: midwatch ledger prove --witness FILE, see docs/ledger.md\n",
    );
}

function duplicatePart({ duplicates }: LedgerProof, paint: Paint): readonly string[] {
  const none = paint("green", "none: no request was paid twice");
  const answer = duplicates.rows.length === 0 ? none : paint("red", `${count(duplicates.rows.length, "request")} paid more than once:`);
  const rows = duplicates.rows.slice(0, mostRows).map(({ key, seq, charges }) => `  ${plain(key)}#${seq}: ${charges} times`);
  return [paint("bold", "Requests that were paid more than once"), ...asked(paint, duplicates.sql), answer, ...rows];
}

const mostRows = 20;

function part(
  paint: Paint,
  title: string,
  { sql, rows }: LedgerQuestion,
  format: (cells: LedgerQuestion["rows"][number]) => readonly string[],
  answers: readonly string[],
): readonly string[] {
  const lines = columns(rows.slice(0, mostRows).map(format)).map((line) => `  ${line}`);
  const more = rows.length > mostRows ? [`  and ${rows.length - mostRows} more; all with --json`] : [];
  return ["", paint("bold", title), ...asked(paint, sql), ...answers, ...lines, ...more];
}

function asked(paint: Paint, sql: string): readonly string[] {
  return sql.split("\n").map((line) => paint("dim", `  ${line}`));
}

function totalRow([state, calls, microUsd, without]: LedgerQuestion["rows"][number]): readonly string[] {
  return [
    String(state),
    count(Number(calls), "call"),
    exactMoney(Number(microUsd)),
    Number(without) === 0 ? "" : `${without} without an amount`,
  ];
}

function unknownRow([key, seq, tried, state, failure, atLeast, atMost]: LedgerQuestion["rows"][number]): readonly string[] {
  const most = atMost === null ? "no price" : exactMoney(Math.max(Number(atMost), Number(atLeast)));
  return [
    plain(`${key}#${seq}.${tried}`),
    [state, failure].filter((word) => word !== null).join(", "),
    `${exactMoney(Number(atLeast))} to ${most}`,
  ];
}

function unknownAnswer({ rows }: LedgerQuestion): string {
  return rows.length === 0 ? "none" : `${count(rows.length, "call")}, with the least and the most that each may have cost:`;
}

function sumRow([kind, id, kept, counted, , callsCounted]: LedgerQuestion["rows"][number]): readonly string[] {
  return [
    String(kind),
    plain(String(id)),
    exactMoney(Number(kept)),
    `counted: ${exactMoney(Number(counted))} of ${count(Number(callsCounted), "call")}`,
  ];
}

function sumAnswer({ wrongSums }: LedgerProof): string {
  return wrongSums.length === 0 ? "each is the sum of its rows" : `WRONG: ${wrongSums.join("; ")}`;
}
