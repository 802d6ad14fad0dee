/** Gives each answer its score, where it has none by this scorer yet. Costs nothing: only answers of the evaluations' own store are read. */

import { readScore, type Score, scoreAnswer } from "../../core/eval/score.ts";
import type { Scorer } from "../../core/eval/scorer.ts";
import type { BatchRecord } from "../../ports/batch-store.ts";
import type { EvaluationRecord, EvaluationSets, Reference } from "../../ports/evaluation-sets.ts";
import type { Processes } from "../../ports/processes.ts";
import type { Store } from "../../ports/store.ts";
import { createAnswerText } from "../batch/answer-text.ts";

export interface ScoringParts {
  readonly store: Store;
  readonly sets: EvaluationSets;
  /** For a scorer that is a program; it gets no key and no door. */
  readonly program: { readonly processes: Processes; readonly env: Readonly<Record<string, string>>; readonly newMark: () => string };
}

export interface Scoring {
  readonly evaluation: EvaluationRecord;
  readonly batch: BatchRecord;
  readonly scorer: Scorer;
  /** Of scorer and program: scores under another are made anew. */
  readonly mark: string;
}

/** Of one answer. */
const scoreMs = 60_000;
const graceMs = 2000;
const mostBytes = 64 * 1024;

/** @returns how many it scored */
export async function scoreAnswers(parts: ScoringParts, { evaluation, batch, scorer, mark }: Scoring): Promise<number> {
  const { store, sets } = parts;
  const open = [...sets.references(evaluation, mark)].filter(({ score }) => score === null);
  let scored = 0;
  for (let at = 0; at < open.length; at += batch.settings.slots) {
    const some = open.slice(at, at + batch.settings.slots);
    const scores = await Promise.all(
      some.map(async (reference) => {
        const bytes = await store.batches.answer(batch.name, reference.job);
        return bytes === null ? [] : [{ job: reference.job, score: await scoreOne(parts, { batch, scorer, reference, bytes }) }];
      }),
    );
    sets.setScores(evaluation, mark, scores.flat());
    scored += scores.flat().length;
  }
  return scored;
}

interface OneAnswer {
  readonly batch: BatchRecord;
  readonly scorer: Scorer;
  readonly reference: Reference;
  readonly bytes: Uint8Array;
}

async function scoreOne(parts: ScoringParts, { batch, scorer, reference, bytes }: OneAnswer): Promise<Score> {
  const answer = new TextDecoder().decode(bytes);
  if (scorer.kind !== "program") return scoreAnswer(scorer, reference.expected, answer);
  const job: unknown = JSON.parse((await parts.store.batches.payload(batch.name, reference.job)) ?? "null");
  return runScorer(parts, scorer.path, { cwd: batch.settings.cwd, input: JSON.stringify({ job, expected: reference.expected, answer }) });
}

async function runScorer(
  { program: { processes, env, newMark } }: ScoringParts,
  path: string,
  { cwd, input }: { readonly cwd: string; readonly input: string },
): Promise<Score> {
  const text = createAnswerText(mostBytes);
  const child = processes.start({
    ...{ command: [path], cwd, env, input, mark: newMark() },
    limits: { wallMs: scoreMs, idleMs: null, graceMs },
    containment: "agent",
    onLine: (line, cut) => {
      text.add(line, cut);
      return "work";
    },
  });
  const end = await child.end;
  if (end.kind !== "exited" || end.code !== 0) return { kind: "unscored", why: `the scorer failed: ${describe(end)}` };
  const printed = text.read();
  return readScore(printed.kind === "answer" ? new TextDecoder().decode(printed.bytes) : "");
}

function describe(end: Awaited<ReturnType<Processes["start"]>["end"]>): string {
  switch (end.kind) {
    case "exited":
      return `exit code ${end.code} ${end.stderrTail.trim().split("\n").at(-1) ?? ""}`.trim();
    case "not-started":
      return end.error ?? "it could not be started";
    case "signalled":
      return `killed by ${end.signal}`;
    case "ended-by-us":
      return end.cause === "wall-clock" ? `its ${scoreMs / 1000} s were over` : "it was ended";
    case "lost":
      return "it was lost";
  }
}
