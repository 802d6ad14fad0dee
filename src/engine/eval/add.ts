/** A version of an evaluation is added: a batch in the evaluations' own store, and its references beside it. The reference is taken out of what the program gets. */

import { splitLine } from "../../core/eval/question.ts";
import { formatScorer, referenceTrouble, type Scorer } from "../../core/eval/scorer.ts";
import type { NewJob } from "../../ports/batch-store.ts";
import type { EvaluationSets, NewReference } from "../../ports/evaluation-sets.ts";
import type { JobList } from "../../ports/job-list.ts";
import { type AddOutcome, addBatchList, type BatchBooks, type BatchToAdd } from "../batch/add.ts";

export interface EvaluationBooks {
  readonly store: BatchBooks;
  readonly sets: EvaluationSets;
}

export type EvaluationAddOutcome =
  | (Extract<AddOutcome, { kind: "added" }> & { readonly references: number })
  | Exclude<AddOutcome, { kind: "added" }>;

/** What the batch of a version is called in the evaluations' store. No other batch can have an `@` in its name. */
export function batchName(name: string, version: string): string {
  return `${name}@${version}`;
}

/** The first line that cannot be held against its reference, and why; null = all can. */
export function setTrouble(list: JobList, scorer: Scorer): { readonly id: string; readonly why: string } | null {
  for (const { id, payload } of list.all()) {
    const line = splitLine(payload);
    const why = line.kind === "line" ? referenceTrouble(scorer, line.expected) : "it has no field expected, which is its reference";
    if (why !== null) return { id, why };
  }
  return null;
}

/** The same list without references. */
export function questionsOf(list: JobList): JobList {
  return { jobs: list.jobs, all: () => references(list), close: list.close };
}

interface EvaluationToAdd {
  readonly name: string;
  readonly batch: BatchToAdd;
  readonly scorer: Scorer;
}

/** Nothing is answered before there is a reference: a set without its record is not run. `list` is one in which `setTrouble` found none. */
export async function addEvaluation(
  { store, sets }: EvaluationBooks,
  { name, batch, scorer }: EvaluationToAdd,
  { list, now }: { readonly list: JobList; readonly now: number },
): Promise<EvaluationAddOutcome> {
  const { version } = batch;
  const outcome = await addBatchList(store, { ...batch, name: batchName(name, version) }, questionsOf(list), now);
  if (outcome.kind !== "added") return outcome;
  const changed = sets.put({ name, version, scorer: formatScorer(scorer), addedAt: now }, references(list));
  return { ...outcome, references: changed };
}

function* references(list: JobList): Generator<NewJob & NewReference> {
  for (const { id, payload: text } of list.all()) {
    const line = splitLine(text);
    if (line.kind === "line") yield { id, payload: line.payload, expected: line.expected };
  }
}
