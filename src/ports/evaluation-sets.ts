/** Evaluation sets: what is to be answered, by what reference and scorer, and how good the answers were. In a file of its own beside the evaluations' store. */
import type { Score } from "../core/eval/score.ts";
import type { NewJob } from "./batch-store.ts";

export interface EvaluationRecord {
  readonly name: string;
  readonly version: string;
  /** As it is written on the command line; a program's path is absolute. */
  readonly scorer: string;
  readonly addedAt: number;
}

export interface NewReference extends NewJob {
  readonly expected: unknown;
}

export interface Reference {
  readonly job: string;
  /** Of question and reference: the same in two versions = the same. */
  readonly question: string;
  readonly expected: unknown;
  /** Null = none by this scorer yet. */
  readonly score: Score | null;
}

export interface EvaluationSets {
  /** All or nothing. A reference or scorer that changed takes the scores that hung on it along; @returns references that changed */
  put(evaluation: EvaluationRecord, references: Iterable<NewReference>): number;
  /** The latest version first. */
  versions(name: string): readonly EvaluationRecord[];
  all(): readonly EvaluationRecord[];
  /** In the order of the set. @param scorerMark  scores under another mark are none */
  references(evaluation: EvaluationRecord, scorerMark: string): Iterable<Reference>;
  setScores(evaluation: EvaluationRecord, scorerMark: string, scores: readonly { readonly job: string; readonly score: Score }[]): void;
  /** Which of these jobs ask what an evaluation asks, whatever they are called; the first hundred of them. */
  known(jobs: Iterable<NewJob>): readonly { readonly id: string; readonly evaluation: string }[];
  close(): void;
}
