/** The third question of a batch's proof, what happened to one job. */
import type { BatchProof } from "../engine/batch/prove.ts";
import type { LedgerQuestion } from "../ports/ledger.ts";
import { columns } from "./layout.ts";
import { chargesText } from "./ledger-amounts.ts";
import { count, exactMoney, type Paint, plain, pointInTime } from "./print.ts";
import { head, mostRows, perCall } from "./proof-parts.ts";

export function historyLines({ job, witness }: BatchProof, paint: Paint, now: number): readonly string[] {
  if (job === null) return ["", paint("bold", "3. What happened to one job?"), "  its batch is archived: name it with --job"];
  const { id, history } = job;
  const charges = perCall(witness?.job ?? null);
  const paid = history.rows.reduce((sum, row) => sum + Number(row[6]), 0);
  const cost = history.rows.reduce((sum, row) => sum + Number(row[7]), 0);
  return [
    ...head(paint, `3. What happened to job ${plain(id)}? (another one: --job ID)`, history.sql),
    `  our books: ${count(history.rows.length, "attempt")} that ended, ${count(paid, "charge")}, ${exactMoney(cost)}`,
    ...columns(history.rows.slice(0, mostRows).map((row) => attemptCells(row, now))).map((line) => `    ${line}`),
    ...(charges === null ? noCalls(witness) : [`  witness:   ${chargesText(charges)}`]),
  ];
}

function noCalls(witness: BatchProof["witness"]): readonly string[] {
  return witness?.all.kind === "calls" ? ["  witness:   nothing to compare: this job made no call"] : [];
}

function attemptCells(
  [attempt, slot, started, , end, reason, calls, microUsd, first, last]: LedgerQuestion["rows"][number],
  now: number,
): readonly string[] {
  const range = first === null ? "" : `calls ${first} to ${last}`;
  return [
    `attempt ${attempt}`,
    pointInTime(Number(started), now),
    `slot ${slot}`,
    String(end),
    `${count(Number(calls), "call")} paid`,
    exactMoney(Number(microUsd)),
    range,
    plain(String(reason ?? "")),
  ];
}
