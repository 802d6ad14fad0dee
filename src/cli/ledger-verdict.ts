/** The first line of a proof: whether it holds, and what exactly that says. "Nothing was paid twice" stands only where a witness shows it. */
import { isSettled } from "../core/money/call.ts";
import type { BoughtAgain } from "../core/money/reconcile/bought-again.ts";
import type { LedgerProof } from "../engine/ledger-prove.ts";
import type { Reconciliation } from "../engine/ledger-reconcile.ts";
import type { LedgerQuestion } from "../ports/ledger.ts";
import { columns } from "./layout.ts";
import { rangeText } from "./ledger-amounts.ts";
import { count, exactMoney, type Paint, plain } from "./print.ts";
import { moreLines, mostRows, questionIn } from "./proof-parts.ts";

export function verdictText(proof: LedgerProof, witness: Reconciliation | null, paint: Paint): string {
  const wrong = wrongs(proof, witness);
  if (wrong.length > 0) return paint("red", `it does NOT hold: ${wrong.join("; ")}`);
  const said = witness === null ? booksText(proof) : witnessText(proof, witness);
  return paint("green", `${said}${anewText(proof)}`);
}

function wrongs({ duplicates, wrongSums }: LedgerProof, witness: Reconciliation | null): readonly string[] {
  return [
    ...(duplicates.rows.length === 0
      ? []
      : [`by our own books ${count(duplicates.rows.length, "request")} ${were(duplicates.rows.length)} paid more than once`]),
    ...(wrongSums.length === 0
      ? []
      : [`${count(wrongSums.length, "sum")} ${wrongSums.length === 1 ? "is" : "are"} not what the rows come to`]),
    ...(witness === null || witness.agrees ? [] : ["the books do not agree with the witness, see below"]),
  ];
}

/** Of paid requests that a person had asked anew: no mistake, and money all the same. */
function anewText({ questions }: LedgerProof): string {
  const rows = anewRows(questions);
  if (rows.length === 0) return "";
  const cost = rows.reduce((sum, [, , , , microUsd]) => sum + Number(microUsd), 0);
  return `; ${count(rows.length, "call")} ${were(rows.length)} paid anew on a person's word, for ${exactMoney(cost)}`;
}

const anewRows = (questions: readonly LedgerQuestion[]) => questionIn(questions, "anew")?.rows ?? [];

/** What `batch retry --anew` had paid once more, with the SQL that asks. @returns nothing where there is none */
export function anewLines({ questions }: LedgerProof, paint: Paint): readonly string[] {
  const rows = anewRows(questions);
  if (rows.length === 0) return [];
  const cells = rows
    .slice(0, mostRows)
    .map(([key, seq, tried, round, microUsd]) => [`  ${plain(`${key}#${seq}.${tried}`)}`, `round ${round}`, exactMoney(Number(microUsd))]);
  const sql = questionIn(questions, "anew")?.sql ?? "";
  return [
    ...sql.split("\n").map((line) => paint("dim", `  ${line}`)),
    `paid anew, for a person asked for it with batch retry --anew: ${count(rows.length, "call")}`,
    ...columns(cells),
    ...moreLines(rows, "  "),
  ];
}

function booksText(proof: LedgerProof): string {
  const unknown = unknownOf(proof);
  const books = "our own books hold: no answer that we had was paid for again";
  if (unknown.calls === 0) return books;
  return `${books}; ${count(unknown.calls, "unknown call")} may have been charged, ${most(unknown.atMost)}, and bought again: only a witness can tell`;
}

function witnessText(proof: LedgerProof, witness: Reconciliation): string {
  if (witness.kind === "calls") return perCallText(witness.result.boughtAgain);
  const { calls } = unknownOf(proof);
  if (calls === 0) return "it holds: no answer that we had was paid for again, and the sums are those of our calls";
  return `it holds: no answer that we had was paid for again; whether ${count(calls, "unknown call")} ${were(calls)} charged and bought again, sums cannot tell`;
}

function perCallText(again: readonly BoughtAgain[]): string {
  if (again.length === 0) return "it holds: nothing was paid twice";
  const { atLeast, atMost } = costOf(again);
  const cost = atMost !== null && atLeast === atMost ? `for ${exactMoney(atMost)}` : rangeText(atLeast, atMost);
  return `it holds: no answer that we had was paid for again; ${count(again.length, "lost answer")} ${were(again.length)} bought again, ${cost}`;
}

const were = (number: number): string => (number === 1 ? "was" : "were");
const most = (atMost: number | null): string => (atMost === null ? "for an amount without a bound" : `for at most ${exactMoney(atMost)}`);

function unknownOf({ questions }: LedgerProof): { readonly calls: number; readonly atMost: number | null } {
  const rows = questions.find(({ name }) => name === "unknown")?.rows ?? [];
  const atMost = rows.reduce<number | null>((sum, row) => {
    const [, , , , , least, upper] = row;
    return sum === null || upper === null ? null : sum + Math.max(Number(upper), Number(least));
  }, 0);
  return { calls: rows.length, atMost };
}

function costOf(again: readonly BoughtAgain[]): { readonly atLeast: number; readonly atMost: number | null } {
  return {
    atLeast: again.reduce((sum, one) => sum + one.atLeastMicroUsd, 0),
    atMost: again.reduce<number | null>((sum, one) => (sum === null || one.atMostMicroUsd === null ? null : sum + one.atMostMicroUsd), 0),
  };
}

/** Requests that were charged twice, each with what its lost answer cost. @returns nothing where there are none */
export function againLines(again: readonly BoughtAgain[]): readonly string[] {
  if (again.length === 0) return [];
  const { atLeast, atMost } = costOf(again);
  const requests = new Set(again.map(({ call }) => call.place)).size;
  const rows = again
    .slice(0, mostRows)
    .map(({ call, charge, atLeastMicroUsd, atMostMicroUsd }) => [
      `  ${plain(call.label)}`,
      rangeText(atLeastMicroUsd, atMostMicroUsd),
      `line ${charge.line}`,
      lossOf(call),
    ]);
  return [
    `${count(requests, "request")} ${were(requests)} charged twice: ${causeText(again)}; what was lost cost ${rangeText(atLeast, atMost)}. ${standing(again)}`,
    ...columns(rows),
    ...moreLines(again, "  "),
  ];
}

/** What the books promise: no charge without a row that says so. */
function standing(again: readonly BoughtAgain[]): string {
  const each = again.length === 1 ? "That charge is" : "Each of those charges is";
  if (again.every(({ call }) => isSettled(call))) return `${each} booked by what a witness settled`;
  return `${each} among ${again.some(({ call }) => isSettled(call)) ? "the unknown and the settled calls" : "the unknown calls"}`;
}

function causeText(again: readonly BoughtAgain[]): string {
  const causes = new Set(again.map(({ call }) => lossOf(call)));
  const [only = ""] = causes;
  return causes.size === 1 ? `${again.length === 1 ? "its" : "their"} first try ${only}` : "the answer to their first try was lost";
}

function lossOf(call: BoughtAgain["call"]): string {
  if (isSettled(call)) return "got no answer that we had";
  if (call.state === "open" || call.failure === "died") return "was on its way when a supervisor died";
  if (call.state === "cut") return "was cut off in its answer";
  return call.failure === "server-error" ? "met an error of the provider" : "lost its answer";
}
