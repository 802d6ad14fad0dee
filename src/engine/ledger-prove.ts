/** What the books prove of themselves: no call paid twice, and sums that are those of their rows. */
import type { CallRecord, Duplicate, Ledger, LedgerQuestion } from "../ports/ledger.ts";
import type { AskedCalls } from "./ledger-calls.ts";

export interface LedgerProof {
  readonly holds: boolean;
  readonly duplicates: { readonly sql: string; readonly rows: readonly Duplicate[] };
  readonly questions: readonly LedgerQuestion[];
  /** Sums that are not those of their rows, in words. */
  readonly wrongSums: readonly string[];
}

export async function proveLedger(ledger: Ledger, { filter }: AskedCalls): Promise<LedgerProof> {
  const of = { ...(filter.run === undefined ? {} : { run: filter.run }), ...(filter.batch === undefined ? {} : { batch: filter.batch }) };
  const [duplicates, questions] = await Promise.all([ledger.duplicates(of), ledger.proof(of)]);
  const wrongSums = questions.filter(({ name }) => name === "sums").flatMap(({ rows }) => rows.flatMap(wrongSum));
  return { holds: duplicates.rows.length === 0 && wrongSums.length === 0, duplicates, questions, wrongSums };
}

/** Rows of long ago are removed and their sums stay: then the sum is the larger one. */
function wrongSum([kind, id, kept, counted, callsKept, callsCounted]: LedgerQuestion["rows"][number]): readonly string[] {
  const wereRemoved = Number(callsKept) > Number(callsCounted);
  const isRight = wereRemoved ? Number(kept) >= Number(counted) : kept === counted && callsKept === callsCounted;
  return isRight ? [] : [`${kind} ${id}: ${kept} micro-dollars of ${callsKept} calls are kept, ${counted} of ${callsCounted} were counted`];
}

/** For people and other programs: where a call stands among those of its owner. */
export function labelOf({ key }: Pick<CallRecord, "key">): string {
  return `${key.key}#${key.seq}.${key.try}`;
}
