/** `midwatch batch prove`: four questions about what was paid, and their answers, for somebody who has never seen SQL. */
import { MidwatchError } from "../core/error.ts";
import type { PerCallResult } from "../core/money/reconcile/per-call.ts";
import { type BatchProof, proveBatch } from "../engine/batch/prove.ts";
import type { App } from "./app.ts";
import { requireBatch, withBatches } from "./batch-command.ts";
import { historyLines } from "./batch-prove-job.ts";
import type { JsonOption } from "./command.ts";
import { columns, showLines } from "./layout.ts";
import { chargesText } from "./ledger-amounts.ts";
import { printReconciliation } from "./ledger-reconcile.ts";
import { settleCommand } from "./ledger-settle.ts";
import { againLines, anewLines, verdictText } from "./ledger-verdict.ts";
import { count, exactMoney, json, type Paint, painter } from "./print.ts";
import { databaseOf, duplicateTexts, head, moreLines, mostRows, perCall, questionIn, unknownCells } from "./proof-parts.ts";

export interface BatchProveFlags extends JsonOption {
  readonly witness?: string;
  readonly job?: string;
}

export async function batchProveCommand(app: App, name: string, flags: BatchProveFlags): Promise<number> {
  return withBatches(app, async (store) => {
    const batch = await requireBatch(store, name);
    const { job = null, witness = null } = flags;
    if (job !== null && batch.state !== "archived" && (await store.batches.job(name, job)) === null)
      throw new MidwatchError("usage", "E_JOB_UNKNOWN", `batch ${name} has no job ${job}`);
    const proof = await proveBatch({ store, logs: app.chargeLogs, batch, job, witness });
    if (flags.json) app.terminal.out(json(proof));
    else print(app, proof, settleCommand(witness ?? "FILE", { batch: name }));
    return proof.holds ? 0 : 10;
  });
}

function print(app: App, proof: BatchProof, command: string): void {
  const { terminal } = app;
  const paint = painter(terminal);
  const lines = [
    proof.hasCalls ? verdictText(proof.ledger, proof.witness?.all ?? null, paint) : "this batch made no call, so nothing was paid",
    "",
    `Four questions. Below each stands, indented, how it was put to the books, the file ${databaseOf(app)}: in SQL, which any other program can ask of it. Then comes the answer.`,
    ...duplicateLines(proof, paint),
    ...totalLines(proof, paint),
    ...historyLines(proof, paint, app.clock.now()),
    ...unknownLines(proof, paint),
    ...(proof.ledger.wrongSums.length === 0
      ? []
      : ["", paint("red", `WRONG: sums that are not those of their rows: ${proof.ledger.wrongSums.join("; ")}`)]),
  ];
  showLines(terminal, [...lines, ""]);
  if (!proof.hasCalls) return;
  if (proof.witness === null)
    terminal.out(
      `This proves our own books only. What the provider charged is proved by a witness: midwatch batch prove ${proof.batch} --witness FILE, see docs/ledger.md\n`,
    );
  else printReconciliation(app, proof.witness.all, { command, isProof: true });
}

function duplicateLines({ ledger, witness }: BatchProof, paint: Paint): readonly string[] {
  const { sql, rows } = ledger.duplicates;
  const books = rows.length === 0 ? paint("green", "none") : paint("red", duplicateTexts(rows).join("; "));
  return [
    ...head(paint, "1. Was any request paid more than once?", sql),
    `  our books: ${books}`,
    ...anewLines(ledger, paint).map((line) => `  ${line}`),
    ...witnessOf(perCall(witness?.all ?? null), paint),
  ];
}

function witnessOf(result: PerCallResult | null, paint: Paint): readonly string[] {
  if (result === null) return [];
  const tooMany = result.differences.filter(({ kind }) => kind === "charged-twice" || kind === "charged-not-booked").length;
  const wrong = tooMany === 0 ? [] : [paint("red", `${count(tooMany, "charge")} too many, listed below`)];
  const told = [...wrong, ...againLines(result.boughtAgain)];
  const [first = paint("green", "none"), ...more] = told;
  return [`  witness:   ${first}`, ...more.map((line) => `    ${line}`)];
}

function totalLines({ ledger, witness }: BatchProof, paint: Paint): readonly string[] {
  const totals = questionIn(ledger.questions, "totals");
  if (totals === null) return [];
  const rows = totals.rows.map(([state, calls, microUsd]) => `${count(Number(calls), "call")} ${state}, ${exactMoney(Number(microUsd))}`);
  const result = perCall(witness?.all ?? null);
  return [
    ...head(paint, "2. How many calls were there, and what did they cost for certain?", totals.sql),
    `  our books: ${rows.length === 0 ? "no call" : rows.join("; ")}`,
    ...(result === null ? [] : [`  witness:   ${chargesText(result)}`]),
  ];
}

function unknownLines({ ledger, witness }: BatchProof, paint: Paint): readonly string[] {
  const unknown = questionIn(ledger.questions, "unknown");
  if (unknown === null) return [];
  const rows = unknown.rows.slice(0, mostRows).map((row) => unknownCells(row));
  const result = perCall(witness?.all ?? null);
  const charged = result?.explanations.filter(({ kind }) => kind === "was-charged").length ?? 0;
  return [
    ...head(paint, "4. Which calls may have been charged without our knowing how much?", unknown.sql),
    `  our books: ${unknown.rows.length === 0 ? "none" : `${count(unknown.rows.length, "call")}, with the least and the most that each may have cost`}`,
    ...columns(rows).map((line) => `    ${line}`),
    ...moreLines(unknown.rows, "    "),
    ...(result === null || result.explanations.length === 0
      ? []
      : [`  witness:   ${charged} of them charged, ${result.explanations.length - charged} not`]),
  ];
}
