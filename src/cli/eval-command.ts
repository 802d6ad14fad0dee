/** What the commands on evaluations share: store and sets that are there, the version that is meant, and how its scorer is known again. */
import { createHash } from "node:crypto";
import { MidwatchError } from "../core/error.ts";
import { formatScorer, parseScorer, type Scorer } from "../core/eval/scorer.ts";
import { batchName } from "../engine/eval/add.ts";
import type { BatchRecord } from "../ports/batch-store.ts";
import type { EvaluationRecord, EvaluationSets } from "../ports/evaluation-sets.ts";
import type { Store } from "../ports/store.ts";
import type { App } from "./app.ts";

export interface EvaluationBooks {
  readonly store: Store;
  readonly sets: EvaluationSets;
}

/** Closes both whatever happens. @param mode  `read` throws where there is none yet */
export async function withEvaluations<T>(app: App, mode: "read" | "write", work: (books: EvaluationBooks) => Promise<T>): Promise<T> {
  const evaluations = await app.evaluations();
  const sets = await evaluations.openSets(mode);
  if (sets === null) throw nothingYet();
  try {
    const store = await evaluations.makeStore();
    try {
      return await work({ store, sets });
    } finally {
      await store.close();
    }
  } finally {
    sets.close();
  }
}

function nothingYet(): MidwatchError {
  return new MidwatchError("usage", "E_NO_EVAL", "there is no evaluation yet", {
    hint: "add one with: midwatch eval add NAME --set set.jsonl --score exact -- COMMAND",
  });
}

export interface Version {
  readonly evaluation: EvaluationRecord;
  readonly batch: BatchRecord;
  readonly scorer: Scorer;
  /** The same scorer, and the same program where it is one. */
  readonly mark: string;
}

/** @param version  undefined = the one that was added last */
export async function requireVersion(app: App, { store, sets }: EvaluationBooks, name: string, version?: string): Promise<Version> {
  const versions = sets.versions(name);
  const evaluation = version === undefined ? versions[0] : versions.find((one) => one.version === version);
  if (evaluation === undefined) {
    const what = versions.length === 0 ? `there is no evaluation ${name}` : `evaluation ${name} has no version ${version}`;
    throw new MidwatchError("usage", "E_EVAL_UNKNOWN", what, {
      hint: versions.length === 0 ? "see them with: midwatch eval status" : `it has ${versions.map((one) => one.version).join(", ")}`,
    });
  }
  const batch = await store.batches.batch(batchName(name, evaluation.version));
  const scorer = parseScorer(evaluation.scorer);
  if (batch === null || scorer === null) throw new MidwatchError("bug", "E_EVAL", `evaluation ${name} has no batch or no scorer`);
  return { evaluation, batch, scorer, mark: await scorerMark(app, scorer) };
}

const mostProgramBytes = 256 * 1024 * 1024;

/** A program that was changed scores anew. */
async function scorerMark(app: App, scorer: Scorer): Promise<string> {
  if (scorer.kind !== "program") return formatScorer(scorer);
  const file = await app.files.readBytes(scorer.path, mostProgramBytes);
  if (file.kind === "bytes") return `${formatScorer(scorer)} ${createHash("sha256").update(file.bytes).digest("hex")}`;
  throw new MidwatchError("usage", "E_EVAL_SCORER", `the scorer ${scorer.path} cannot be read`, {
    hint: "put it back, or add the set again with another --score; answers are kept, and none is paid again",
  });
}
