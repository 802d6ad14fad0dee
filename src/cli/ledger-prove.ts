/** `midwatch ledger prove`: the questions that are asked of the books, and what they answer, for somebody who has never seen SQL. */
import { findAsked } from "../engine/ledger-calls.ts";
import { keyNames } from "../engine/ledger-names.ts";
import { type LedgerProof, proveLedger } from "../engine/ledger-prove.ts";
import { type Reconciliation, reconcile } from "../engine/ledger-reconcile.ts";
import type { LedgerQuestion } from "../ports/ledger.ts";
import type { App } from "./app.ts";
import { columns, showLines } from "./layout.ts";
import { withLedger } from "./ledger.ts";
import { type LedgerFlags, questionOf } from "./ledger-question.ts";
import { formatOf, printReconciliation } from "./ledger-reconcile.ts";
import { settleCommand } from "./ledger-settle.ts";
import { againLines, anewLines, verdictText } from "./ledger-verdict.ts";
import { count, exactMoney, json, type Paint, painter, plain } from "./print.ts";
import { databaseOf, duplicateTexts, head, moreLines, mostRows, perCall, questionIn, unknownCells } from "./proof-parts.ts";

export async function ledgerProveCommand(
  app: App,
  flags: LedgerFlags & { readonly witness?: string; readonly format?: string },
): Promise<number> {
  const { witness } = flags;
  const format = formatOf(flags.format);
  return withLedger(app, async (store) => {
    const asked = await findAsked(store, questionOf(flags, app.clock.now()), app.treeTop);
    const proof = await proveLedger(store.ledger, asked);
    const parts = { store, logs: app.chargeLogs };
    const reconciliation = witness === undefined ? null : await reconcile(parts, asked, { path: witness, format });
    if (flags.json) app.terminal.out(json({ ...proof, witness: reconciliation }));
    else {
      const keys = [...proof.duplicates.rows.map(({ key }) => key), ...unknownKeys(proof)];
      const names = await keyNames(
        store,
        asked.run,
        keys.filter((key) => key.startsWith("window:")),
      );
      printProof(app, { proof, reconciliation, names, command: settleCommand(witness ?? "FILE", flags) });
    }
    return proof.holds && reconciliation?.agrees !== false ? 0 : 10;
  });
}

interface Shown {
  readonly proof: LedgerProof;
  readonly reconciliation: Reconciliation | null;
  /** Of keys, as people know what they are of. */
  readonly names: ReadonlyMap<string, string>;
  /** That settles by this witness. */
  readonly command: string;
}

function unknownKeys({ questions }: LedgerProof): readonly string[] {
  return (questionIn(questions, "unknown")?.rows ?? []).slice(0, mostRows).map(([key]) => String(key));
}

function printProof(app: App, { proof, reconciliation, names, command }: Shown): void {
  const paint = painter(app.terminal);
  const ofName = (name: LedgerQuestion["name"]) => proof.questions.filter((question) => question.name === name);
  const parts = [
    [
      verdictText(proof, reconciliation, paint),
      "",
      `Four questions to our books, the file ${databaseOf(app)}. Indented is each as it was put to it, in SQL, which any other program can ask again; below it is the answer.`,
    ],
    duplicatePart({ proof, reconciliation, names }, paint),
    ...ofName("totals").map((question) => part(paint, "What the calls cost, by how they ended", question, totalRow, [])),
    ...ofName("unknown").map((question) =>
      part(paint, "Calls that may have been charged without our knowing how much", question, (row) => unknownCells(row, nameBy(names)), [
        unknownAnswer(question),
      ]),
    ),
    ...ofName("sums").map((question) =>
      part(paint, "The sums that caps go by, beside the same sums counted afresh", question, sumRow, [sumAnswer(proof)]),
    ),
  ];
  showLines(app.terminal, [...parts.flat(), ""], 6);
  if (reconciliation !== null) printReconciliation(app, reconciliation, { command, isProof: true });
  else
    app.terminal.out("This proves our own books only. A witness can say more: midwatch ledger prove --witness FILE, see docs/ledger.md\n");
}

function duplicatePart({ proof, reconciliation, names }: Omit<Shown, "command">, paint: Paint): readonly string[] {
  const { rows, sql } = proof.duplicates;
  const none = paint("green", "our books: none; no answer that we had was paid for again");
  const answer = rows.length === 0 ? none : paint("red", `our books: ${count(rows.length, "request")} paid more than once:`);
  const lines = duplicateTexts(rows, nameBy(names)).map((line) => `  ${line}`);
  const again = perCall(reconciliation)?.boughtAgain ?? null;
  const told = again === null ? [] : again.length === 0 ? ["none"] : againLines(again);
  const witness = told.map((line, at) => (at === 0 ? `witness:   ${line}` : line));
  return [...head(paint, "Requests that were paid more than once", sql, "  "), answer, ...lines, ...anewLines(proof, paint), ...witness];
}

function nameBy(names: ReadonlyMap<string, string>): (key: string) => string {
  return (key) => plain(names.get(key) ?? key);
}

function part(
  paint: Paint,
  title: string,
  { sql, rows }: LedgerQuestion,
  format: (cells: LedgerQuestion["rows"][number]) => readonly string[],
  answers: readonly string[],
): readonly string[] {
  const lines = columns(rows.slice(0, mostRows).map(format)).map((line) => `  ${line}`);
  return [...head(paint, title, sql, "  "), ...answers, ...lines, ...moreLines(rows, "  ")];
}

function totalRow([state, calls, microUsd, without]: LedgerQuestion["rows"][number]): readonly string[] {
  return [
    String(state),
    count(Number(calls), "call"),
    exactMoney(Number(microUsd)),
    Number(without) === 0 ? "" : `${without} without an amount`,
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
